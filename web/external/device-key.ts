/**
 * The key that this phone makes for its pictures when the notice is accepted, and what it signs with it (EVID-60). The private
 * half cannot be read out, not even by this page; a browser without such keys sends its pictures unsigned.
 */

export interface DeviceKey {
  /** SHA-256 of the DER of the public half, in hex. */
  name: string;
  /** Base64 of that DER. */
  publicKey: string;
  privateKey: CryptoKey;
}

interface Kept extends Omit<DeviceKey, 'publicKey'> {
  conference: string;
}

export interface Signed {
  deviceKey?: string;
  /** Base64 of the two numbers. */
  deviceSignature?: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const TABLE = 'keys';
/** Safari's database sometimes never answers; a picture does not wait for it. */
const PATIENCE_MS = 2000;

const base64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)));

export async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function makeKey(): Promise<DeviceKey | null> {
  try {
    const { publicKey, privateKey } = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
    const der = await crypto.subtle.exportKey('spki', publicKey);
    return { name: await sha256(der), publicKey: base64(der), privateKey };
  } catch {
    return null;
  }
}

/** By link. First here: some private windows keep no keys, and another tab may accept with a key of its own. */
const known = new Map<string, Kept>();

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function table(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const request = indexedDB.open('atalaya-device', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
  return (await done(request)).transaction(TABLE, mode).objectStore(TABLE);
}

/** Keeps the key for this link, so that a reload finds it. */
export async function keepKey(hash: string, { name, privateKey, conference }: Kept): Promise<void> {
  const kept = { name, privateKey, conference };
  known.set(hash, kept);
  await table('readwrite')
    .then((rows) => done(rows.put(kept, hash)))
    .catch(() => undefined);
}

export async function forgetKey(hash: string): Promise<void> {
  known.delete(hash);
  await table('readwrite')
    .then((rows) => done(rows.delete(hash)))
    .catch(() => undefined);
}

async function keyOf(hash: string): Promise<Kept | undefined> {
  const here = known.get(hash);
  if (here) return here;
  const stored = table('readonly').then((rows) => done<Kept | undefined>(rows.get(hash)));
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS, undefined));
  const found = await Promise.race([stored, late]);
  if (found) known.set(hash, found);
  return found;
}

/** What a signature covers: a line for each value, the key's name last. */
export const signedText = (conference: string, still: Still, digest: string, name: string) =>
  ['VASTILL1', conference, still.captureId, still.method, still.capturedAt, digest, name]
    .map((value) => `${value}\n`)
    .join('');

export interface Still {
  captureId: string;
  method: string;
  capturedAt: string;
}

/** Signs the bytes of a picture as they will leave this phone; nothing where that cannot be done. */
export async function signStill(hash: string, still: Still, blob: Blob): Promise<Signed> {
  try {
    const key = await keyOf(hash);
    if (!key) return {};
    const text = signedText(key.conference, still, await sha256(await blob.arrayBuffer()), key.name);
    const signature = await crypto.subtle.sign(ALGORITHM, key.privateKey, new TextEncoder().encode(text));
    return { deviceKey: key.name, deviceSignature: base64(signature) };
  } catch {
    return {};
  }
}
