/** Languages of the client's pages and what is done with a text; the texts themselves belong to each page. */
import type { Language } from './model';

export type Values = Record<string, string | number | null | undefined>;

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

/** `null` when neither the person nor the browser names a language we have: then the case's is the better guess. */
export function namedLanguage(): Language | null {
  return pickLanguage(readChosen(), navigator.languages ?? [navigator.language]);
}

export const startLanguage = (): Language => namedLanguage() ?? 'es';

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

/** Puts the values into a text's places; a place without a value stays visible. */
export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined || value === null ? whole : String(value);
  });
}

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
