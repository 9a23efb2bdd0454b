import { describe, expect, it } from 'vitest';
import { longDate, madridDay, shortDate, shortDateTime, startOfMadridDay } from './dates';

describe('dates', () => {
  it.each([
    ['2026-11-05', '2026-11-04T23:00:00.000Z'],
    ['2026-07-01', '2026-06-30T22:00:00.000Z'],
    // The days the clocks change.
    ['2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['2026-02-29', null],
    ['', null],
    ['5/11/2026', null],
  ])('the day %s begins in Madrid at %s', (day, start) => {
    expect(startOfMadridDay(day)).toBe(start);
    if (start) expect(madridDay(start)).toBe(day);
  });

  it('is of the day in Madrid', () => {
    expect(madridDay('2026-11-04T23:30:00Z')).toBe('2026-11-05');
    expect(madridDay(null)).toBe('');
    expect(longDate('2026-11-04T23:30:00Z', 'es')).toBe('5 de noviembre de 2026');
    expect(shortDate('2026-11-04T23:30:00Z', 'es')).toBe('5 nov 2026');
    expect(shortDateTime('2026-11-05T08:07:00Z', 'es')).toBe('5 nov 2026, 9:07');
    expect([shortDate(null, 'es'), shortDateTime(undefined, 'es')]).toEqual(['–', '–']);
  });
});
