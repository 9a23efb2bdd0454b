import { expect, it } from 'vitest';
import { keptDays, readPerson } from './model';

it.each([
  ['600 123 123', '600123123'],
  ['+34 600-123-123', '+34600123123'],
  ['(0034) 600123123', '0034600123123'],
  [' ana@correo.example ', 'ana@correo.example'],
  ['123456', null],
  ['12345678901234567890', null],
  ['a@b.c', null],
  ['Ana Ortega', null],
  ['600123123; DROP', null],
  ['', null],
])('%j is the person %j', (typed, person) => {
  expect(readPerson(typed)).toBe(person);
});

it.each([
  [null, 31],
  [undefined, 31],
  [10, 31],
  [60, 60],
])('files of a company with %s days stay %i', (company, days) => {
  expect(keptDays(31, company)).toBe(days);
});
