import { describe, expect, it } from 'vitest';
import { noticeDate } from '@/shared/lib/dates';
import { type Answer, actionOf, fullText, kindOf, merged, visit, type WireNotice } from './model';

const wire = (part: Partial<WireNotice>): WireNotice => ({
  _id: 'n1',
  readed: false,
  notificationTextId: null,
  text: 'Texto',
  updatedAt: null,
  startAt: null,
  type: 0,
  targetValue: null,
  ...part,
});

describe('merged', () => {
  const answer: Answer = {
    notificationsByUser: {
      generalNotifications: [
        wire({ _id: 'g-old', startAt: '2026-11-01T10:00:00Z' }),
        wire({ _id: 'g-new', startAt: '2026-11-03T10:00:00+01:00' }),
      ],
      personalNotifications: [
        wire({
          _id: 'p-mid',
          notificationTextId: 'files',
          updatedAt: '2026-11-02T10:00:00Z',
          startAt: '2026-11-09T10:00:00Z',
        }),
        wire({ _id: 'p-none', notificationTextId: 'unknown', text: 'Sin fecha' }),
      ],
    },
    getNotificationTextByLanguage: [{ notificationTextId: 'files', text: 'Files have arrived.' }],
  };
  it('puts both lists in one, newest first, updatedAt before startAt', () => {
    expect(merged(answer).map(({ _id, category }) => [_id, category])).toEqual([
      ['g-new', 'general'],
      ['p-mid', 'personal'],
      ['g-old', 'general'],
      ['p-none', 'personal'],
    ]);
  });
  it('takes the text of the language, and the stored one where there is none', () => {
    const texts = Object.fromEntries(merged(answer).map(({ _id, text }) => [_id, text]));
    expect(texts).toEqual({
      'g-old': 'Texto',
      'g-new': 'Texto',
      'p-mid': 'Files have arrived.',
      'p-none': 'Sin fecha',
    });
  });
});

it('appends the case number after a space', () => {
  expect(fullText({ text: 'Han llegado fotos.', expedientNumber: '2026-1' })).toBe('Han llegado fotos. 2026-1');
  expect(fullText({ text: 'Aviso', expedientNumber: null })).toBe('Aviso');
});

it.each([
  ['2026-11-19T08:00:00Z', '19/11/2026 9:00'],
  ['2026-11-05T23:05:00Z', '6/11/2026 0:05'],
  ['2026-07-01T22:30:00Z', '2/07/2026 0:30'],
  ['2026-01-31T11:45:00+01:00', '31/01/2026 11:45'],
  [null, '–'],
  ['nonsense', '–'],
])('writes %s as %s', (iso, text) => {
  expect(noticeDate(iso)).toBe(text);
});

describe('actions', () => {
  it.each([
    [{ type: 0, targetValue: 'x' }, { kind: 'message' }],
    [{ type: null, targetValue: null }, { kind: 'message' }],
    [{ type: 9, targetValue: 'x' }, { kind: 'message' }],
    [
      { type: 1, targetValue: 'c1' },
      { kind: 'conference', conferenceId: 'c1' },
    ],
    [{ type: 1, targetValue: ' ' }, { kind: 'message' }],
    [
      { type: 2, targetValue: '/invoices' },
      { kind: 'route', href: '/invoices' },
    ],
    [
      { type: 2, targetValue: null, url: 'https://example.es' },
      { kind: 'tab', href: 'https://example.es' },
    ],
    [{ type: 2, targetValue: null }, { kind: 'message' }],
    [{ type: 2, targetValue: 'javascript:alert(1)' }, { kind: 'message' }],
    [
      { type: 3, targetValue: '<p>x</p>' },
      { kind: 'html', html: '<p>x</p>' },
    ],
    [{ type: 3, targetValue: null }, { kind: 'message' }],
  ])('%o does %o', (notice, action) => {
    expect(actionOf(notice)).toEqual(action);
  });

  it.each([
    ['https://example.es/a', 'tab', 'https://example.es/a'],
    ['http://localhost:8100/a', 'tab', 'http://localhost:8100/a'],
    ['example.es', 'tab', 'https://example.es'],
    ['example.es:8443/a', 'tab', 'https://example.es:8443/a'],
    ['//example.es/a', 'tab', 'https://example.es/a'],
    ['/manual.pdf', 'tab', '/manual.pdf'],
    ['users', 'route', '/users'],
    ['//evil', 'route', '/evil'],
    ['/\\evil', 'route', '/evil'],
    ['/conferences?type=1', 'route', '/conferences?type=1'],
  ])('%s opens as %s %s', (address, kind, href) => {
    expect(visit(address)).toEqual({ kind, href });
  });

  it.each([
    '',
    'javascript:alert(1)',
    'JAVASCRIPT:alert(document.cookie)',
    'data:text/html,x',
    'vbscript:x.y',
    'file:///etc/hosts',
  ])('%s opens nothing', (address) => {
    expect(visit(address)).toBeNull();
  });
});

it.each([
  ['general', 'files', 1, 'general'],
  ['personal', 'filesReceived', 1, 'files'],
  ['personal', 'requestRefused', 2, 'request'],
  ['personal', null, 1, 'conference'],
  ['personal', null, 0, 'personal'],
] as const)('%s %s of type %s is about %s', (category, notificationTextId, type, kind) => {
  expect(kindOf({ category, notificationTextId, type })).toBe(kind);
});
