import type { Company } from './model';

/** A customer with everything in order. For tests. */
export const levante: Company = {
  _id: 'c1',
  companyType: '2',
  status: 2,
  cif: 'B12345674',
  cifWarning: false,
  name: 'Nuria Ferrer',
  company: 'Peritaciones Levante, S.L.',
  address: 'C/ Mayor, 14',
  city: 'Valencia',
  region: 'Valencia',
  postalCode: '46001',
  email: 'nuria@example.es',
  phone: null,
  mobile: '+34612034578',
  bankAccount: 'ES91 **** **** **** **** 1332',
  hasIban: true,
  bankName: 'CaixaBank',
  legal: true,
  legalId: 'l1',
  priceId: null,
  legalHistory: [{ id: 'l1', priceId: null, accepted_at: '2026-09-03T09:00:00Z', expires_at: null }],
  pay_startAt: '2026-11-30T23:00:00Z',
  created_at: '2026-09-03T09:00:00Z',
  retentionDays: null,
  blocked: false,
  missing: [],
  users: 3,
  principal: { _id: 'u1', name: 'Nuria Ferrer', email: 'nuria@example.es', phone: null, status: 2 },
};

/** The invoice issuer, not filled in yet. For tests. */
export const platformCompany: Company = {
  ...levante,
  _id: 'plat',
  companyType: '1',
  company: 'Atalaya',
  bankAccount: null,
  hasIban: false,
  bankName: null,
  legalHistory: [],
  principal: null,
  registryData: null,
  bic: null,
  creditorSuffix: null,
};
