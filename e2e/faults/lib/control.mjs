/** The page that the shim shares with us: how many calls there were, and which of them fails how. See shim.c. */
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('shim.c', import.meta.url));
const WORDS = { count: 0, at: 1, until: 2, mode: 3, error: 4, wait: 5, hits: 6, kinds: 7 };

export const MODE = { killBefore: 1, tear: 2, killAfter: 3, fail: 4, slow: 5 };
export const KIND = { writes: 1, syncs: 2, names: 4, all: 7 };
export const ERRNO = { EIO: 5, ENOSPC: 28, EMFILE: 24 };

/** Compiles the shim into the folder, unless it is there and newer than its source. */
export function buildShim(folder) {
  mkdirSync(folder, { recursive: true });
  const made = join(folder, 'shim.so');
  if (!existsSync(made) || statSync(made).mtimeMs < statSync(SOURCE).mtimeMs) {
    execFileSync('cc', ['-O2', '-Wall', '-shared', '-fPIC', '-o', made, SOURCE, '-ldl'], { stdio: 'inherit' });
  }
  return made;
}

export class Control {
  #file;

  constructor(path) {
    this.path = path;
    this.#file = openSync(path, 'w+');
    writeSync(this.#file, Buffer.alloc(4096), 0, 4096, 0);
    this.#set('kinds', KIND.all);
  }

  #set(name, value) {
    const word = Buffer.alloc(8);
    word.writeBigUInt64LE(BigInt(value));
    writeSync(this.#file, word, 0, 8, WORDS[name] * 8);
  }

  #get(name) {
    const word = Buffer.alloc(8);
    readSync(this.#file, word, 0, 8, WORDS[name] * 8);
    return Number(word.readBigUInt64LE());
  }

  get count() {
    return this.#get('count');
  }

  get hits() {
    return this.#get('hits');
  }

  /** Begins to count anew, for a new process. */
  reset() {
    for (const name of ['at', 'count', 'hits']) this.#set(name, 0);
    this.#set('kinds', KIND.all);
  }

  /** The nth call from now on does this; `more` further ones too. */
  arm(nth, { mode, error = 0, wait = 0, more = 0, kinds = KIND.all }) {
    this.#set('at', 0);
    this.#set('kinds', kinds);
    for (const [name, value] of Object.entries({ mode, error, wait, hits: 0 })) this.#set(name, value);
    const at = this.count + nth;
    this.#set('until', at + more);
    this.#set('at', at);
  }

  disarm() {
    this.#set('at', 0);
  }

  close() {
    closeSync(this.#file);
  }
}
