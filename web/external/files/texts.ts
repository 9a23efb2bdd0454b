/** Texts of the upload page and only they (the call's page has its own): Spanish bundled, others fetched when needed. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import es from '../../../locales/es/upload.json';
import type { Language } from '../model';
import { textsOf, type Values } from '../words';
import type { FilesInfo } from './model';

export type Key = keyof typeof es;
export type Translate = (key: Key, values?: Values) => string;

export const {
  translate,
  load: loadTexts,
  spoken,
} = textsOf<Key>(es, {
  ca: () => import('../../../locales/ca/upload.json'),
  eu: () => import('../../../locales/eu/upload.json'),
  gl: () => import('../../../locales/gl/upload.json'),
  en: () => import('../../../locales/en/upload.json'),
  fr: () => import('../../../locales/fr/upload.json'),
  pt: () => import('../../../locales/pt/upload.json'),
  de: () => import('../../../locales/de/upload.json'),
  it: () => import('../../../locales/it/upload.json'),
  ro: () => import('../../../locales/ro/upload.json'),
  ar: () => import('../../../locales/ar/upload.json'),
});

/** Keys that end in `_one` and `_other`. */
type Counted = Key extends infer K ? (K extends `${infer Stem}_other` ? Stem : never) : never;

export function counted(t: Translate, stem: Counted, n: number, values: Values = {}): string {
  return t(`${stem}_${n === 1 ? 'one' : 'other'}` as Key, { n, ...values });
}

export interface FilesAround {
  t: Translate;
  language: Language;
  info: FilesInfo | null;
}

export const Files = createContext<FilesAround | null>(null);

export function useFiles(): FilesAround {
  const around = useContext(Files);
  if (!around) throw new Error('a screen is shown outside <Files>');
  return around;
}

const mebibytes = (bytes = 0) => Math.floor(bytes / (1024 * 1024));

/** Why a file cannot be used, in everyday words; a code without its own words gets the general ones. */
export function reasonOf({ t, info }: Pick<FilesAround, 't' | 'info'>, code: string): string {
  const key = `code_${code}`;
  const limits = { small: mebibytes(info?.maxPictureBytes), large: mebibytes(info?.maxBytes) };
  const values = { company: info?.company, ...limits };
  return t((key in es ? key : 'code_OTHER') as Key, values);
}
