/** Texts of the page in the two languages bundled with it; the phone's language first, then the case's. */
import en from '../../locales/en/client.json';
import es from '../../locales/es/client.json';
import type { Language } from './model';

export type Key = keyof typeof es;
export type Values = Record<string, string | number | null | undefined>;

const BUNDLES: Record<Language, Record<Key, string>> = { es, en };
export const LANGUAGES: readonly { code: Language; name: string }[] = [
  { code: 'es', name: 'Español' },
  { code: 'en', name: 'English' },
];

const CHOSEN = 'atalaya-client-language';

/** `null` when neither the person nor the browser names a language we have. */
export function pickLanguage(chosen: string | null, browser: readonly string[]): Language | null {
  for (const candidate of [chosen, ...browser]) {
    const code = candidate?.slice(0, 2).toLowerCase();
    if (code === 'es' || code === 'en') return code;
  }
  return null;
}

export function startLanguage(): Language {
  return pickLanguage(readChosen(), navigator.languages ?? [navigator.language]) ?? 'es';
}

function readChosen(): string | null {
  try {
    return localStorage.getItem(CHOSEN);
  } catch {
    return null;
  }
}

export function rememberLanguage(language: Language): void {
  try {
    localStorage.setItem(CHOSEN, language);
  } catch {
    // Private windows may refuse storage: the choice then lasts as long as the page.
  }
}

export function translate(language: Language, key: Key, values: Values = {}): string {
  const text = BUNDLES[language][key] ?? BUNDLES.es[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined || value === null ? whole : String(value);
  });
}

export type Translate = (key: Key, values?: Values) => string;

export interface Piece {
  kind: 'text' | 'strong' | 'key';
  text: string;
}

/** Splits `**bold**` and `[[key cap]]` marks out of a text. */
export function pieces(text: string): Piece[] {
  return text
    .split(/(\*\*[^*]+\*\*|\[\[[^\]]+\]\])/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith('**')) return { kind: 'strong', text: part.slice(2, -2) };
      if (part.startsWith('[[')) return { kind: 'key', text: part.slice(2, -2) };
      return { kind: 'text', text: part };
    });
}
