import { expect, it } from 'vitest';
import { firstMoment, localValue, momentProblem } from './moment';

const NOW = new Date('2026-11-20T09:00:00').getTime();

// VISIT-1
it.each([
  ['', 'e_soon'],
  ['2026-11-20T09:14', 'e_soon'],
  ['2026-11-20T09:15', null],
  ['2026-12-04T09:00', null],
  ['2026-12-04T09:01', 'e_far'],
])('%s', (value, problem) => {
  expect(momentProblem(value, NOW)).toBe(problem);
});

it('begins with a whole hour', () => {
  expect(localValue(firstMoment(NOW))).toBe('2026-11-20T10:00');
  expect(localValue(firstMoment(NOW + 1))).toBe('2026-11-20T11:00');
});
