/** What every screen knows: the texts, the language, and who is calling. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Key, Translate } from './i18n';
import type { Language, LinkInfo } from './model';
import { pieces, type Values } from './words';

export interface Surroundings {
  t: Translate;
  language: Language;
  setLanguage: (language: Language) => void;
  info: LinkInfo | null;
}

export const Around = createContext<Surroundings | null>(null);

export function useAround(): Surroundings {
  const around = useContext(Around);
  if (!around) throw new Error('a screen is shown outside <Around>');
  return around;
}

/** A text with its `**bold**` and `[[key]]` marks rendered. */
export function Text({ k, values }: { k: Key; values?: Values }) {
  const { t } = useAround();
  return (
    <>
      {pieces(t(k, values)).map((piece, index) => {
        if (piece.kind === 'strong') return <b key={index}>{piece.text}</b>;
        if (piece.kind === 'key') return <kbd key={index}>{piece.text}</kbd>;
        return piece.text;
      })}
    </>
  );
}

export function initials(company: string): string {
  const words = company
    .split(/[\s,.]+/)
    .filter((word) => /^\p{L}/u.test(word) && !/^(de|del|la|el|los|las|y|and|of|s|sa|sl|slu)$/i.test(word));
  return (
    words
      .slice(0, 2)
      .map((word) => word[0]?.toUpperCase())
      .join('') || '·'
  );
}

/** How the adjuster is called in a sentence: the first name, else the company. */
export function whoOf(info: LinkInfo | null): string {
  return info?.adjuster?.trim().split(/\s+/)[0] || info?.company || '';
}
