/** Texts of the check of a phone, which come with that page and not before. */
import es from '../../../locales/es/check.json';
import { lateTexts } from '../late-texts';
import { textsOf } from '../words';

export type Key = keyof typeof es;

const texts = textsOf<Key>(es, {
  ca: () => import('../../../locales/ca/check.json'),
  eu: () => import('../../../locales/eu/check.json'),
  gl: () => import('../../../locales/gl/check.json'),
  en: () => import('../../../locales/en/check.json'),
  fr: () => import('../../../locales/fr/check.json'),
  pt: () => import('../../../locales/pt/check.json'),
  de: () => import('../../../locales/de/check.json'),
  it: () => import('../../../locales/it/check.json'),
  ro: () => import('../../../locales/ro/check.json'),
  ar: () => import('../../../locales/ar/check.json'),
});

export const { load: loadCheckTexts, translate: sayCheck } = texts;
export const useCheckTexts = lateTexts(texts);
