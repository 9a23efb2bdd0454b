import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { Sha256 } from './sha256';

const bytes = (n: number) => Uint8Array.from({ length: n }, (_, i) => (i * 7 + 3) % 251);

// FIPS 180-4 examples.
it.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
])('"%s"', (text, digest) => {
  expect(new Sha256().update(new TextEncoder().encode(text)).hex()).toBe(digest);
});

it.each([1, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1_000, 100_003])('%i bytes, however they are cut', (length) => {
  const whole = bytes(length);
  const wanted = createHash('sha256').update(whole).digest('hex');
  expect(new Sha256().update(whole).hex()).toBe(wanted);
  for (const step of [1, 3, 64, 1_021]) {
    const digest = new Sha256();
    for (let at = 0; at < length; at += step) digest.update(whole.subarray(at, at + step));
    expect(digest.hex()).toBe(wanted);
  }
});
