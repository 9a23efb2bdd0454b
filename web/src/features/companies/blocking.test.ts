import { expect, it } from 'vitest';
import { blockOf, callsUntil } from './model';

it.each([
  [0, null],
  [1, 'all'],
  [2, null],
  [3, null],
  [4, 'all'],
  [5, 'calls'],
])('status %i blocks %s', (status, block) => {
  expect(blockOf(status)).toBe(block);
});

it('lets a complete company on trial call until its payment starts', () => {
  const now = Date.parse('2026-11-03T09:00:00Z');
  const start = '2026-11-30T23:00:00Z';
  expect(callsUntil({ pay_startAt: start, missing: ['payStart'] }, now)).toBe(start);
  expect(callsUntil({ pay_startAt: start, missing: ['iban', 'payStart'] }, now)).toBeNull();
  expect(callsUntil({ pay_startAt: '2026-10-01T00:00:00Z', missing: [] }, now)).toBeNull();
  expect(callsUntil({ pay_startAt: null, missing: [] }, now)).toBeNull();
});
