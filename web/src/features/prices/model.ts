import { startOfMadridDay } from '@/shared/lib/dates';
import { type Discount, PRICE_FIELDS, type PriceField, type PriceTable, sortedTiers } from '@/shared/lib/prices';
import type { NewPrice, PriceVersion } from './api';

/** Where a version stands. A later one for the same companies ends it; who accepted it keeps it. */
export type VersionState = 'inForce' | 'scheduled' | 'past';

/** `now` in milliseconds. */
export const stateOf = (
  { inForce, validFrom }: Pick<PriceVersion, 'inForce' | 'validFrom'>,
  now: number,
): VersionState => (inForce ? 'inForce' : Date.parse(validFrom) > now ? 'scheduled' : 'past');

/** What the form holds: as typed. `to` and `percent` of a tier as typed, too. */
export interface PriceForm extends Record<string, unknown> {
  connection: string;
  otherConnections: string;
  /** Empty: no limit. */
  minuteLimit: string;
  exceededMinute: string;
  guestMinute: string;
  minPayment: string;
  /** Day in Madrid; empty: from now on. */
  validFrom: string;
  /** Empty: for everybody. */
  companyId: string;
}
export interface TierInput {
  id: number;
  to: string;
  percent: string;
}

const typed = (amount: number) => amount.toFixed(2).replace('.', ',');

/** The form of a new version that begins as a copy of another one. */
export const formOf = (base: PriceTable | null): PriceForm => ({
  connection: base ? typed(base.connection) : '',
  otherConnections: base ? typed(base.otherConnections) : '',
  minuteLimit: base?.minuteLimit != null ? String(base.minuteLimit) : '',
  exceededMinute: base ? typed(base.exceededMinute) : '',
  guestMinute: base ? typed(base.guestMinute) : '',
  minPayment: base ? typed(base.minPayment) : '',
  validFrom: '',
  companyId: '',
});

export const tiersOf = (base: PriceTable | null): TierInput[] =>
  sortedTiers(base?.discounts ?? []).map(({ to, percent }, id) => ({
    id,
    to: String(to),
    percent: String(percent).replace('.', ','),
  }));

/** `12,50` or `12.5` as a number; null for anything else or more than two decimals. Never negative. */
export function readDecimal(text: string): number | null {
  const plain = text.trim().replace(/\s*[€%]$/, '');
  return /^\d{1,9}([.,]\d{1,2})?$/.test(plain) ? Number(plain.replace(',', '.')) : null;
}

/** A whole number; null for anything else. */
export const readWhole = (text: string): number | null => (/^\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : null);

export type FieldProblem = 'required' | 'amount' | 'whole' | 'date' | 'past';

/** What is wrong with each field; the server has the last word. `today`: the day in Madrid, `2026-11-22`. */
export function problemsOf(values: PriceForm, today: string): Partial<Record<keyof PriceForm & string, FieldProblem>> {
  const wrong: Partial<Record<string, FieldProblem>> = {};
  for (const field of PRICE_FIELDS) {
    if (field === 'minuteLimit') {
      if (values.minuteLimit.trim() && readWhole(values.minuteLimit) === null) wrong.minuteLimit = 'whole';
    } else if (!values[field].trim()) wrong[field] = 'required';
    else if (readDecimal(values[field]) === null) wrong[field] = 'amount';
  }
  if (values.validFrom && !startOfMadridDay(values.validFrom)) wrong.validFrom = 'date';
  else if (values.validFrom && values.validFrom < today) wrong.validFrom = 'past';
  return wrong;
}

export type TierProblem = 'to' | 'percent' | 'rising' | 'falling';

/** What is wrong with each tier, in the order typed (`to` strictly rising, percent not falling, 0–100). */
export function tierProblems(tiers: readonly TierInput[]): (TierProblem | null)[] {
  let lastTo = 0;
  let lastPercent = 0;
  return tiers.map((tier) => {
    const to = readWhole(tier.to);
    const percent = readDecimal(tier.percent);
    if (to === null || to < 1) return 'to';
    if (percent === null || percent > 100) return 'percent';
    const problem = to <= lastTo ? 'rising' : percent < lastPercent ? 'falling' : null;
    lastTo = Math.max(lastTo, to);
    lastPercent = Math.max(lastPercent, percent);
    return problem;
  });
}

const readTiers = (tiers: readonly TierInput[]): Discount[] =>
  tiers.flatMap((tier) => {
    const [to, percent] = [readWhole(tier.to), readDecimal(tier.percent)];
    return to === null || percent === null ? [] : [{ to, percent }];
  });

/** The prices as far as they can be read, for the preview: what cannot be read is no number. */
export function draftOf(values: PriceForm, tiers: readonly TierInput[]): PriceTable {
  const amount = (field: PriceField) => readDecimal(values[field]) ?? Number.NaN;
  return {
    connection: amount('connection'),
    otherConnections: amount('otherConnections'),
    minuteLimit: readWhole(values.minuteLimit),
    exceededMinute: amount('exceededMinute'),
    guestMinute: amount('guestMinute'),
    minPayment: amount('minPayment'),
    discounts: readTiers(tiers),
  };
}

/** The body of `POST price`; of a form without problems. */
export function toPrice(values: PriceForm, tiers: readonly TierInput[]): NewPrice {
  const validFrom = startOfMadridDay(values.validFrom);
  return {
    ...draftOf(values, tiers),
    ...(validFrom ? { validFrom } : {}),
    ...(values.companyId ? { companyId: values.companyId } : {}),
  };
}
