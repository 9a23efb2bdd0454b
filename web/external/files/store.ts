/**
 * The files chosen and not yet accepted, in IndexedDB; in memory where the browser forbids it (some private windows).
 * The bytes are stored in parts, so that a video of 200 MB never has to be in memory at once. Safari can lose a stored
 * Blob, so the parts are plain bytes, made a Blob again when read.
 */
import type { Entry } from './queue';

/** What belongs to one file besides its queue entry. */
export interface Kept {
  entry: Entry;
  token: string;
  /** A small JPEG of a picture that the server cannot decode (HEIC); sent after the file is accepted. */
  preview: Blob | null;
}

export interface Store {
  all(token: string): Promise<Kept[]>;
  blob(key: string): Promise<Blob | null>;
  /** True when it will outlive this page. */
  put(kept: Kept, blob: Blob): Promise<boolean>;
  /** Only the entry: the bytes stay. Nothing when it was never put. */
  update(entry: Entry): Promise<void>;
  remove(key: string): Promise<void>;
}

export function memoryStore(): Store {
  const files = new Map<string, { kept: Kept; blob: Blob }>();
  return {
    all: async (token) => [...files.values()].map(({ kept }) => kept).filter((kept) => kept.token === token),
    blob: async (key) => files.get(key)?.blob ?? null,
    put: async (kept, blob) => {
      files.set(kept.entry.key, { kept, blob });
      return false;
    },
    update: async (entry) => {
      const known = files.get(entry.key);
      if (known) files.set(entry.key, { ...known, kept: { ...known.kept, entry } });
    },
    remove: async (key) => void files.delete(key),
  };
}

const NAME = 'atalaya-files';
const FILES = 'files';
const PARTS = 'parts';
const PART_BYTES = 4 * 1024 * 1024;

interface FileRow {
  key: string;
  token: string;
  entry: Entry;
  parts: number;
  preview: ArrayBuffer | null;
}
interface PartRow {
  key: string;
  n: number;
  bytes: ArrayBuffer;
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(FILES, { keyPath: 'key' }).createIndex('token', 'token');
    request.result.createObjectStore(PARTS, { keyPath: ['key', 'n'] });
  };
  return done(request);
}

class Database {
  constructor(private readonly database: Promise<IDBDatabase>) {}

  async table(name: string, mode: IDBTransactionMode): Promise<IDBObjectStore> {
    return (await this.database).transaction(name, mode).objectStore(name);
  }

  async put({ entry, token, preview }: Kept, blob: Blob): Promise<void> {
    const parts = Math.ceil(blob.size / PART_BYTES);
    for (let n = 0; n < parts; n++) {
      const bytes = await blob.slice(n * PART_BYTES, (n + 1) * PART_BYTES).arrayBuffer();
      const part: PartRow = { key: entry.key, n, bytes };
      await done((await this.table(PARTS, 'readwrite')).put(part));
    }
    // The file's own row is written last, so that half a file is never resumed.
    const small = preview ? await preview.arrayBuffer() : null;
    const row: FileRow = { key: entry.key, token, entry, parts, preview: small };
    await done((await this.table(FILES, 'readwrite')).put(row));
  }

  async blob(key: string): Promise<Blob | null> {
    const row: FileRow | undefined = await done((await this.table(FILES, 'readonly')).get(key));
    if (!row) return null;
    const parts: Blob[] = [];
    for (let n = 0; n < row.parts; n++) {
      const part: PartRow | undefined = await done((await this.table(PARTS, 'readonly')).get([key, n]));
      if (!part) return null;
      parts.push(new Blob([part.bytes]));
    }
    return new Blob(parts, { type: row.entry.type });
  }

  async remove(key: string): Promise<void> {
    await done((await this.table(FILES, 'readwrite')).delete(key));
    await done((await this.table(PARTS, 'readwrite')).delete(IDBKeyRange.bound([key, 0], [key, Number.MAX_VALUE])));
  }

  async all(token: string): Promise<FileRow[]> {
    const rows: FileRow[] = await done((await this.table(FILES, 'readonly')).index('token').getAll(token));
    return rows.sort((a, b) => a.entry.storedAt - b.entry.storedAt);
  }

  async update(entry: Entry): Promise<void> {
    const table = await this.table(FILES, 'readwrite');
    const row: FileRow | undefined = await done(table.get(entry.key));
    if (row) await done(table.put({ ...row, entry }));
  }
}

export function openStore(): Store {
  const memory = memoryStore();
  const opened = typeof indexedDB === 'undefined' ? Promise.reject(new Error('NO_STORE')) : open();
  opened.catch(() => undefined);
  const database = new Database(opened);
  const orNothing = <T>(work: Promise<T>, nothing: T) => work.catch(() => nothing);
  return {
    async all(token) {
      const rows = await orNothing(database.all(token), []);
      const stored = rows.map(({ entry, preview }) => ({
        entry,
        token,
        preview: preview && new Blob([preview], { type: 'image/jpeg' }),
      }));
      return [...stored, ...(await memory.all(token))];
    },
    async blob(key) {
      return (await memory.blob(key)) ?? (await orNothing(database.blob(key), null));
    },
    async put(kept, blob) {
      try {
        await database.put({ ...kept, entry: { ...kept.entry, kept: true } }, blob);
        return true;
      } catch {
        await orNothing(database.remove(kept.entry.key), undefined);
        return memory.put(kept, blob);
      }
    },
    async update(entry) {
      await memory.update(entry);
      await orNothing(database.update(entry), undefined);
    },
    async remove(key) {
      await memory.remove(key);
      await orNothing(database.remove(key), undefined);
    },
  };
}
