/** The lines of an invoice in their order; `adjustment` is a rectifying invoice's own. */
export type LineCode =
  | 'connection'
  | 'otherConnections'
  | 'exceededMinute'
  | 'guestMinute'
  | 'discount'
  | 'minimum'
  | 'adjustment';

/** One line: what was counted, at which price. Amounts are euros without tax. */
export interface StatementLine {
  code: LineCode;
  /** In the language of the invoice. */
  description: string;
  priceId: string | null;
  quantity: number | null;
  unitPrice: number | null;
  amount: number;
  formula: Formula;
}

/** The numbers that a line was made of, for the sentence that explains it. */
export interface Formula {
  key: string;
  values: Record<string, number | null>;
}

/** A billed call: sessions of one conference joined. `amount` without tax. */
export interface BilledCall {
  conferenceId: string;
  expedientNumber: string;
  userName: string;
  start: string;
  seconds: number;
  minutes: number;
  /** First of its case in the month. */
  first: boolean;
  exceeded: number;
  guestMinutes: number;
  priceId: string;
  unitPrice: number;
  amount: number;
}

export interface StatementTotals {
  base: number;
  /** Percent. */
  vatRate: number;
  vat: number;
  total: number;
  /** Why no tax was charged. */
  exempt?: string | null;
}

/** Which calls a line adds up: those of the details call with `line` and `priceId`. */
export interface CallsQuery {
  /** An invoice, or a company for its running month. */
  id: string;
  line: LineCode;
  priceId: string | null;
}
