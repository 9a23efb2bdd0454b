/** Texts of the call's page: Spanish bundled with it, the phone's language fetched before the first screen. */
import es from '../../locales/es/client.json';
import { textsOf, type Values } from './words';

export { LANGUAGES, markPage, pickLanguage, pieces, rememberLanguage, startLanguage, type Values } from './words';

export type Key = keyof typeof es;

export const {
  translate,
  load: loadTexts,
  spoken,
} = textsOf<Key>(es, {
  ca: () => import('../../locales/ca/client.json'),
  eu: () => import('../../locales/eu/client.json'),
  gl: () => import('../../locales/gl/client.json'),
  en: () => import('../../locales/en/client.json'),
  fr: () => import('../../locales/fr/client.json'),
  pt: () => import('../../locales/pt/client.json'),
  de: () => import('../../locales/de/client.json'),
  it: () => import('../../locales/it/client.json'),
  ro: () => import('../../locales/ro/client.json'),
  ar: () => import('../../locales/ar/client.json'),
});

export type Translate = (key: Key, values?: Values) => string;
