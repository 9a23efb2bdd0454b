// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { dateAndTime, sizeText } from '@/shared/lib/format';
import { item } from '@/test/conference';
import { sha256Hex } from './hash';
import {
  clockAheadMs,
  filtered,
  galleryOrder,
  groupedHash,
  isSettling,
  keepFresh,
  lengthText,
  MAX_SCALE,
  neighbour,
  pan,
  pinched,
  turnedOnce,
  WHOLE,
  wheelFactor,
  zoomAt,
} from './model';

describe('gallery', () => {
  const video = item('v', { type: 'VIDEO', capturedAt: '2026-11-19T09:00:00Z' });
  const paper = item('d', { type: 'DOCUMENT' });
  const late = item('b', { capturedAt: '2026-11-19T11:00:00Z' });
  const early = item('a', { capturedAt: '2026-11-19T10:00:00Z' });
  const ordered = galleryOrder([paper, late, video, early]);

  it('puts pictures, then videos, then documents, by time', () => {
    expect(ordered.map((one) => one._id)).toEqual(['a', 'b', 'v', 'd']);
    expect(filtered(ordered, 'PICTURE')).toHaveLength(2);
  });

  it('goes round the ends', () => {
    expect(neighbour(ordered, 'd', 1)?._id).toBe('a');
    expect(neighbour(ordered, 'a', -1)?._id).toBe('d');
    expect(neighbour([early], 'a', 1)).toBeNull();
  });
});

describe('arrivals', () => {
  it('watches for a while after the end, and keeps the marks of new files', () => {
    const closedAt = '2026-11-19T11:00:00Z';
    const end = Date.parse(closedAt);
    expect(isSettling({ closed: true, closedAt }, end + 10_000)).toBe(true);
    expect(isSettling({ closed: true, closedAt }, end + 60_000)).toBe(false);
    expect(isSettling({ closed: false, closedAt: null }, end)).toBe(false);
    const seen = new Set<string>();
    keepFresh([item('a', { isNewMedia: true })], seen);
    expect(keepFresh([item('a'), item('b')], seen).map((one) => one.isNewMedia)).toEqual([true, false]);
  });
});

describe('facts', () => {
  it('tells a phone clock that runs ahead, never a slow upload', () => {
    const createdAt = '2026-11-19T10:00:00Z';
    expect(clockAheadMs({ deviceAt: '2026-11-19T10:02:10Z', createdAt })).toBe(130_000);
    expect(clockAheadMs({ deviceAt: '2026-11-19T10:00:04Z', createdAt })).toBeNull();
    expect(clockAheadMs({ deviceAt: '2026-11-19T09:00:00Z', createdAt })).toBeNull();
    expect(clockAheadMs({ deviceAt: null, createdAt })).toBeNull();
  });

  it('writes hash, length and size', () => {
    expect(groupedHash('0123456789abcdef')).toBe('01234567 89abcdef');
    expect(lengthText(320_000)).toBe('5:20');
    expect([812_000, 5_800_000, 64_200_000].map((one) => sizeText(one, 'es'))).toEqual(['812 KB', '5,8 MB', '64 MB']);
  });

  it('writes the time of Madrid, summer and winter', () => {
    expect(dateAndTime('2026-11-19T10:48:32Z', 'es')).toBe('19 de noviembre de 2026, 11:48:32');
    expect(dateAndTime('2026-07-31T22:00:05Z', 'es')).toBe('1 de agosto de 2026, 0:00:05');
    expect(dateAndTime(null, 'es')).toBe('–');
  });

  it('computes SHA-256 as the server does', async () => {
    const bytes = new TextEncoder().encode('abc');
    expect(await sha256Hex(bytes.buffer as ArrayBuffer)).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});

describe('zoom', () => {
  it('keeps the pointed place under the pointer', () => {
    const once = zoomAt(WHOLE, 2, 100, 50);
    expect(once).toEqual({ scale: 2, x: -100, y: -50 });
    expect(zoomAt(once, 0.1)).toEqual(WHOLE);
    expect(zoomAt(WHOLE, 1_000).scale).toBe(MAX_SCALE);
  });

  it('never loses the picture out of the frame', () => {
    expect(pan({ scale: 2, x: 0, y: 0 }, 9_999, -9_999, 400, 300)).toEqual({ scale: 2, x: 200, y: -150 });
  });

  it('pinches about the middle of two fingers, and lets go whole', () => {
    const from = { x: 10, y: 0, distance: 100 };
    expect(pinched(WHOLE, from, { ...from, distance: 200 }, 400, 300)).toEqual({ scale: 2, x: -10, y: 0 });
    expect(pinched({ scale: 2, x: 50, y: 0 }, from, { ...from, distance: 40 }, 400, 300)).toEqual(WHOLE);
    expect(pinched({ scale: 2, x: 0, y: 0 }, from, { ...from, x: 30 }, 400, 300)).toEqual({ scale: 2, x: 20, y: 0 });
  });

  it('turns by quarters and zooms by the wheel, never by more than a notch', () => {
    expect([0, 90, 180, 270].map((turn) => turnedOnce(turn as 0))).toEqual([90, 180, 270, 0]);
    expect(wheelFactor(-100)).toBeCloseTo(1.197, 3);
    expect(wheelFactor(5_000)).toBe(wheelFactor(100));
  });
});
