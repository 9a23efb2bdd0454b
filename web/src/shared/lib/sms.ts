import { limits } from '@/api/generated/limits';

// How long an SMS is. Source: 3GPP TS 23.038 (default alphabet), vectors/sms.json in the test.

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

/** SMS text max; exactly the maximum is allowed. */
export const SMS_TEXT_MAX = limits.smsTextMax;

/** GSM-7 160 per message (153 per part), characters of the extension cost two; anything else makes it UCS-2, 70 (67). */
export function smsSize(text: string): SmsSize {
  const characters = [...text];
  const septets = characters.map((char) => (basic.has(char) ? 1 : extension.has(char) ? 2 : 0));
  if (septets.includes(0))
    return sized(
      'UCS-2',
      characters.map(({ length }) => length),
      70,
      67,
    );
  return sized('GSM-7', septets, 160, 153);
}

/** A character of two units is never torn between two parts. */
function sized(encoding: SmsSize['encoding'], costs: number[], alone: number, part: number): SmsSize {
  const units = costs.reduce((sum, cost) => sum + cost, 0);
  if (units <= alone) return { encoding, units, segments: units === 0 ? 0 : 1 };
  let segments = 1;
  let used = 0;
  for (const cost of costs) {
    if (used + cost > part) {
      segments += 1;
      used = 0;
    }
    used += cost;
  }
  return { encoding, units, segments };
}

// What is written instead of characters that would force UCS-2; the same pairs as the server's. ñ is in the alphabet.
const FOLD_FROM = [...'áíóúÁÍÓÚÀÈÌÒÙçïÏëËâêîôûãõ·«»“”‘’–—\u00a0ªº'];
const FOLD_TO = [...'aiouAIOUAEIOUciIeEaeiouao.""""\'\'-- ao'];
const fold = new Map(FOLD_FROM.map((from, place) => [from, FOLD_TO[place] ?? from]));

/** "Quitar tildes en los SMS": replaces only what makes an SMS dearer and has a plain relative. */
export const foldAccents = (text: string) =>
  [...text]
    .map((char) => fold.get(char) ?? char)
    .join('')
    .replaceAll('…', '...');
