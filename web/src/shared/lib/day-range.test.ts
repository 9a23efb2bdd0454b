import { expect, it } from 'vitest';
import { daysBefore, isDay, presetDays, rangeText, readDay, typedRange, writtenDay } from './day-range';

it('counts days over months, years and the change of the clock', () => {
  expect(daysBefore('2026-03-30', 1)).toBe('2026-03-29');
  expect(daysBefore('2027-01-03', 7)).toBe('2026-12-27');
  expect(daysBefore('2028-02-28', -1)).toBe('2028-02-29');
});

it('offers today, a week, thirty days and this month', () => {
  expect(presetDays('2026-11-21')).toEqual({
    today: { from: '2026-11-21', to: '2026-11-21' },
    week: { from: '2026-11-14', to: '2026-11-21' },
    month: { from: '2026-10-22', to: '2026-11-21' },
    thisMonth: { from: '2026-11-01', to: '2026-11-21' },
  });
});

it('says a range without saying anything twice', () => {
  expect(rangeText({ from: '2026-11-12', to: '2026-11-19' }, 'es')).toMatch(/^12\s?[–-]\s?19 nov 2026$/);
  expect(rangeText({ from: '2026-11-19', to: '2026-11-19' }, 'es')).toBe('19 nov 2026');
});

it('takes what is typed in order, never after the last day that may be chosen', () => {
  expect(typedRange('2026-11-19', '2026-11-12', '2026-11-21')).toEqual({ from: '2026-11-12', to: '2026-11-19' });
  expect(typedRange('2026-11-19', '2026-11-22', '2026-11-21')).toEqual({ from: '2026-11-19', to: '2026-11-21' });
  expect(typedRange('2026-11-19', '', '2026-11-21')).toBeNull();
  expect(['2026-02-29', '2026-13-01', 'hoy', '2026-1-1'].map(isDay)).toEqual([false, false, false, false]);
});

it.each([
  ['es', '2026-11-05', '05/11/2026'],
  ['en', '2026-11-05', '05/11/2026'],
  ['es', 'nunca', ''],
])('in %s, %s is written %j', (language, day, text) => {
  expect(writtenDay(day, language)).toBe(text);
});

it.each([
  ['es', '5/11/2026', '2026-11-05'],
  ['es', ' 05-11-26 ', '2026-11-05'],
  ['es', '2026-11-05', '2026-11-05'],
  ['en', '5/11/2026', '2026-11-05'],
  ['es', '31/02/2026', null],
  ['es', '5/11', null],
  ['es', '5/11/2', null],
  ['es', '', null],
])('in %s, %j is read as %s', (language, text, day) => {
  expect(readDay(text, language)).toBe(day);
});
