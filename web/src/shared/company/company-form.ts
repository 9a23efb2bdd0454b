import { limits } from '@/api/generated/limits';
import { isEmail } from '@/shared/checks/email';
import { isIban, isMasked, normalizeIban } from '@/shared/checks/iban';
import { checkPhone, type PhoneVerdict, SPAIN, splitPhone, toE164 } from '@/shared/checks/phone';
import { isPostalCode } from '@/shared/checks/province';
import { checkTaxId, tidyTaxId } from '@/shared/checks/tax-id';
import type { T } from '@/shared/i18n';

/** What the form of a company holds. */
export type CompanyValues = {
  name: string;
  company: string;
  cif: string;
  address: string;
  postalCode: string;
  city: string;
  region: string;
  email: string;
  /** Countries of the prefixes, ISO 3166-1. */
  mobileCountry: string;
  mobile: string;
  phoneCountry: string;
  phone: string;
  /** Masked while it is the stored one. */
  bankAccount: string;
};

/** The fields of the server's company that the form fills. */
type Stored = Partial<
  Record<'name' | 'company' | 'cif' | 'address' | 'postalCode' | 'city' | 'region' | 'email', string | null>
> & { mobile?: string | null; phone?: string | null; bankAccount?: string | null };

/** The form's values for a company that exists, or for a new one. */
export function companyValues(stored: Stored = {}): CompanyValues {
  const mobile = splitPhone(stored.mobile);
  const phone = splitPhone(stored.phone);
  return {
    name: stored.name ?? '',
    company: stored.company ?? '',
    cif: stored.cif ?? '',
    address: stored.address ?? '',
    postalCode: stored.postalCode ?? '',
    city: stored.city ?? '',
    region: stored.region ?? '',
    email: stored.email ?? '',
    mobileCountry: stored.mobile ? mobile.country : SPAIN,
    mobile: mobile.phone,
    phoneCountry: stored.phone ? phone.country : SPAIN,
    phone: phone.phone,
    bankAccount: stored.bankAccount ?? '',
  };
}

export type CompanyProblem =
  | 'REQUIRED'
  | 'TOO_LONG'
  | 'FISCAL_INCORRECT'
  | 'PHONE_INCORRECT'
  | 'PHONE_TOO_LONG'
  | 'PHONE_REQUIRED'
  | 'EMAIL_INVALID'
  | 'POSTAL_CODE_INVALID'
  | 'IBAN_INCORRECT';

export type CompanyProblems = Partial<Record<keyof CompanyValues, CompanyProblem>>;

/** Contact name, tax id, address, city, region, postal code, e-mail and mobile. */
const REQUIRED = ['name', 'cif', 'address', 'postalCode', 'city', 'region', 'email'] as const;
const LINES = ['name', 'company', 'address', 'city', 'region'] as const;

const PHONE_PROBLEM: Record<PhoneVerdict, CompanyProblem | undefined> = {
  ok: undefined,
  absent: undefined,
  long: 'PHONE_TOO_LONG',
  wrong: 'PHONE_INCORRECT',
};

/** Every wrong field of the form, with the server's code for it. */
export function companyProblems(values: CompanyValues): CompanyProblems {
  const found: CompanyProblems = {};
  for (const name of LINES) if (values[name].trim().length > limits.lineMax) found[name] = 'TOO_LONG';
  for (const name of REQUIRED) if (!values[name].trim()) found[name] = 'REQUIRED';
  if (values.cif.trim() && !checkTaxId(tidyTaxId(values.cif)).accepted) found.cif = 'FISCAL_INCORRECT';
  if (values.postalCode.trim() && !isPostalCode(values.postalCode)) found.postalCode = 'POSTAL_CODE_INVALID';
  if (values.email.trim().length > limits.emailMax) found.email = 'TOO_LONG';
  else if (values.email.trim() && !isEmail(values.email)) found.email = 'EMAIL_INVALID';
  const mobile = checkPhone(values.mobile, values.mobileCountry);
  const wrongMobile = mobile === 'absent' ? 'PHONE_REQUIRED' : PHONE_PROBLEM[mobile];
  if (wrongMobile) found.mobile = wrongMobile;
  const wrongPhone = PHONE_PROBLEM[checkPhone(values.phone, values.phoneCountry)];
  if (wrongPhone) found.phone = wrongPhone;
  const iban = values.bankAccount.trim();
  if (iban && !isMasked(iban) && !isIban(iban)) found.bankAccount = 'IBAN_INCORRECT';
  return found;
}

/** The same as texts beside the fields. */
export function companyErrors(t: T, values: CompanyValues): Partial<Record<keyof CompanyValues, string>> {
  const missing: Record<(typeof REQUIRED)[number], string> = {
    name: t('common.write_contact'),
    cif: t('common.write_cif'),
    address: t('common.write_address'),
    postalCode: t('common.write_postalCode'),
    city: t('common.write_city'),
    region: t('common.write_region'),
    email: t('common.write_email'),
  };
  const texts: Record<Exclude<CompanyProblem, 'REQUIRED'>, string> = {
    TOO_LONG: t('companies.tooLong', { max: limits.lineMax }),
    FISCAL_INCORRECT: t('companies.fiscalIncorrect'),
    PHONE_INCORRECT: t('companies.phoneIncorrect'),
    PHONE_TOO_LONG: t('companies.phoneTooLong'),
    PHONE_REQUIRED: t('companies.phoneRequired'),
    EMAIL_INVALID: t('companies.emailInvalid'),
    POSTAL_CODE_INVALID: t('companies.postalCodeInvalid'),
    IBAN_INCORRECT: t('companies.ibanIncorrect'),
  };
  const textOf = (name: string, problem: CompanyProblem) => {
    if (problem === 'REQUIRED') return missing[name as keyof typeof missing];
    return name === 'email' && problem === 'TOO_LONG'
      ? t('companies.tooLong', { max: limits.emailMax })
      : texts[problem];
  };
  return Object.fromEntries(
    Object.entries(companyProblems(values)).map(([name, problem]) => [name, textOf(name, problem)]),
  );
}

/**
 * The body of a company for the server. Somebody who trades under the own name leaves the company's empty: it is the
 * contact person's then. An unchanged, masked IBAN goes as it is: the server knows it means "unchanged".
 */
export function toCompany(values: CompanyValues) {
  const name = values.name.trim();
  const iban = values.bankAccount.trim();
  return {
    name,
    company: values.company.trim() || name,
    cif: tidyTaxId(values.cif),
    address: values.address.trim(),
    postalCode: values.postalCode.trim(),
    city: values.city.trim(),
    region: values.region.trim(),
    email: values.email.trim(),
    mobile: toE164(values.mobile, values.mobileCountry),
    phone: toE164(values.phone, values.phoneCountry),
    bankAccount: isMasked(iban) ? iban : normalizeIban(iban) || null,
  };
}
