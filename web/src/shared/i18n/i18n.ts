import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { namespaces } from './resources';

/** The translator. Keys are `namespace.key` (`login.title`), placeholders `{name}`, plurals `key_one` / `key_other`. */
export const i18n = i18next.createInstance();

void i18n.use(initReactI18next).init({
  lng: 'es',
  fallbackLng: 'es',
  ns: namespaces,
  defaultNS: 'common',
  resources: {},
  nsSeparator: '.',
  keySeparator: false,
  initAsync: false,
  interpolation: { prefix: '{', suffix: '}', escapeValue: false },
  react: { useSuspense: false, bindI18nStore: 'added' },
});
