import { expect, it } from 'vitest';
import { amount, count, euros, percentText } from './money';

/** Spaces of every kind as one. */
const plain = (text: string) => text.replace(/\s/g, ' ');

it.each([
  [3962.21, 'es', '3.962,21 €'],
  [-60, 'es', '−60,00 €'],
  [0, 'en', '€0.00'],
  [1234567.8, 'en', '€1,234,567.80'],
  [null, 'es', '–'],
])('%s in %s is %s', (value, language, text) => {
  expect(plain(euros(value, language))).toBe(text);
});

it('writes amounts without unit, counts and percentages', () => {
  expect(amount(3274.55, 'es')).toBe('3.274,55');
  expect(amount(undefined, 'es')).toBe('–');
  expect(count(1000, 'es')).toBe('1.000');
  expect(plain(percentText(7.5, 'es'))).toBe('7,5 %');
  expect(percentText(21, 'en')).toBe('21%');
});
