import type { Process } from './model';

/** A closed month as the server tells it: calculated, nothing issued. */
export const october: Process = {
  period: '2026-10',
  state: 'calculated',
  customers: 5,
  toInvoice: 4,
  issued: 0,
  sent: 0,
  remitted: 0,
  base: 3274.55,
  vat: 687.66,
  total: 3962.21,
  late: false,
  deadline: '2026-11-15',
  calculatedAt: '2026-11-02T08:00:00Z',
  errors: [],
  job: null,
};

/** Issued as a whole, one invoice not sent. */
export const september: Process = {
  ...october,
  period: '2026-09',
  state: 'issued',
  issued: 4,
  sent: 3,
  deadline: '2026-10-15',
};
