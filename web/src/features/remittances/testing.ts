import type { BankFileResult, BankItem, Due, ExcludedInvoice, Mandate, PaymentProposal, Remittance } from './types';

// Answers of the server. For tests.

export const mandate: Mandate = {
  _id: 'm1',
  umr: 'VP-000017-01',
  customerId: 'c1',
  company: 'Peritaciones Levante, S.L.',
  noticeDays: 14,
  scheme: 'CORE',
  type: 'RCUR',
  status: 'active',
  signedAt: '2026-09-03',
  signature: 'acceptance',
  hasDocument: false,
  createdAt: '2026-09-03T09:00:00Z',
  lastUsedAt: '2026-11-10T09:00:00Z',
  expiresAt: '2029-11-10T00:00:00Z',
  statusReason: null,
  iban: 'ES91 **** **** **** **** 1332',
  creditorId: 'ES77000B85626240',
  pdf: '/api/v1/mandate-pdf/m1',
  evidence: { at: '2026-09-03', pdfSha256: 'ab12'.repeat(16), pdf: '/api/v1/mandate-evidence/m1' },
};

export const unsigned: Mandate = {
  ...mandate,
  signedAt: null,
  signature: null,
  evidence: null,
  lastUsedAt: null,
  expiresAt: null,
};

export const excluded: ExcludedInvoice = {
  invoiceId: 'i9',
  number: 'A2026-000009',
  customerId: 'c9',
  company: 'Ñandú Gabinete',
  amount: 48.4,
  reason: 'MANDATE_UNSIGNED',
};

export const due: Due = {
  nbOfTxs: 2,
  ctrlSum: 1121.1,
  collectionDate: '2026-11-30',
  invoices: [
    {
      invoiceId: 'i1',
      number: 'A2026-000001',
      customerId: 'c1',
      company: 'Peritaciones Levante, S.L.',
      amount: 1084.8,
      scheme: 'CORE',
      umr: 'VP-000017-01',
      attempt: 1,
      collectionDate: '2026-11-30',
      notified: true,
    },
    {
      invoiceId: 'i2',
      number: 'A2026-000002',
      customerId: 'c2',
      company: 'Tasaciones Norte',
      amount: 36.3,
      scheme: 'B2B',
      umr: 'VP-000018-02',
      attempt: 2,
      collectionDate: '2026-12-02',
      notified: false,
    },
  ],
  excluded: [excluded],
  issuerMissing: [],
};

export const remittance: Remittance = {
  _id: 'r1',
  msgId: 'VP-20261110-0001',
  createdAt: '2026-11-10T09:00:00Z',
  createdBy: 'Marta Admin',
  nbOfTxs: 2,
  ctrlSum: 1121.1,
  status: 'live',
  blocks: [
    {
      pmtInfId: 'VP-20261110-0001-RCUR',
      scheme: 'CORE',
      sequence: 'RCUR',
      collectionDate: '2026-11-17',
      nbOfTxs: 2,
      ctrlSum: 1121.1,
    },
  ],
  paid: { count: 0, amount: 0 },
  returned: { count: 0, amount: 0 },
  open: { count: 2, amount: 1121.1 },
  cancelledAt: null,
  cancelReason: null,
};

export const returned: BankItem = {
  endToEndId: 'A2026-000001',
  invoiceId: 'i1',
  invoice: 'A2026-000001',
  customerId: 'c1',
  company: 'Peritaciones Levante, S.L.',
  kind: 'return',
  reason: { code: 'AM04', label: 'Saldo insuficiente' },
  amount: 36.3,
  bookingDate: '2026-11-17',
  action: 'retry',
  retryOn: '2026-11-27',
  mandate: null,
  blocked: false,
};

export const proposal: PaymentProposal = {
  _id: 'p1',
  invoiceId: 'i2',
  invoice: 'A2026-000002',
  customerId: 'c2',
  company: 'Tasaciones Norte',
  amount: 36.3,
  bookingDate: '2026-11-19',
  payer: 'TASACIONES NORTE SL',
  text: 'Pago fra A2026-000002',
  status: 'open',
  decidedBy: null,
  decidedAt: null,
};

const nothing = { count: 0, amount: 0 };

export const bankFile: BankFileResult = {
  fileId: 'f1',
  name: 'camt054.xml',
  message: 'camt.054',
  created: '2026-11-18T06:00:00Z',
  receivedAt: '2026-11-18T09:30:00Z',
  receivedBy: 'Marta Admin',
  repeated: false,
  items: [returned],
  unmatched: [],
  proposals: [],
  proposed: [],
  otherAccounts: [],
  charges: [{ amount: 3, text: null, bookingDate: '2026-11-17', invoice: 'A2026-000001' }],
  totals: {
    confirmed: nothing,
    returned: { count: 1, amount: 36.3 },
    unmatched: nothing,
    charges: { count: 1, amount: 3 },
    proposed: nothing,
  },
};
