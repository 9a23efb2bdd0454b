import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { i18n } from './i18n';
import { namespaces } from './resources';

export { i18n } from './i18n';
export {
  chosenLanguage,
  DEFAULT_LANGUAGE,
  firstLanguage,
  followProfile,
  LanguageError,
  loadLanguage,
  showLanguage,
  storedLanguage,
} from './load';

/** The translator for components; typed keys of every namespace: `t('login.title')`. */
export function useT() {
  return useTranslation(namespaces).t;
}
export type T = ReturnType<typeof useT>;

/** For code outside components. */
export const t = i18n.getFixedT(null, namespaces) as T;

/** The current language code; the component renders again when it changes. */
export function useLanguage(): string {
  return useTranslation().i18n.language;
}

/**
 * The text of a failure: by its code from the bundle, else the server's own message (already in this language), else
 * the general one. Never an internal text.
 */
export function errorText(translate: T, error: unknown): string {
  if (!(error instanceof ApiError)) return translate('common.unexpected');
  return codeText(translate, error.code) ?? (error.message || translate('common.unexpected'));
}

/**
 * The text of a code (`LOGIN_INCORRECT`), or `null` when the bundle has none, and when it has values in it: only the
 * server knows them, and its own message has them.
 */
export function codeText(translate: T, code: string): string | null {
  const key = `errors.${code.toLowerCase()}`;
  if (!i18n.exists(key)) return null;
  // A code is only known at run time, so its key cannot be typed; the locale test proves that ours exist.
  const text = (translate as (key: string, options: object) => string)(key, { skipInterpolation: true });
  return text.includes('{') ? null : text;
}
