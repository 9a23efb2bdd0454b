import type { Tier, Units } from './types';

/** Tiers as they are usual. */
export const TIERS: Tier[] = [
  { to: 50, percent: 0 },
  { to: 100, percent: 5 },
  { to: 250, percent: 10 },
  { to: 500, percent: 15 },
];

/** A running month for tests. */
export const units = (part: Partial<Units> = {}): Units => ({
  period: '2026-11',
  connections: 58,
  otherConnections: 5,
  exceededMinutes: 42,
  guestMinutes: 12,
  subtotal: 380.1,
  discountPercent: 5,
  discount: 19.01,
  minimum: 30,
  complement: 0,
  base: 361.09,
  vatRate: 21,
  vat: 75.83,
  total: 436.92,
  provisional: true,
  trial: false,
  minuteLimit: 10,
  tiers: TIERS,
  ...part,
});
