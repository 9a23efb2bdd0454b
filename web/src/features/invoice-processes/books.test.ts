import { expect, it } from 'vitest';
import { periodsOf } from './books';

// BOOKS-1
it('offers quarters, months and years, the newest first', () => {
  const of = (...periods: string[]) => periodsOf(periods.map((period) => ({ period })));
  expect(of('2026-10', '2026-09', '2025-12')).toEqual([
    '2026-4T',
    '2026-3T',
    '2025-4T',
    '2026-10',
    '2026-09',
    '2025-12',
    '2026',
    '2025',
  ]);
  expect(of('2026-01', '2026-03')).toEqual(['2026-1T', '2026-03', '2026-01', '2026']);
  expect(of()).toEqual([]);
});
