// Small choices of a person that outlive a logout, such as the columns of a list. Not in local storage: a logout clears
// that, except for the keys that a logout keeps. Held in memory too, so that a browser without IndexedDB (a private
// window of an old Firefox) remembers them at least until the page is closed.
const DATABASE = 'atalaya';
const STORE = 'preferences';
const memory = new Map<string, unknown>();

function database(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = window.indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

async function inStore<V>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<V>): Promise<V> {
  const opened = await database();
  try {
    return await new Promise((resolve, reject) => {
      const asked = work(opened.transaction(STORE, mode).objectStore(STORE));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  } finally {
    opened.close();
  }
}

/** What was remembered under `key`, already in hand; `undefined` when it has to be read or was never set. */
export const heldPreference = (key: string): unknown => memory.get(key);

/** Reads a remembered choice; `undefined` when there is none. The caller checks its shape: it may be of an older version. */
export async function readPreference(key: string): Promise<unknown> {
  if (memory.has(key) || !window.indexedDB) return memory.get(key);
  const stored: unknown = await inStore('readonly', (store) => store.get(key)).catch(() => undefined);
  if (stored !== undefined && !memory.has(key)) memory.set(key, stored);
  return memory.get(key);
}

/** Remembers a choice under a key that names the person and the thing, such as `{user}.columns.customers`. */
export async function writePreference(key: string, value: unknown): Promise<void> {
  memory.set(key, value);
  if (window.indexedDB) await inStore('readwrite', (store) => store.put(value, key)).catch(() => undefined);
}
