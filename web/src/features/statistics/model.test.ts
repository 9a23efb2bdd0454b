import { expect, it } from 'vitest';
import { type Counts, goneOn, largestLoss, percent, spanOf, weekText } from './model';

const counts: Counts = { invited: 200, opened: 150, accepted: 120, connected: 119, usable: 60 };

it.each([
  [0, 0, null],
  [0, 7, 0],
  [1, 3, 33],
  [2, 3, 67],
  [23, 40, 58],
  [7, 7, 100],
  [999, 1_000, 99],
])('%i of %i are %s %%', (part, whole, share) => {
  expect(percent(part, whole)).toBe(share);
});

it('compares each step with the one before', () => {
  expect(goneOn(counts, 'invited')).toBeNull();
  expect(goneOn(counts, 'opened')).toBe(75);
  expect(goneOn(counts, 'usable')).toBe(50);
});

it('names the step where the most went missing', () => {
  expect(largestLoss(counts)).toBe('usable');
  expect(largestLoss({ ...counts, usable: 119 })).toBe('opened');
  expect(largestLoss({ invited: 3, opened: 3, accepted: 3, connected: 3, usable: 3 })).toBeNull();
});

it.each([
  [undefined, '12'],
  ['4', '4'],
  ['26', '26'],
  ['5', '12'],
])('%s weeks asked for are %s', (text, span) => {
  expect(spanOf(text)).toBe(span);
});

it('writes a week as its first and last day, over a month or a year', () => {
  expect(weekText('2026-11-16', 'es')).toMatch(/^16\s?[–-]\s?22 nov$/);
  expect(weekText('2026-10-26', 'es')).toMatch(/^26 oct\s?[–-]\s?1 nov$/);
  expect(weekText('2026-12-28', 'es')).toContain('3 ene');
});
