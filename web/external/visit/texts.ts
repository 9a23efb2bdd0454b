/** Texts of appointments and of guided pictures, which come with those screens and not before. */
import es from '../../../locales/es/visit.json';
import { lateTexts } from '../late-texts';
import { textsOf } from '../words';

export type Key = keyof typeof es;

const texts = textsOf<Key>(es, {
  ca: () => import('../../../locales/ca/visit.json'),
  eu: () => import('../../../locales/eu/visit.json'),
  gl: () => import('../../../locales/gl/visit.json'),
  en: () => import('../../../locales/en/visit.json'),
  fr: () => import('../../../locales/fr/visit.json'),
  pt: () => import('../../../locales/pt/visit.json'),
  de: () => import('../../../locales/de/visit.json'),
  it: () => import('../../../locales/it/visit.json'),
  ro: () => import('../../../locales/ro/visit.json'),
  ar: () => import('../../../locales/ar/visit.json'),
});

export const { load: loadVisitTexts, translate: sayVisit } = texts;
export const useVisitTexts = lateTexts(texts);
