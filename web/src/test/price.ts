import type { Price } from '@/shared/lib/prices';

/** A price table in force. For tests. */
export const price: Price = {
  _id: 'p2',
  connection: 6,
  otherConnections: 3,
  minuteLimit: 10,
  exceededMinute: 0.35,
  guestMinute: 0.2,
  minPayment: 30,
  discounts: [
    { to: 50, percent: 0 },
    { to: 100, percent: 5 },
  ],
  validFrom: '2026-11-01T00:00:00Z',
  companyId: null,
};
