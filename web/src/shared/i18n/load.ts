import { setApiLanguage } from '@/api/client';
import { limits } from '@/api/generated/limits';
import { i18n } from './i18n';
import { LITERALS } from './literals';

/** One year. */
const COOKIE_MAX_AGE_S = limits.languageCookieS;
export const DEFAULT_LANGUAGE = 'es';

interface Bundle {
  LANGUAGE_CODE?: string;
  NAMESPACE?: Record<string, Record<string, string>>;
}

/** A language that could not be loaded. `message` is the text to show. */
export class LanguageError extends Error {}

/** The language of the cookie; null when nobody chose one here. */
export const chosenLanguage = (): string | null => /(?:^|; )lang=([a-z]{2})(?:;|$)/.exec(document.cookie)?.[1] ?? null;

/** The language of the cookie, Spanish otherwise. */
export const storedLanguage = (): string => chosenLanguage() ?? DEFAULT_LANGUAGE;

/** The language to begin with: the one chosen here, else the profile's of whoever is logged in, else Spanish. */
export const firstLanguage = (profile: string | undefined): string => chosenLanguage() ?? profile ?? DEFAULT_LANGUAGE;

/** Shows the language of a profile unless another one was chosen in this browser. A failure keeps the one there is. */
export async function followProfile(profile: string | undefined): Promise<void> {
  if (!profile || chosenLanguage() || profile === i18n.language) return;
  await showLanguage(profile).catch(() => {});
}

/** Loads a chosen language and remembers it in the cookie: a choice, so no consent is needed. */
export async function loadLanguage(code: string, failure: string = LITERALS.loadError): Promise<void> {
  const shown = await showLanguage(code, failure);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox ESR and Safari.
  document.cookie = `lang=${shown}; path=/; max-age=${COOKIE_MAX_AGE_S}; samesite=lax`;
}

/**
 * Loads a language from the server (without a token) and makes it the current one: texts and `html lang`. Nobody
 * chose it, so nothing is remembered. Answers its code. Throws `LanguageError` and changes nothing when that fails;
 * `failure` is the text for a failed call.
 */
export async function showLanguage(code: string, failure: string = LITERALS.loadError): Promise<string> {
  const bundle = await fetchBundle(code, failure);
  if (!bundle?.LANGUAGE_CODE || !bundle.NAMESPACE) throw new LanguageError(LITERALS.missing);
  for (const [namespace, texts] of Object.entries(bundle.NAMESPACE)) {
    i18n.addResourceBundle(bundle.LANGUAGE_CODE, namespace, withMany(texts), true, true);
  }
  await i18n.changeLanguage(bundle.LANGUAGE_CODE);
  document.documentElement.lang = bundle.LANGUAGE_CODE;
  setApiLanguage(bundle.LANGUAGE_CODE);
  return bundle.LANGUAGE_CODE;
}

/** Spanish, Catalan, French and Portuguese have a third plural form, for whole millions: said as the general one. */
function withMany(texts: Record<string, string>): Record<string, string> {
  const many = Object.entries(texts).filter(([key]) => key.endsWith('_other'));
  return { ...Object.fromEntries(many.map(([key, text]) => [key.replace(/_other$/, '_many'), text])), ...texts };
}

async function fetchBundle(code: string, failure: string): Promise<Bundle | null> {
  try {
    const response = await window.fetch('/platform-language', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ languageCode: code }),
    });
    if (!response.ok) throw new LanguageError(failure);
    return (await response.json()) as Bundle | null;
  } catch {
    throw new LanguageError(failure);
  }
}
