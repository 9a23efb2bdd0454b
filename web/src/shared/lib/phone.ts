import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** A phone as people read it; the national prefix is hidden when it is the default one. */
export function formatPhone(phone: string): string {
  const parsed = parsePhoneNumberFromString(phone, 'ES');
  if (!parsed?.isPossible()) return phone;
  return parsed.countryCallingCode === '34' ? parsed.formatNational() : parsed.formatInternational();
}
