import { limits } from '@/api/generated/limits';
import { checkPhone, SPAIN, splitPhone, toE164 } from '@/shared/checks/phone';
import type { T } from '@/shared/i18n';
import { isEmailAddress, needsPhone } from './model';

export type UserValues = { name: string; surname: string; phoneCountry: string; phone: string };

export function userValues(emailOPhone: string): UserValues {
  const own = isEmailAddress(emailOPhone) ? { country: SPAIN, phone: '' } : splitPhone(emailOPhone);
  return { name: '', surname: '', phoneCountry: own.country, phone: own.phone };
}

/** Name and surname, and for roles 5 and 7 a phone. */
export function userErrors(t: T, role: number, values: UserValues): Partial<Record<keyof UserValues, string>> {
  const found: Partial<Record<keyof UserValues, string>> = {};
  for (const name of ['name', 'surname'] as const) {
    const text = values[name].trim();
    if (!text) found[name] = name === 'name' ? t('common.write_name') : t('common.write_surname');
    else if (text.length > limits.lineMax) found[name] = t('companies.tooLong', { max: limits.lineMax });
  }
  const phone = checkPhone(values.phone, values.phoneCountry);
  if (phone === 'absent' && needsPhone(role)) found.phone = t('activation.phoneRequired');
  if (phone === 'wrong') found.phone = t('companies.phoneIncorrect');
  if (phone === 'long') found.phone = t('companies.phoneTooLong');
  return found;
}

/** The body of the new user, without password; the address is the invitation's own. */
export function toUser(values: UserValues, emailOPhone: string) {
  const byEmail = isEmailAddress(emailOPhone);
  return {
    name: values.name.trim(),
    surname: values.surname.trim(),
    email: byEmail ? emailOPhone : undefined,
    phone: byEmail ? (toE164(values.phone, values.phoneCountry) ?? undefined) : emailOPhone,
  };
}
