import type { Usage } from './simulation';

/** Months worth looking at; the names are texts of `prices`. */
export const EXAMPLES: {
  name: 'exampleMinimum' | 'exampleAll' | 'exampleTier' | 'exampleStart';
  usage: Partial<Usage>;
}[] = [
  { name: 'exampleMinimum', usage: { cases: '2', further: '0', minutes: '5', guests: '0', payStart: '' } },
  { name: 'exampleAll', usage: { cases: '40', further: '12', minutes: '14', guests: '3', payStart: '' } },
  { name: 'exampleTier', usage: { cases: '251', further: '0', minutes: '5', guests: '0', payStart: '' } },
  { name: 'exampleStart', usage: { cases: '9', further: '0', minutes: '5', guests: '0', payStart: 'middle' } },
];

/** A whole file to begin with: two months of the same customer's prices, in cents. */
export const SAMPLE_FILE = {
  examples: [
    {
      name: 'Octubre',
      year: 2026,
      month: 10,
      customer: {
        created_at: '2026-01-01T09:00:00+01:00',
        pay_startAt: '2026-02-01T00:00:00+01:00',
        postalCode: '28001',
      },
      prices: [
        {
          id: 'T1',
          accepted_at: '2026-01-01T00:00:00+01:00',
          connection: 600,
          otherConnections: 300,
          minuteLimit: 10,
          exceededMinute: 35,
          guestMinute: 20,
          minPayment: 3000,
          discounts: [
            { to: 50, percent: 0 },
            { to: 100, percent: 5 },
          ],
        },
      ],
      sessions: [
        { conferenceId: 'c1', expedientNumber: 'EXP 77', start: '2026-10-05T08:00:00Z', seconds: 601 },
        {
          conferenceId: 'c2',
          expedientNumber: 'EXP 77',
          start: '2026-10-07T10:00:00Z',
          seconds: 1500,
          guests: [1200, 61],
        },
        { conferenceId: 'c3', expedientNumber: 'EXP 78', start: '2026-10-09T12:00:00Z', seconds: 600 },
      ],
    },
  ],
};
