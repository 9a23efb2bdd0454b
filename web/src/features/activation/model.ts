import { ApiError } from '@/api/errors';

/** The three kinds of company, by the role of their principal (SPEC §3, §6) and by the words of their calls (§7). */
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

/** SPEC §5: the phone is required for operators of the repair side. */
export const needsPhone = (role: number) => role === 5 || role === 7;

export const isEmailAddress = (emailOPhone: string) => emailOPhone.includes('@');

export type LinkState = 'invalid' | 'expired' | 'used' | 'unreachable';

/** What a failed look at a link means for the person. */
export function linkState(error: unknown): LinkState {
  if (!(error instanceof ApiError)) return 'unreachable';
  if (error.code === 'TOKEN_EXPIRED') return 'expired';
  if (error.code === 'TOKEN_USED') return 'used';
  return error.status >= 400 && error.status < 500 && error.status !== 429 ? 'invalid' : 'unreachable';
}

export const isDeadLink = (error: unknown) => error instanceof ApiError && error.code.startsWith('TOKEN_');
