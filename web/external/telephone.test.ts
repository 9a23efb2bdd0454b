import { describe, expect, it } from 'vitest';
import { dial, grouped } from './telephone';

// CLIENT-27
describe("the company's number", () => {
  it.each([
    ['+34960000000', '+34 960 000 000'],
    ['0034 960000000', '+34 960 000 000'],
    ['+34 971 000 000', '+34 971 000 000'],
    ['+351210000000', '+351 210 000 000'],
    ['+33142000000', '+33 1 42 00 00 00'],
    ['+4930123456', '+4930123456'],
    ['960000000', '960000000'],
  ])('%s is written %s', (stored, written) => {
    expect(grouped(stored)).toBe(written);
  });

  it('is dialled without its spaces', () => {
    expect(dial('+34 960 000 000')).toBe('tel:+34960000000');
  });
});
