/** A queue entry for tests: one photo of 1,000 bytes that waits. */
import type { Entry } from './queue';

export const entry = (key: string, change: Partial<Entry> = {}): Entry => ({
  key,
  itemId: 'i1',
  name: `${key}.jpg`,
  type: 'image/jpeg',
  size: 1000,
  capturedAt: '2026-11-21T18:00:00.000Z',
  width: 0,
  height: 0,
  kept: false,
  state: 'waiting',
  sent: 0,
  url: null,
  code: null,
  mediaId: null,
  tries: 0,
  retryAt: 0,
  storedAt: 0,
  ...change,
});
