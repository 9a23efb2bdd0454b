// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildCallLink, catchCallLink, hasCallLink, landCallLink, readCallLink, takeCallLink } from './call-link';

const empty = { expedient: '', phone: '', contact: '', type: '' };
const at = (href: string) => window.history.replaceState(null, '', href);

beforeEach(() => sessionStorage.clear());
afterEach(() => at('/'));

it('reads what was given, whatever stands before it', () => {
  expect(readCallLink('#expediente=2026%2F1&phone=%2B34600123123&type=autos&x=1')).toEqual({
    ...empty,
    expedient: '2026/1',
    phone: '+34600123123',
    type: 'autos',
  });
  expect(readCallLink('?phone=+34600123123')?.phone).toBe('+34600123123');
  expect(readCallLink(`?contact=${'x'.repeat(5000)}`)?.contact.length).toBe(200);
  expect(readCallLink('?other=1')).toBeNull();
  expect(readCallLink('')).toBeNull();
});

it('builds what it reads', () => {
  const link = { expedient: 'A&B 1', phone: '+34 600 123 123', contact: 'Íñigo Peña', type: '2' };
  const built = buildCallLink('https://x.es', link);
  expect(built).toMatch(/^https:\/\/x\.es\/llamar#expedient=A%26B%201&phone=%2B34/);
  expect(readCallLink(new URL(built).hash)).toEqual(link);
  expect(buildCallLink('https://x.es', empty)).toBe('https://x.es/llamar');
});

it.each(['/llamar?expedient=E1&phone=600123123', '/llamar#expedient=E1&phone=600123123'])(
  'takes the values out of %s and keeps them for the log-in',
  (href) => {
    at(href);
    catchCallLink(window);
    expect(window.location.href).not.toContain('E1');
    expect(hasCallLink()).toBe(true);
    landCallLink();
    expect(hasCallLink()).toBe(false);
    expect(JSON.stringify(sessionStorage)).not.toContain('E1');
    expect(takeCallLink()).toEqual({ ...empty, expedient: 'E1', phone: '600123123' });
    expect(takeCallLink()).toBeNull();
  },
);

it('leaves other addresses alone, and forgets after half an hour', () => {
  at('/users/c1?expedient=E1');
  catchCallLink(window);
  expect(hasCallLink()).toBe(false);
  expect(window.location.search).toBe('?expedient=E1');
  at('/llamar#expedient=E1');
  catchCallLink(window, 0);
  expect(hasCallLink(29 * 60_000)).toBe(true);
  expect(hasCallLink(30 * 60_000)).toBe(false);
  sessionStorage.setItem('callLink', '{"link":{}}');
  expect(hasCallLink()).toBe(false);
});
