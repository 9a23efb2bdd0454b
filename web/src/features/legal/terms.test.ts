// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { folded, forgetPutOff, isNothing, isPutOff, putOff } from './terms';
import { diff, pending } from './testing';

it('folds away what did not change, but keeps the neighbours of a change', () => {
  const pieces = folded(diff).map((piece) => ('skipped' in piece ? piece.skipped.length : piece.block.text));
  expect(pieces).toEqual([2, 'Segundo.', 'Los archivos se conservan 60 días.', 'Un párrafo nuevo.']);
});

it('does not fold a single block, which is as short as its line', () => {
  expect(folded(diff.slice(1)).every((piece) => 'block' in piece)).toBe(true);
});

it('remembers what was put off: this person, these texts, until the session ends', () => {
  putOff('u1', pending);
  expect(isPutOff('u1', pending)).toBe(true);
  expect(isPutOff('u2', pending)).toBe(false);
  expect(isPutOff('u1', { ...pending, price: null })).toBe(false);
  forgetPutOff();
  expect(isPutOff('u1', pending)).toBe(false);
});

it('knows when nothing waits', () => {
  expect(isNothing({ pending: [], price: null })).toBe(true);
  expect(isNothing(pending)).toBe(false);
  expect(isNothing({ ...pending, pending: [] })).toBe(false);
});
