// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { linkOf, splitLinks } from './model';

it('links of a message', () => {
  const text = 'Pulse: https://a.es/c/x1 y listo';
  expect(linkOf(text)).toBe('https://a.es/c/x1');
  expect(splitLinks(text).map((part) => part.link)).toEqual([false, true, false]);
  expect(linkOf('sin enlace')).toBeNull();
});
