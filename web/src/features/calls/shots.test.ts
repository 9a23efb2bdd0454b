import { describe, expect, it } from 'vitest';
import type { ConferenceShot } from '@/api/types';
import { doneCount, missingShots, nextShot, withTicks } from './shots';

const ticked = (key: string, state: ConferenceShot['state']): ConferenceShot => ({
  key,
  label: key,
  hint: null,
  overlay: null,
  state,
  mediaId: null,
  at: null,
});

describe('the next photo of a call', () => {
  const list = [ticked('front', 'done'), ticked('plate', 'poor'), ticked('near', 'missing')];

  it('counts what is done; what has to be repeated is still missing', () => {
    expect(doneCount(list)).toBe(1);
    expect(missingShots(list).map((one) => one.key)).toEqual(['plate', 'near']);
  });

  it.each([
    ['the first that is missing', null, [], 'plate'],
    ['not one whose picture is on its way', null, ['plate'], 'near'],
    ['nothing when all are on their way', null, ['plate', 'near'], undefined],
    ['the chosen one', { key: 'near' }, [], 'near'],
    ['a chosen one that is done, to take it again', { key: 'front' }, [], 'front'],
    ['the first missing after the chosen one was taken', { key: 'near' }, ['near'], 'plate'],
    ['the first missing when the chosen one is gone', { key: 'gone' }, [], 'plate'],
    ['none for a picture outside the list', 'free' as const, [], undefined],
  ])('is %s', (_what, chosen, onTheWay, key) => {
    expect(nextShot(list, chosen, new Set(onTheWay))?.key).toBe(key);
  });
});

it('takes what is told of a list, or says that it is another list', () => {
  const list = [ticked('front', 'missing'), ticked('plate', 'missing')];
  const told = [
    { key: 'front', state: 'done' as const, mediaId: 'm1', at: '2026-11-19T10:48:32Z' },
    { key: 'plate', state: 'missing' as const, mediaId: null, at: null },
  ];
  expect(withTicks(list, told)?.map((one) => `${one.label} ${one.state} ${one.mediaId}`)).toEqual([
    'front done m1',
    'plate missing null',
  ]);
  expect(withTicks(list, told.slice(0, 1))).toBeNull();
  expect(withTicks(list, [...told, { key: 'new', state: 'done', mediaId: null, at: null }])).toBeNull();
});
