import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

export type UserName = { kind: 'email' | 'phone'; value: string };

/** What a person writes to say who he is: an address, or a phone number (Spanish without a prefix). */
export function readUserName(input: string): UserName | null {
  const text = input.trim();
  if (text.includes('@')) {
    return /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]{2,}$/.test(text) ? { kind: 'email', value: text } : null;
  }
  const phone = parsePhoneNumberFromString(text, 'ES');
  return phone?.isPossible() ? { kind: 'phone', value: phone.number } : null;
}
