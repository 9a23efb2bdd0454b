import { price } from '@/test/price';
import type { PriceVersion } from './api';
import type { Simulated } from './simulation';

/** The table in force, one for a single customer, and the one before. For tests. */
export const versions: PriceVersion[] = [
  { ...price, company: null, accepted: 14, inForce: true },
  {
    ...price,
    _id: 'p3',
    companyId: 'c1',
    company: 'Peritaciones Levante, S.L.',
    connection: 4.95,
    accepted: 1,
    inForce: true,
  },
  {
    ...price,
    _id: 'p1',
    company: null,
    connection: 5.5,
    validFrom: '2026-01-01T00:00:00Z',
    accepted: 1,
    inForce: false,
  },
];

/** What `billing simulate` says of 101 connections. For tests. */
export const simulated: Simulated = {
  name: '2026-10',
  expected: {
    period: '2026-10',
    connections: 101,
    lines: [
      { code: 'connection', priceId: 'p2', quantity: 101, unit: 600, amount: 60600 },
      { code: 'discount', percent: 10, amount: -6060 },
    ],
    subtotal: 60600,
    discountPercent: 10,
    net: 54540,
    minimum: 3000,
    base: 54540,
    vatRate: 21,
    vat: 11453,
    total: 65993,
  },
};
