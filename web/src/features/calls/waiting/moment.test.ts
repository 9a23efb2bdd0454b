import { expect, it } from 'vitest';
import { firstMoment, momentProblem } from './moment';

const NOW = Date.parse('2026-11-20T09:00:00Z');

// VISIT-1
it.each([
  [null, 'empty'],
  ['2026-11-20 10:14:59', 'soon'],
  ['2026-11-20 10:15:00', null],
  ['2026-12-04 10:00:00', null],
  ['2026-12-04 10:01:00', 'far'],
])('a moment in Madrid: %s', (wall, problem) => {
  expect(momentProblem(wall, NOW)).toBe(problem);
});

it('begins at the next whole hour that is an hour away', () => {
  expect(firstMoment(NOW)).toBe('2026-11-20 11:00:00');
  expect(firstMoment(NOW + 1)).toBe('2026-11-20 12:00:00');
});
