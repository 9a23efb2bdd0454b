// The stored user and menu: AES-GCM under a key derived (HKDF) from the token's `sk` claim, so that an entry that was
// tampered with, or that belongs to another session, fails to open.

const encoder = new TextEncoder();

async function keyOf(sk: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(sk), 'HKDF', false, ['deriveKey']);
  const info = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: encoder.encode('atalaya'),
    info: encoder.encode('session-store'),
  };
  return crypto.subtle.deriveKey(info, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

/** Seals `value` under the entry's name, so that two entries cannot be swapped. Answers base64 of nonce and text. */
export async function seal(sk: string, name: string, value: unknown): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const params = { name: 'AES-GCM', iv, additionalData: encoder.encode(name) };
  const sealed = await crypto.subtle.encrypt(params, await keyOf(sk), encoder.encode(JSON.stringify(value)));
  const all = new Uint8Array(12 + sealed.byteLength);
  all.set(iv);
  all.set(new Uint8Array(sealed), 12);
  return btoa(Array.from(all, (byte) => String.fromCharCode(byte)).join(''));
}

/** Opens what `seal` wrote. Throws when it was changed, or sealed under another key or name. */
export async function open<T>(sk: string, name: string, stored: string): Promise<T> {
  const all = Uint8Array.from(atob(stored), (char) => char.charCodeAt(0));
  const params = { name: 'AES-GCM', iv: all.slice(0, 12), additionalData: encoder.encode(name) };
  const text = await crypto.subtle.decrypt(params, await keyOf(sk), all.slice(12));
  return JSON.parse(new TextDecoder().decode(text)) as T;
}
