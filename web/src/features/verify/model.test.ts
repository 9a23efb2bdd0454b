import { expect, it } from 'vitest';
import { matches, readCode, readKeys, twoLines, type VerifiedMedia } from './model';

it.each([
  ['0123456789ABCDEFGHJK', '01234-56789-ABCDE-FGHJK'],
  ['01234-56789-ABCDE-FGHJK', '01234-56789-ABCDE-FGHJK'],
  [' 01234 56789 abcde fghjk ', '01234-56789-ABCDE-FGHJK'],
  ['o1234-56789-abcde-fghjk', '01234-56789-ABCDE-FGHJK'],
  ['0i234-56789-abcde-fghjL', '01234-56789-ABCDE-FGHJ1'],
  ['https://x.example/verificar/01234-56789-ABCDE-FGHJK', '01234-56789-ABCDE-FGHJK'],
  ['01234-56789-ABCDE-FGHJ', null],
  ['01234-56789-ABCDE-FGHJKM', null],
  ['01234-56789-ABCDE-FGHJU', null],
  ['01234-56789-ABCDE-FGHJÑ', null],
  ['', null],
])('%j is the code %j', (typed, code) => {
  expect(readCode(typed)).toBe(code);
});

it('finds every certified file with a digest, whatever its case', () => {
  const item = (n: number, sha256: string): VerifiedMedia => ({
    n,
    type: 'PICTURE',
    sha256,
    capturedAt: '2026-11-19T10:48:00Z',
  });
  const media = [item(1, 'ab'.repeat(32)), item(2, 'cd'.repeat(32)), item(3, 'AB'.repeat(32))];
  expect(matches(media, 'ab'.repeat(32)).map((found) => found.n)).toEqual([1, 3]);
  expect(matches(media, 'ef'.repeat(32))).toEqual([]);
});

it('prints a digest in two lines of 32', () => {
  expect(twoLines('a'.repeat(32) + 'b'.repeat(32))).toEqual(['a'.repeat(32), 'b'.repeat(32)]);
});

it('reads the facts of each public key', () => {
  const key = (facts: string) => `${facts}\n-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n`;
  const pem = `${key('Key: bb\nSince: 2026-11-20T09:00:00.000Z\nFollows: aa')}\n${key('Key: aa\nSince: 2025-01-01T00:00:00.000Z\nUntil: 2026-11-20T09:00:00.000Z\nStolen: 2026-11-19')}`;
  expect(readKeys(pem)).toEqual([
    { fingerprint: 'bb', since: '2026-11-20T09:00:00.000Z', until: null, stolenOn: null },
    {
      fingerprint: 'aa',
      since: '2025-01-01T00:00:00.000Z',
      until: '2026-11-20T09:00:00.000Z',
      stolenOn: '2026-11-19',
    },
  ]);
  expect(readKeys('')).toEqual([]);
});
