import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** One of the files of `vectors/`, which server and web are both tested on. */
export function vectors<T>(name: string): T {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../vectors', `${name}.json`), 'utf8')) as T;
}
