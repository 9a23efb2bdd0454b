import { startOfMadridDay } from '@/shared/lib/dates';
import type { PriceTable } from '@/shared/lib/prices';
import type { StatementLine } from '@/shared/statement/types';

/** A line of a calculated month; amounts in cents (format of `billing simulate`). */
export interface SimulatedLine {
  code: 'connection' | 'otherConnections' | 'exceededMinute' | 'guestMinute' | 'discount' | 'minimum';
  priceId?: string;
  quantity?: number;
  unit?: number;
  percent?: number;
  amount: number;
  days?: number;
  daysInMonth?: number;
  minimum?: number;
}

/** What a month comes to; amounts in cents. `invoice: null` and `why` when nothing is invoiced. */
export interface SimulatedMonth {
  period: string;
  connections?: number;
  lines?: SimulatedLine[];
  subtotal?: number;
  discountPercent?: number;
  net?: number;
  minimum?: number;
  base?: number;
  vatRate?: number;
  vat?: number;
  total?: number;
  invoice?: null;
  why?: string;
}
export interface Simulated {
  name: string;
  expected: SimulatedMonth;
}

/** A month in round numbers, as one would tell it. */
export interface Usage extends Record<string, unknown> {
  /** `2026-10`. */
  month: string;
  /** First connections of a case. */
  cases: string;
  /** Further connections of the same cases. */
  further: string;
  /** Minutes of each connection. */
  minutes: string;
  /** Minutes of guests of each connection. */
  guests: string;
  postalCode: string;
  /** Day the billing starts; empty: long ago. */
  payStart: string;
}

/** Sessions that a calculation may list: a longer file goes over the server's limit of 1 MiB. */
export const SESSIONS_MAX = 5000;

const cents = (euros: number) => Math.round(euros * 100);

/** The prices as a file of examples writes them: in cents, accepted long ago. */
export const tableOf = (id: string, prices: PriceTable) => ({
  id,
  accepted_at: '2000-01-01T00:00:00Z',
  connection: cents(prices.connection),
  otherConnections: cents(prices.otherConnections),
  minuteLimit: prices.minuteLimit,
  exceededMinute: cents(prices.exceededMinute),
  guestMinute: cents(prices.guestMinute),
  minPayment: cents(prices.minPayment),
  discounts: prices.discounts,
});

const whole = (text: string) => (/^\d{1,6}$/.test(text.trim()) ? Number(text.trim()) : null);

export type UsageProblem = 'whole' | 'month' | 'many' | 'cases' | 'postal';

/** What is wrong with each field. */
export function usageProblems(usage: Usage): Partial<Record<keyof Usage & string, UsageProblem>> {
  const wrong: Partial<Record<string, UsageProblem>> = {};
  for (const field of ['cases', 'further', 'minutes', 'guests'] as const) {
    if (whole(usage[field]) === null) wrong[field] = 'whole';
  }
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(usage.month)) wrong.month = 'month';
  if (usage.postalCode && !/^\d{5}$/.test(usage.postalCode)) wrong.postalCode = 'postal';
  const [cases, further] = [whole(usage.cases) ?? 0, whole(usage.further) ?? 0];
  if (!wrong.cases && cases + further > SESSIONS_MAX) wrong.cases = 'many';
  if (!wrong.further && further > 0 && cases === 0) wrong.further = 'cases';
  return wrong;
}

/** One example of `billing simulate` out of a month in round numbers: spread over the month's days, by day. */
export function exampleOf(usage: Usage, id: string, prices: PriceTable) {
  const [year = 0, month = 0] = usage.month.split('-').map(Number);
  const cases = whole(usage.cases) ?? 0;
  const count = cases + (whole(usage.further) ?? 0);
  const seconds = (whole(usage.minutes) ?? 0) * 60;
  const guests = (whole(usage.guests) ?? 0) * 60;
  const payStart = startOfMadridDay(usage.payStart);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const from = Date.UTC(year, month - 1, 1, 7);
  // From the first morning to the last evening, so that no zone moves one out of the month.
  const step = count > 1 ? ((days - 1) * 24 + 10) / (count - 1) : 0;
  const sessions = Array.from({ length: count }, (_, n) => ({
    conferenceId: `c${n + 1}`,
    // Every case once, then further connections of the first ones.
    expedientNumber: `e${(cases > 0 ? n % cases : n) + 1}`,
    start: `${new Date(from + Math.floor(n * step * 3600) * 1000).toISOString().slice(0, 19)}Z`,
    seconds,
    ...(guests > 0 ? { guests: [guests] } : {}),
  }));
  return {
    name: usage.month,
    year,
    month,
    customer: {
      created_at: '2000-01-01T00:00:00Z',
      ...(payStart ? { pay_startAt: payStart } : {}),
      postalCode: usage.postalCode || '28001',
    },
    prices: [tableOf(id, prices)],
    sessions,
  };
}

const euros = (amount: number | undefined) => (amount === undefined ? null : amount / 100);

/** The lines in the form in which invoices show theirs: euros, and the numbers for the sentence that explains each. */
export function statementLines(month: SimulatedMonth, minuteLimit: number | null): StatementLine[] {
  return (month.lines ?? []).map((line) => ({
    code: line.code,
    description: '',
    priceId: line.priceId ?? null,
    quantity: line.quantity ?? null,
    unitPrice: euros(line.unit),
    // A discount is written as what it takes away.
    amount: (euros(line.amount) ?? 0) * (line.code === 'discount' && line.amount > 0 ? -1 : 1),
    formula: {
      key: line.code,
      values: {
        minuteLimit,
        percent: line.percent ?? null,
        subtotal: euros(month.subtotal),
        connections: month.connections ?? null,
        minimum: euros(line.minimum),
        net: euros(month.net),
        days: line.days ?? null,
        daysInMonth: line.daysInMonth ?? null,
      },
    },
  }));
}
