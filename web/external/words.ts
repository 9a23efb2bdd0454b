/** Languages of the client's pages and operations on texts; each page has texts of its own. */
import type { Language } from './model';

export type Values = Record<string, string | number | null | undefined>;

export const LANGUAGES: readonly { code: Language; name: string }[] = [
  { code: 'es', name: 'Español' },
  { code: 'ca', name: 'Català' },
  { code: 'eu', name: 'Euskara' },
  { code: 'gl', name: 'Galego' },
  { code: 'en', name: 'English' },
  { code: 'fr', name: 'Français' },
  { code: 'pt', name: 'Português' },
  { code: 'de', name: 'Deutsch' },
  { code: 'it', name: 'Italiano' },
  { code: 'ro', name: 'Română' },
  { code: 'ar', name: 'العربية' },
];

const CHOSEN = 'atalaya-client-language';

/** `null` when neither the person nor the browser names a language we have. */
export function pickLanguage(chosen: string | null, browser: readonly string[]): Language | null {
  for (const candidate of [chosen, ...browser]) {
    const code = candidate?.split(/[-_]/)[0]?.toLowerCase();
    const known = LANGUAGES.find((language) => language.code === code);
    if (known) return known.code;
  }
  return null;
}

/** `null` when neither the person nor the browser names a language we have: then the case's is the better guess. */
export function namedLanguage(): Language | null {
  return pickLanguage(readChosen(), navigator.languages ?? [navigator.language]);
}

export const startLanguage = (): Language => namedLanguage() ?? 'es';

/** How dates and times are written: European English and Portuguese; Arabic with the digits used in Spain and Morocco. */
export const localeOf = (language: Language): string =>
  (({ en: 'en-GB', pt: 'pt-PT', ar: 'ar-MA' }) as Partial<Record<Language, string>>)[language] ?? language;

/** `19 de noviembre`: a day in Spain. */
export const dayText = (at: Date, language: Language): string =>
  at.toLocaleDateString(localeOf(language), { day: 'numeric', month: 'long', timeZone: 'Europe/Madrid' });

/** `09:07` by this device's clock. */
export const clockText = (at: string, language: Language): string =>
  new Date(at).toLocaleTimeString(localeOf(language), { hour: '2-digit', minute: '2-digit' });

/** `sábado, 21 de noviembre, 11:00`: a moment by this device's clock. */
export const momentText = (at: string, language: Language): string => {
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  return new Date(at).toLocaleString(localeOf(language), { ...day, hour: '2-digit', minute: '2-digit' });
};

/** `×2,0`: how far a picture is enlarged. */
export const enlargedText = (scale: number, language: Language): string =>
  `×${scale.toLocaleString(localeOf(language), { minimumFractionDigits: 1, maximumFractionDigits: 1 })}`;

/** The direction of a language; `language` may be a tag of the server's. */
export const directionOf = (language: string): 'ltr' | 'rtl' => (/^ar\b/i.test(language) ? 'rtl' : 'ltr');

/** A language in the words of another: "Spanisch" for Spanish in German; its own name where the browser has no words. */
export function languageName(code: string, language: Language): string {
  try {
    const name = new Intl.DisplayNames([localeOf(language)], { type: 'language' }).of(code);
    if (name && name !== code) return name;
  } catch {
    // An older browser has no names of languages.
  }
  return LANGUAGES.find((one) => one.code === code.slice(0, 2))?.name ?? code;
}

/** Tells the browser (voice, hyphens, which side a line starts on) what the page is written in. */
export function markPage(language: Language): void {
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
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

export interface Texts<K extends string> {
  translate: (language: Language, key: K, values?: Values) => string;
  /** Brings a language's texts; Spanish stands in until they are here. Rejects when the network fails. */
  load: (language: Language) => Promise<void>;
  /** What the page really speaks: the language when its texts are here, else Spanish (and not from right to left). */
  spoken: (language: Language) => Language;
}

/** The texts of a page: Spanish is part of it, the others are chunks of their own, so that nobody loads all eleven. */
export function textsOf<K extends string>(
  es: Record<K, string>,
  others: Record<Exclude<Language, 'es'>, () => Promise<{ default: Record<K, string> }>>,
): Texts<K> {
  const here: Partial<Record<Language, Record<K, string>>> = { es };
  return {
    translate: (language, key, values) => {
      const own = here[language]?.[key];
      return fill(own ?? es[key] ?? key, own && directionOf(language) === 'rtl' ? isolated(values) : values);
    },
    spoken: (language) => (here[language] ? language : 'es'),
    load: async (language) => {
      if (language === 'es' || here[language]) return;
      here[language] = (await others[language]()).default;
    },
  };
}

/** Puts the values into a text's places; a place without a value stays visible. */
export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined || value === null ? whole : String(value);
  });
}

/**
 * Values that keep their own direction inside a right-to-left sentence; otherwise "S.L." or a number in a name would be
 * torn apart. A comma before a name belongs to the sentence.
 */
function isolated(values: Values = {}): Values {
  const one = (value: Values[string]) =>
    typeof value === 'string' ? value.replace(/^([\s,،]*)(.+)$/su, '$1\u2068$2\u2069') : value;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, one(value)]));
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
