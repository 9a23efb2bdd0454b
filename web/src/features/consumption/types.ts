import type { components } from '@/api/generated/schema';
import type { StatementLine, StatementTotals } from '@/shared/statement/types';

/** A tier of the volume discount: up to so many connections in the month, so many percent. */
export type Tier = components['schemas']['PriceDiscount'];

/** What a company has consumed of the running month; amounts are euros. */
export type Units = components['schemas']['CustomerUnits'];

export interface RunningMonth {
  lines: StatementLine[];
  totals: StatementTotals;
}
