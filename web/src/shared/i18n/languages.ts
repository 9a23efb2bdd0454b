/** The languages of the platform, in the order in which they are offered. */
export const LANGUAGES = [
  { code: 'es', name: 'Español' },
  { code: 'ca', name: 'Català' },
  { code: 'eu', name: 'Euskara' },
  { code: 'gl', name: 'Galego' },
  { code: 'en', name: 'English' },
  { code: 'fr', name: 'Français' },
  { code: 'pt', name: 'Português' },
] as const;

/** The languages of an end client: whoever had the damage may read none of the platform's. */
export const CLIENT_LANGUAGES = [
  ...LANGUAGES,
  { code: 'de', name: 'Deutsch' },
  { code: 'it', name: 'Italiano' },
  { code: 'ro', name: 'Română' },
  { code: 'ar', name: 'العربية' },
] as const;

export type ClientLanguage = (typeof CLIENT_LANGUAGES)[number]['code'];

export const CLIENT_LANGUAGE_CODES = CLIENT_LANGUAGES.map(({ code }) => code) as [ClientLanguage, ...ClientLanguage[]];

export type LanguageCode = (typeof LANGUAGES)[number]['code'];

export const LANGUAGE_CODES = LANGUAGES.map(({ code }) => code) as [LanguageCode, ...LanguageCode[]];

/** A language in its own words; the code for one we do not have. */
export const languageName = (code: string): string => CLIENT_LANGUAGES.find((one) => one.code === code)?.name ?? code;

/** How a language is written here: European English and Portuguese, the co-official languages as in Spain. */
const LOCALES: Record<string, string> = {
  es: 'es-ES',
  ca: 'ca-ES',
  eu: 'eu-ES',
  gl: 'gl-ES',
  en: 'en-GB',
  fr: 'fr-FR',
  pt: 'pt-PT',
};

/** The locale for `Intl` of a language of the platform. */
export const localeOf = (language: string): string => LOCALES[language] ?? language;
