/** The fields of the block, in the order of the screen. */
export const FIELDS = ['cif', 'company', 'address', 'postalCode', 'city', 'region'] as const;
export type FiscalField = (typeof FIELDS)[number];
/** `country` is two letters (ISO 3166-1); only an administrator writes another one than `ES`. */
export type FiscalBlock = Record<FiscalField, string> & { country: string };
export const REGIMES = ['general', 'outside', 'reverseCharge', 'igic'] as const;
export type Regime = (typeof REGIMES)[number];
export type RequestStatus = 'open' | 'approved' | 'refused' | 'withdrawn';

/** What held from a day on; `validFrom` is absent of what held since always. */
export interface FiscalVersion {
  number: number;
  validFrom: string | null;
  block: FiscalBlock;
  regime: Regime;
  reason: string | null;
  /** When VIES confirmed the VAT number, and its number of that consultation. */
  viesAt: string | null;
  viesReference: string | null;
  /** Names of people, for administrators. */
  askedBy: string | null;
  approvedBy: string | null;
  requestId: string | null;
  createdAt: string;
}

export interface FiscalRequest {
  _id: string;
  customerId: string;
  company: string;
  status: RequestStatus;
  /** A day, from which it is so. */
  since: string;
  changes: { field: FiscalField; from: string | null; to: string }[];
  note: string | null;
  document: { name: string; kind: string; sizeBytes: number; sha256: string } | null;
  regime: Regime;
  regimeAfter: Regime;
  anotherTaxpayer: boolean;
  askedBy: string;
  askedAt: string;
  decidedBy: string | null;
  decidedAt: string | null;
  /** What the administrator wrote. */
  reason: string | null;
}

export interface FiscalIdentity {
  customerId: string;
  block: FiscalBlock;
  regime: Regime;
  versions: FiscalVersion[];
  openRequest: FiscalRequest | null;
  requests: FiscalRequest[];
}
