import { describe, expect, it } from 'vitest';
import { madridMoment, madridWall } from '@/shared/lib/dates';
import { decorated, emptyForm, type GeneralForm, markup, problemsOf, toNotice } from './general';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const form = (part: Partial<GeneralForm> = {}): GeneralForm => ({ ...emptyForm(NOW), text: 'Aviso', ...part });

it.each([
  ['2026-11-24 09:00:00', '2026-11-24T08:00:00.000Z'],
  ['2026-07-01 00:30:00', '2026-06-30T22:30:00.000Z'],
  // Twice in the night the clocks go back, never in the one they go forward.
  ['2026-10-25 02:30:00', '2026-10-25T00:30:00.000Z'],
  ['2026-03-29 02:30:00', '2026-03-29T01:30:00.000Z'],
  ['', null],
  [null, null],
  ['mañana', null],
])('a clock in Madrid showing %s is %s', (wall, iso) => {
  expect(madridMoment(wall)).toBe(iso);
});

it('starts with thirty days in force', () => {
  expect(emptyForm(NOW).expiresAt).toBe('2026-12-21 23:59:00');
  expect(madridWall(NOW)).toBe('2026-11-21 11:00:00');
});

describe('problems', () => {
  it.each<[string, Partial<GeneralForm>, object]>([
    ['nothing', {}, {}],
    ['no text', { text: '  ' }, { text: 'required' }],
    ['250 characters', { text: 'ñ'.repeat(250) }, {}],
    ['251 characters', { text: 'ñ'.repeat(251) }, { text: 'long' }],
    ['a page of ours', { url: '/statistics' }, {}],
    ['another site', { url: 'https://example.es/a?b=c' }, {}],
    ['a host without a dot', { url: 'https://localhost' }, { url: 'url' }],
    ['a name alone', { url: 'example.es' }, { url: 'url' }],
    ['a script', { url: 'javascript:alert(1.5)' }, { url: 'url' }],
    ['two slashes', { url: '//example.es' }, { url: 'url' }],
    ['no end', { expiresAt: null }, { expiresAt: 'required' }],
    ['an end that is past', { expiresAt: '2026-11-21 11:00:00' }, { expiresAt: 'past' }],
    [
      'an end before the start',
      { startAt: '2026-11-25 09:00:00', expiresAt: '2026-11-25 09:00:00' },
      { expiresAt: 'before' },
    ],
    ['the longest', { expiresAt: '2027-11-22 11:00:00' }, {}],
    ['a minute longer', { expiresAt: '2027-11-22 11:01:00' }, { expiresAt: 'far' }],
    ['too much content', { body: 'x'.repeat(20_001) }, { body: 'long' }],
    ['everything', { text: '', url: 'x', expiresAt: null }, { text: 'required', url: 'url', expiresAt: 'required' }],
  ])('%s', (_name, part, wrong) => {
    expect(problemsOf(form(part), NOW)).toEqual(wrong);
  });
});

it.each([
  ['', ''],
  ['Hola\nqué tal\n\nAdiós', '<p>Hola<br>qué tal</p>\n<p>Adiós</p>'],
  ['a < b & c', '<p>a &lt; b &amp; c</p>'],
  ['<p>Ya es <b>html</b></p>', '<p>Ya es <b>html</b></p>'],
])('%j becomes %j', (typed, html) => {
  expect(markup(typed)).toBe(html);
});

it('sends every field, empty ones as null', () => {
  expect(toNotice(form({ text: ' Aviso ', startAt: '2026-11-24 09:00:00', roleGroup: '3' }))).toEqual({
    text: 'Aviso',
    url: null,
    startAt: '2026-11-24T08:00:00.000Z',
    expiresAt: '2026-12-21T22:59:00.000Z',
    roleGroup: 3,
    body: null,
  });
});

it('puts markup around what is selected', () => {
  expect(decorated('Hola mundo', 5, 10, 'bold')).toEqual({ body: 'Hola <b>mundo</b>', from: 8, to: 13 });
  expect(decorated('a\nb', 0, 3, 'bullets').body).toBe('<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>');
  expect(decorated('', 0, 0, 'link')).toEqual({ body: '<a href="https://"></a>', from: 19, to: 19 });
});
