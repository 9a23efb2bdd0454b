/** The three kinds of company, by the role of their principal and by the words of their calls. */
export const COMPANY_KINDS = [
  { role: 2, noun: 'customer', activate: 'activate-customer' },
  { role: 4, noun: 'repairer', activate: 'activate-repairer' },
  { role: 6, noun: 'carReparation', activate: 'activate-car-reparation' },
] as const;
export type CompanyKind = (typeof COMPANY_KINDS)[number];

export const kindOfRole = (role: number): CompanyKind | null =>
  COMPANY_KINDS.find((kind) => kind.role === role) ?? null;

/** `{type}` of `/admin-enable/{type}/…`: the company's type or its noun. */
export const kindOfType = (type: string): CompanyKind | null =>
  COMPANY_KINDS.find(({ role, noun }) => String(role) === type || noun.toLowerCase() === type.toLowerCase()) ?? null;

export const isUserRole = (role: number) => role === 3 || role === 5 || role === 7;

/** The phone is required for operators of the repair side. */
export const needsPhone = (role: number) => role === 5 || role === 7;

export const isEmailAddress = (emailOPhone: string) => emailOPhone.includes('@');
