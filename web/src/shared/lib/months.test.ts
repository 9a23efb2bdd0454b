import { expect, it } from 'vitest';
import { dayText, isMonth, monthName, monthsAfter, monthsOf, monthsText, monthText, shortMonth } from './months';

it('says months as lists, axes and sentences need them', () => {
  expect([monthText('2026-10', 'es'), monthText('2026-10', 'en')]).toEqual(['Octubre 2026', 'October 2026']);
  expect([shortMonth('2026-09', 'es'), monthName('2026-11', 'es')]).toEqual(['sep', 'noviembre']);
  expect(monthsText({ from: '2025-12', to: '2026-11' }, 'es')).toBe('dic 2025 – nov 2026');
  expect(monthsText({ from: '2026-11', to: '2026-11' }, 'es')).toBe('nov 2026');
});

it('crosses the year in both directions', () => {
  const months = [monthsAfter('2026-11', -11), monthsAfter('2026-11', 2), monthsAfter('2026-01', -1)];
  expect(months).toEqual(['2025-12', '2027-01', '2025-12']);
});

it('takes months of the address only when they make sense', () => {
  expect(monthsOf({}, '2026-11')).toEqual({ from: '2025-12', to: '2026-11' });
  expect(monthsOf({ from: '2026-09', to: '2026-03' }, '2026-11')).toEqual({ from: '2026-03', to: '2026-09' });
  expect(monthsOf({ from: '2026-09', to: '2030-01' }, '2026-11')).toEqual({ from: '2026-09', to: '2026-11' });
  expect(monthsOf({ from: '2026-13', to: '2026-11' }, '2026-11').from).toBe('2025-12');
  expect(['2026-00', '2026-1', 'x', undefined].map(isMonth)).toEqual([false, false, false, false]);
});

it('writes plain days, which no time zone moves', () => {
  const days = [dayText('2026-10-31', 'es'), dayText('2026-10-31', 'en'), dayText(null, 'es')];
  expect(days).toEqual(['31/10/2026', '31/10/2026', '–']);
});
