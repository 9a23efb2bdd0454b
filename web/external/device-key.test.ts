import { expect, it, vi } from 'vitest';
import { forgetKey, keepKey, makeKey, sha256, signedText, signStill } from './device-key';

const still = { captureId: 'c-1', method: 'takePhoto', capturedAt: '2026-11-21T11:46:00.000Z' };
const blob = new Blob(['a picture']);
const bytes = (base64: string) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

async function kept(hash: string, conference = 'conf') {
  const key = await makeKey();
  if (!key) throw new Error('a key');
  await keepKey(hash, { ...key, conference });
  return key;
}

// EVID-60
it('makes a key whose private half nobody can read', async () => {
  const key = await kept('h0');
  expect(key.privateKey.extractable).toBe(false);
  await expect(crypto.subtle.exportKey('pkcs8', key.privateKey)).rejects.toThrow();
  expect(key.name).toBe(await sha256(bytes(key.publicKey).buffer));
  expect(bytes(key.publicKey).length).toBe(91);
});

// EVID-60
it('signs the bytes of one picture for one conference', async () => {
  const key = await kept('h1');
  const { deviceKey, deviceSignature } = await signStill('h1', still, blob);
  expect(deviceKey).toBe(key.name);
  const open = await crypto.subtle.importKey(
    'spki',
    bytes(key.publicKey),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['verify'],
  );
  const fits = (text: string) =>
    crypto.subtle.verify(
      { name: 'ECDSA', hash: 'SHA-256' },
      open,
      bytes(deviceSignature ?? ''),
      new TextEncoder().encode(text),
    );
  const digest = await sha256(await blob.arrayBuffer());
  const text = signedText('conf', still, digest, key.name);
  expect(text).toBe(`VASTILL1\nconf\nc-1\ntakePhoto\n2026-11-21T11:46:00.000Z\n${digest}\n${key.name}\n`);
  expect(await fits(text)).toBe(true);
  expect(await fits(signedText('other', still, digest, key.name))).toBe(false);
});

// EVID-60
it('sends unsigned what it cannot sign', async () => {
  expect(await signStill('nobody', still, blob)).toEqual({});
  await kept('h2');
  await forgetKey('h2');
  expect(await signStill('h2', still, blob)).toEqual({});
  vi.spyOn(crypto.subtle, 'generateKey').mockRejectedValueOnce(new Error('NotSupported'));
  expect(await makeKey()).toBeNull();
});
