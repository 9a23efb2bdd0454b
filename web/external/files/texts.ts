/** Texts of the upload page: bundled with it, and only they (the call's page has its own). */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import en from '../../../locales/en/upload.json';
import es from '../../../locales/es/upload.json';
import type { Language } from '../model';
import { fill, type Values } from '../words';
import type { FilesInfo } from './model';

export type Key = keyof typeof es;
export type Translate = (key: Key, values?: Values) => string;

const BUNDLES: Record<Language, Record<Key, string>> = { es, en };

export function translate(language: Language, key: Key, values: Values = {}): string {
  return fill(BUNDLES[language][key] ?? BUNDLES.es[key] ?? key, values);
}

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
