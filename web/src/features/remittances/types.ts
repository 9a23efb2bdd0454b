import type { components } from '@/api/generated/schema';

// The generated shapes, their texts of few values named.

type Schemas = components['schemas'];
type Narrow<T, N> = Omit<T, keyof N> & N;

export type Scheme = 'CORE' | 'B2B';

/** A direct debit mandate. */
export type Mandate = Narrow<Schemas['Mandate'], { scheme: Scheme; type: 'RCUR' | 'OOFF' }>;

/** What a paper signed by hand says of itself; its day is plain. */
export interface SignedPaper {
  file: File;
  signedAt: string;
  place: string;
}

export type SecretState = Schemas['SecretAnswer'];
/** An invoice that the next remittance takes. */
export type DueInvoice = Schemas['DueView'];
/** One that it leaves out, and the code of why. */
export type ExcludedInvoice = Schemas['ExcludedInvoice'];
/** What a remittance made now would hold. */
export type Due = Schemas['DueAnswer'];
export type RemittanceMade = Schemas['MadeAnswer'];
export type Tally = Schemas['SepaTally'];

export type Remittance = Narrow<Schemas['Remittance'], { status: 'live' | 'settled' | 'cancelled' }>;
/** A code of the bank with the server's words for it. */
export type Reason = Schemas['BankReason'];
export type Attempt = Schemas['DebitAttempt'];
export type Settlement = Schemas['DebitSettlement'];
export const OUTCOMES = ['paid', 'returned', 'rejected'] as const satisfies Settlement['outcome'][];

export type ItemKind = 'reject' | 'return' | 'refund' | 'confirmation' | 'reversal' | 'incoming' | 'outgoing';
/** What one line of a bank file did. */
export type BankItem = Narrow<Schemas['BankItem'], { kind: ItemKind }>;
export type UnmatchedItem = Narrow<Schemas['BankFileResult']['unmatched'][number], { kind: ItemKind }>;
/** A transfer that quotes an invoice, for a person to confirm. */
export type PaymentProposal = Schemas['PaymentProposal'];
export type BankCharge = Schemas['BankFileResult']['charges'][number];
/** A bank file that was taken in, as its list shows it. */
export type BankFile = Schemas['BankFileRow'];
export type BankFileResult = Narrow<Schemas['BankFileResult'], { items: BankItem[]; unmatched: UnmatchedItem[] }>;
