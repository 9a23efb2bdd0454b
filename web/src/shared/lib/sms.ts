import { limits } from '@/api/generated/limits';

// How long an SMS is. Source: 3GPP TS 23.038 (default alphabet), DOMAIN §6.7; vectors/sms.json in the test.

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENSION = '^{}\\[~]|€\f';

const basic = new Set(BASIC);
const extension = new Set(EXTENSION);

export interface SmsSize {
  encoding: 'GSM-7' | 'UCS-2';
  /** Septets, or UTF-16 units. */
  units: number;
  /** How many messages it takes; 0 for an empty text. */
  segments: number;
}

/** SPEC §9: SMS text max; exactly the maximum is allowed (DESIGN §7). */
export const SMS_TEXT_MAX = limits.smsTextMax;

/** GSM-7 160 per message (153 per part), characters of the extension cost two; anything else makes it UCS-2, 70 (67). */
export function smsSize(text: string): SmsSize {
  let units = 0;
  for (const char of text) {
    if (basic.has(char)) units += 1;
    else if (extension.has(char)) units += 2;
    else return sized('UCS-2', text.length, 70, 67);
  }
  return sized('GSM-7', units, 160, 153);
}

function sized(encoding: SmsSize['encoding'], units: number, alone: number, part: number): SmsSize {
  if (units === 0) return { encoding, units, segments: 0 };
  return { encoding, units, segments: units <= alone ? 1 : Math.ceil(units / part) };
}
