import { type CompanyValues, companyErrors, companyValues, toCompany } from '@/shared/company/company-form';
import { type Company, kindOf, PLATFORM } from '@/shared/company/kinds';
import type { T } from '@/shared/i18n';
import { madridDay, startOfMadridDay } from '@/shared/lib/dates';
import type { CompanyChange } from './api';

/** What the administrator sets beyond a company's own data; the last three are the platform company's. */
export type ExtraValues = {
  status: string;
  /** Day in Madrid, `2026-11-05`; empty = none. */
  payStart: string;
  /** Empty = the platform's own rule. */
  retentionDays: string;
  registryData: string;
  bic: string;
  creditorSuffix: string;
};

export const extraValues = (company: Company): ExtraValues => ({
  status: String(company.status),
  payStart: madridDay(company.pay_startAt),
  retentionDays: company.retentionDays === null ? '' : String(company.retentionDays),
  registryData: company.registryData ?? '',
  bic: company.bic ?? '',
  creditorSuffix: company.creditorSuffix ?? '',
});

/** Ten years: longer is a slip of the finger. */
export const RETENTION_MAX = 3650;

/** Texts beside the fields that only the administrator sees. */
export function extraErrors(t: T, values: ExtraValues): Partial<Record<keyof ExtraValues, string>> {
  const errors: Partial<Record<keyof ExtraValues, string>> = {};
  const days = values.retentionDays.trim();
  if (days && !(/^\d{1,4}$/.test(days) && Number(days) >= 1 && Number(days) <= RETENTION_MAX)) {
    errors.retentionDays = t('companies.retentionInvalid', { max: RETENTION_MAX });
  }
  if (values.payStart && !startOfMadridDay(values.payStart)) errors.payStart = t('errors.invalid');
  const bic = values.bic.replace(/\s/g, '').toUpperCase();
  if (bic && !/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic)) errors.bic = t('companies.bicInvalid');
  const suffix = values.creditorSuffix.trim();
  if (suffix && !/^[A-Za-z0-9]{3}$/.test(suffix)) errors.creditorSuffix = t('companies.suffixInvalid');
  return errors;
}

/**
 * The rules of a company's form, for what was changed: old data that would not pass today bars nobody from giving an
 * IBAN. The platform's own data may be completed step by step, only the name is required.
 */
export function editErrors(t: T, company: Company, values: CompanyValues) {
  const stored = companyValues(company);
  const platform = kindOf(company.companyType) === PLATFORM;
  const judged = Object.entries(companyErrors(t, values)).filter(([key]) => {
    const name = key as keyof CompanyValues;
    const mayBeEmpty = platform && name !== 'name';
    return values[name] !== stored[name] && !(mayBeEmpty && !values[name].trim());
  });
  return Object.fromEntries(judged);
}

/**
 * What changed, for a `PUT` whose absent keys stay as they are: nothing that another person changed meanwhile is written
 * over. An IBAN left empty while one is stored is no change: it cannot be taken away here.
 */
export function changeOf(company: Company, values: CompanyValues, extra: ExtraValues | null): CompanyChange | null {
  const before = toCompany(companyValues(company));
  const after = toCompany(values);
  const changed = Object.entries(after).filter(
    ([key, value]) =>
      value !== before[key as keyof typeof before] && !(key === 'bankAccount' && value === null && company.hasIban),
  );
  const rest = extra ? extraChange(company, extra) : [];
  return changed.length + rest.length > 0 ? { _id: company._id, ...Object.fromEntries([...changed, ...rest]) } : null;
}

function extraChange(company: Company, values: ExtraValues): [string, unknown][] {
  const before = extraValues(company);
  const differs = (name: keyof ExtraValues) => values[name].trim() !== before[name].trim();
  const text = (value: string) => value.trim() || null;
  if (kindOf(company.companyType) === PLATFORM) {
    const own: [keyof ExtraValues, unknown][] = [
      ['registryData', text(values.registryData)],
      ['bic', text(values.bic.replace(/\s/g, '').toUpperCase())],
      ['creditorSuffix', text(values.creditorSuffix.toUpperCase())],
    ];
    return own.filter(([name]) => differs(name));
  }
  const days = values.retentionDays.trim();
  const all: [keyof ExtraValues, string, unknown][] = [
    ['status', 'status', Number(values.status)],
    ['payStart', 'pay_startAt', startOfMadridDay(values.payStart)],
    ['retentionDays', 'retentionDays', days ? Number(days) : null],
  ];
  return all.filter(([name]) => differs(name)).map(([, key, value]) => [key, value]);
}

/** What a form shows after the stored values changed beside it: fields that nobody touched follow, typed ones stay. */
export function rebased<V extends Record<string, string>>(current: V, before: V, after: V): Partial<V> {
  const followed = Object.keys(after).filter((name) => current[name] === before[name] && before[name] !== after[name]);
  return Object.fromEntries(followed.map((name) => [name, after[name]])) as Partial<V>;
}
