import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';

const PHONE_MAX = 20;
/** An optional phone is looked at only when it is longer; a prefix alone is not a phone. */
const LOOKED_AT_FROM = 3;

export const SPAIN = 'ES';

export type PhoneVerdict = 'ok' | 'absent' | 'long' | 'wrong';

export function checkPhone(input: string, country: string): PhoneVerdict {
  const raw = input.trim();
  if (raw.length <= LOOKED_AT_FROM) return 'absent';
  if (raw.length > PHONE_MAX) return 'long';
  return parsePhoneNumberFromString(raw, country as CountryCode)?.isValid() ? 'ok' : 'wrong';
}

/** The whole number in E.164; `null` when there is none. What cannot be read goes as typed: the server says why. */
export function toE164(input: string, country: string): string | null {
  const raw = input.trim();
  if (raw.length <= LOOKED_AT_FROM) return null;
  return parsePhoneNumberFromString(raw, country as CountryCode)?.number ?? raw;
}

/** A stored number as the two parts of the field. */
export function splitPhone(phone: string | null | undefined): { country: string; phone: string } {
  const parsed = phone ? parsePhoneNumberFromString(phone, SPAIN) : undefined;
  if (!parsed) return { country: SPAIN, phone: phone ?? '' };
  if (!parsed.country) return { country: SPAIN, phone: parsed.number };
  return { country: parsed.country, phone: parsed.formatNational() };
}
