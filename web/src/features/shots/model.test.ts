import { expect, it } from 'vitest';
import { placeAt } from './components/use-reorder';
import { cleaned, type DraftShot, labelErrors, moved, sameShots } from './model';

const shot = (label: string, changes: Partial<DraftShot> = {}): DraftShot => ({
  label,
  hint: null,
  overlay: null,
  ...changes,
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
