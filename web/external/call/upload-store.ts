/** Photos waiting to be sent, in IndexedDB; in memory where the browser forbids it (some private windows). */
import type { Photo } from './uploads';

export interface Store {
  all(): Promise<Photo[]>;
  put(photo: Photo): Promise<void>;
  remove(captureId: string): Promise<void>;
}

const NAME = 'atalaya-uploads';
const TABLE = 'photos';

export function memoryStore(): Store {
  const photos = new Map<string, Photo>();
  return {
    all: async () => [...photos.values()],
    put: async (photo) => void photos.set(photo.captureId, photo),
    remove: async (captureId) => void photos.delete(captureId),
  };
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: 'captureId' });
  return done(request);
}

/** Safari can lose a Blob it stored; the bytes are kept instead and made a Blob again when read. */
interface Row extends Omit<Photo, 'blob'> {
  bytes: ArrayBuffer;
}

export function openStore(): Store {
  const fallback = memoryStore();
  const database = typeof indexedDB === 'undefined' ? Promise.reject(new Error('NO_STORE')) : open();
  database.catch(() => undefined);
  async function table(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    return (await database).transaction(TABLE, mode).objectStore(TABLE);
  }
  return {
    async all() {
      try {
        const rows: Row[] = await done((await table('readonly')).getAll());
        return rows.map(({ bytes, ...photo }) => ({ ...photo, blob: new Blob([bytes], { type: photo.meta.mime }) }));
      } catch {
        return fallback.all();
      }
    },
    async put({ blob, ...photo }) {
      const row: Row = { ...photo, bytes: await blob.arrayBuffer() };
      try {
        await done((await table('readwrite')).put(row));
      } catch {
        await fallback.put({ ...photo, blob });
      }
    },
    async remove(captureId) {
      await fallback.remove(captureId);
      await done((await table('readwrite')).delete(captureId));
    },
  };
}
