import type { components } from '@/api/generated/schema';
import type { StatementLine, StatementTotals } from '@/shared/statement/types';

export const STATUSES = [
  'issued',
  'sent',
  'in_remittance',
  'paid',
  'returned',
  'unpaid',
  'rectified',
  'cancelled',
] as const;
export type InvoiceStatus = (typeof STATUSES)[number] | 'draft';

type Schemas = components['schemas'];

/** A line of the list. Dates are plain days, amounts euros; `company` is the customer's name. */
export type Invoice = Omit<Schemas['Invoice'], 'paidBy'> & { paidBy?: 'remittance' | 'transfer' | null };
export type Reference = Schemas['InvoiceReference'];
export type Party = Schemas['InvoiceHeader']['issuer'];

/** `invoice` is none of a running month. */
export type InvoiceDetails = Omit<Schemas['InvoiceDetailsBody'], 'invoice' | 'lines' | 'totals' | Calls> & {
  invoice: Invoice | null;
  lines: StatementLine[];
  totals: StatementTotals;
};
/** Asked for when a line is opened (`shared/statement`). */
type Calls = 'connections' | 'connectionsTotal' | 'nextCursor';

export type MonthTotal = Schemas['InvoiceMonth'];
export type InvoiceStatistics = Schemas['StatisticsBody'];

export type Rectification = Schemas['Rectification'];
/** What art. 80 LIVA asks before the base is lowered for want of payment. */
export type Relief = Schemas['TaxRelief'];
export const CLAIMS = ['judicial', 'notarial', 'provable', 'public-body'] as const satisfies Schemas['ReliefClaim'][];
export type Claim = (typeof CLAIMS)[number];

/** Which law lets an invoice be rectified: `R1` to `R4` of the tax office's list. */
export const CAUSES = ['error', 'insolvency', 'bad-debt', 'other'] as const satisfies Rectification['cause'][];
export type Cause = (typeof CAUSES)[number];

export const SAID = ['accepted', 'rejected', 'paid'] as const satisfies Schemas['InvoiceMessageStatus'][];
export type Said = (typeof SAID)[number];
export type Messages = Schemas['InvoiceMessages'];
export type MessageInput = Schemas['InvoiceMessageInput'];
