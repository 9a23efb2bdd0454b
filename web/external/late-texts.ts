/** Texts that come with a screen and not before. */
import { useEffect, useState } from 'preact/hooks';
import { useAround } from './ui';
import type { Texts, Values } from './words';

/** A hook that loads the texts in the page's language, and says them in Spanish until they are here. */
export function lateTexts<K extends string>({ translate, load, spoken }: Texts<K>) {
  return function useLateTexts(): (key: K, values?: Values) => string {
    const { language } = useAround();
    const [, came] = useState(false);
    useEffect(() => {
      let gone = false;
      load(language).then(
        () => !gone && came((before) => !before),
        () => undefined,
      );
      return () => {
        gone = true;
      };
    }, [language]);
    return (key, values) => translate(spoken(language), key, values);
  };
}
