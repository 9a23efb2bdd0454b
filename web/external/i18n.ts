/** Texts of the call's page in the two languages bundled with it; the phone's language first, then the case's. */
import en from '../../locales/en/client.json';
import es from '../../locales/es/client.json';
import type { Language } from './model';
import { fill, type Values } from './words';

export { LANGUAGES, pickLanguage, pieces, rememberLanguage, startLanguage, type Values } from './words';

export type Key = keyof typeof es;

const BUNDLES: Record<Language, Record<Key, string>> = { es, en };

export function translate(language: Language, key: Key, values: Values = {}): string {
  return fill(BUNDLES[language][key] ?? BUNDLES.es[key] ?? key, values);
}

export type Translate = (key: Key, values?: Values) => string;
