import { describe, expect, it } from 'vitest';
import type { ConferenceShot } from '@/api/types';
import { placeAt } from './components/use-reorder';
import {
  cleaned,
  type DraftShot,
  doneCount,
  labelErrors,
  missingShots,
  moved,
  nextShot,
  sameShots,
  withTicks,
} from './model';

const shot = (label: string, changes: Partial<DraftShot> = {}): DraftShot => ({
  label,
  hint: null,
  overlay: null,
  ...changes,
});
const ticked = (key: string, state: ConferenceShot['state']): ConferenceShot => ({
  ...shot(key),
  key,
  state,
  mediaId: null,
  at: null,
});

it.each([
  [0, 2, 'bca'],
  [2, 0, 'cab'],
  [1, 1, 'abc'],
  [0, 9, 'bca'],
  [9, 0, 'abc'],
])('from place %i to %i: %s', (from, to, wanted) => {
  expect(moved(['a', 'b', 'c'], from, to).join('')).toBe(wanted);
});

it.each([
  [0, 0],
  [29, 0],
  [31, 1],
  [500, 2],
])('a row dragged to %i lies at place %i', (y, place) => {
  expect(placeAt([10, 50, 90], y)).toBe(place);
});

it('asks for a name of at most 60 characters, of each photo its own', () => {
  const list = [shot('Matrícula'), shot('  '), shot('MATRÍCULA '), shot('x'.repeat(60)), shot('y'.repeat(61))];
  expect(labelErrors(list)).toEqual([null, 'required', 'twice', null, 'tooLong']);
});

it('sends names trimmed, no empty hints, and keys only of known photos', () => {
  expect(cleaned([shot(' a ', { hint: ' ', key: 'k' }), shot('b', { hint: ' c ' })])).toEqual([
    { key: 'k', label: 'a', hint: null, overlay: null },
    { key: null, label: 'b', hint: 'c', overlay: null },
  ]);
  expect(sameShots([shot('a')], [shot('a ', { hint: '' })])).toBe(true);
  expect(sameShots([shot('a'), shot('b')], [shot('b'), shot('a')])).toBe(false);
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
