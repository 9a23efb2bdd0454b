import { describe, expect, it } from 'vitest';
import { type CampaignForm, emptyForm, problemsOf, toCampaign } from './model';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const good: CampaignForm = { ...emptyForm(), subject: ' Novedades ', text: 'Hola\n\nTexto ' };

describe('a campaign', () => {
  it.each([
    ['all that is needed', {}, {}],
    ['no subject', { subject: ' ' }, { subject: 'required' }],
    ['70 characters', { subject: 'x'.repeat(70) }, {}],
    ['71 characters', { subject: 'x'.repeat(71) }, { subject: 'long' }],
    ['no text', { text: '' }, { text: 'required' }],
    ['5000 signs', { text: '😀'.repeat(5000) }, {}],
    ['5001 characters', { text: 'x'.repeat(5001) }, { text: 'long' }],
    ['a time to come in Madrid', { sendAt: '2026-11-22 13:30:00' }, {}],
    ['a time gone by in Madrid', { sendAt: '2026-11-22 12:30:00' }, { sendAt: 'past' }],
    ['a far time', { sendAt: '2028-01-01 00:00:00' }, { sendAt: 'far' }],
    ['words for a time', { sendAt: 'mañana' }, { sendAt: 'date' }],
  ] as [string, Partial<CampaignForm>, object][])('is checked with %s', (_what, change, wrong) => {
    expect(problemsOf({ ...good, ...change }, NOW)).toEqual(wrong);
  });

  it('is sent as the server takes it', () => {
    expect(toCampaign(good)).toEqual({
      subject: 'Novedades',
      text: 'Hola\n\nTexto',
      audience: 'all',
      language: null,
      sendAt: null,
    });
    expect(toCampaign({ ...good, audience: ['6', '2'], language: 'en', sendAt: '2026-11-24 09:00:00' })).toMatchObject({
      audience: { roles: [2, 6] },
      language: 'en',
      sendAt: '2026-11-24T08:00:00.000Z',
    });
  });
});
