import { type CountryCode, parsePhoneNumberFromString, validatePhoneNumberLength } from 'libphonenumber-js/min';
import { limits } from '@/api/generated/limits';

/** The whole number in E.164, or `null` while it is not one. */
export function e164(phone: string, country: string): string | null {
  return parsePhoneNumberFromString(phone, country as CountryCode)?.number ?? null;
}

export type PhoneProblem = 'required' | 'short' | 'long' | 'invalid' | 'mobile';

/** What is wrong with a phone number; `mobile` when an SMS would not reach it. */
export function phoneProblem(phone: string, country: string, sms: boolean): PhoneProblem | null {
  const raw = phone.trim();
  if (!raw) return 'required';
  if (raw.length < limits.phoneMin) return 'short';
  if (raw.length > limits.phoneMax) return 'long';
  const length = validatePhoneNumberLength(raw, country as CountryCode);
  if (length === 'TOO_SHORT') return 'short';
  if (length === 'TOO_LONG') return 'long';
  const parsed = parsePhoneNumberFromString(raw, country as CountryCode);
  if (!parsed?.isValid()) return 'invalid';
  const landline = parsed.countryCallingCode === '34' && !/^[67]/.test(parsed.nationalNumber);
  return sms && landline ? 'mobile' : null;
}
