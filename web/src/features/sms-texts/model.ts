import { limits } from '@/api/generated/limits';
import { foldAccents, type SmsSize, smsSize } from '@/shared/lib/sms';
import type { IconName } from '@/shared/ui/Icon';
import type { SenderStatus, SmsSender } from './api';

/** What the client gets: the text, then the link; written plainly when the company wants that. */
export function composed(text: string, link: string, fold: boolean): string {
  const whole = `${text.trim()} ${link}`;
  return fold ? foldAccents(whole) : whole;
}

export const sizeOf = (text: string, link: string, fold: boolean): SmsSize => smsSize(composed(text, link, fold));

/** Characters as the server counts them. */
export const lengthOf = (text: string) => [...text.trim()].length;

export type TextProblem = 'long' | 'characters';

export function textProblem(text: string): TextProblem | null {
  if (lengthOf(text) > limits.smsTextMax) return 'long';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return /[\u0000-\u001f\u007f-\u009f<>]/.test(text.trim()) ? 'characters' : null;
}

export type SenderProblem = 'long' | 'short' | 'letter' | 'spaces' | 'characters';

/** What is wrong with a sender name; an empty one gives it up. */
export function senderProblem(name: string): SenderProblem | null {
  if (name === '') return null;
  if ([...name].length > limits.smsSenderMax) return 'long';
  if (!/^[A-Za-zñÑçÇ0-9 @&_.+-]*$/.test(name)) return 'characters';
  if (name.trim() !== name || name.includes('  ')) return 'spaces';
  if ([...name].length < 3) return 'short';
  return /[A-Za-zñÑçÇ]/.test(name) ? null : 'letter';
}

export type SenderState = SenderStatus | 'none';

export const senderState = ({ sms, status }: Pick<SmsSender, 'sms' | 'status'>): SenderState =>
  sms === '' ? 'none' : status;

/** Colour and sign of where a name stands. */
export const SENDER_LOOKS: Record<SenderState, { tone: 'ok' | 'warn' | 'bad' | 'acc' | 'quiet'; icon: IconName }> = {
  none: { tone: 'quiet', icon: 'minus' },
  draft: { tone: 'quiet', icon: 'pen' },
  requested: { tone: 'acc', icon: 'clock' },
  registered: { tone: 'ok', icon: 'check' },
  rejected: { tone: 'bad', icon: 'x' },
};

/** Where an administrator may move a registration; staying corrects its date and provider. */
export const MOVES: Record<SenderStatus, readonly SenderStatus[]> = {
  draft: ['draft', 'requested', 'registered'],
  requested: ['draft', 'requested', 'registered', 'rejected'],
  registered: ['registered', 'rejected'],
  rejected: ['draft', 'requested', 'rejected'],
};

/** Which of the four steps are done; the first that is not is the one to take. */
export function stepsDone(state: SenderState): number {
  return { none: 0, draft: 1, rejected: 1, requested: 3, registered: 4 }[state];
}
