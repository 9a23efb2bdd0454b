import { send } from '@/api/client';

/** Files above this are not read into memory to be checked. Bytes. */
export const MAX_CHECKED = 300 * 1024 * 1024;

/** Web Crypto exists only on https and localhost. */
export const canCheckHash = (): boolean => typeof window.crypto?.subtle?.digest === 'function';

/** Lower-case hex SHA-256. */
export async function sha256Hex(bytes: ArrayBuffer): Promise<string> {
  const digest = await window.crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Reads the file as the server delivers it and compares it with the recorded hash. Throws `ApiError`. */
export async function matchesHash(url: string, hash: string): Promise<boolean> {
  const response = await send('GET', url);
  return (await sha256Hex(await response.arrayBuffer())) === hash.toLowerCase();
}
