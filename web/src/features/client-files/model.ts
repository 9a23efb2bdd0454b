import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { ApiError } from '@/api/errors';
import { limits } from '@/api/generated/limits';
import type { ConferenceShot, MessageState } from '@/api/types';
import { errorText, type T } from '@/shared/i18n';
import type { NewRequest } from './api';

export type Channel = 'sms' | 'email';

/** One line of "what we ask for". */
export interface Thing {
  id: string;
  label: string;
  hint?: string;
  /** Key in the company's shot list. */
  shot?: string;
  state?: ConferenceShot['state'];
}

/** Everything typed and ticked; each channel keeps its own words, so that going over and back loses nothing. */
export interface RequestValues {
  channel: Channel;
  phone: string;
  email: string;
  emailTitle: string;
  smsText: string;
  emailText: string;
  pageText: string;
  /** What the adjuster ticked or unticked, by id; the rest is ticked when it was missing. */
  ticked: Record<string, boolean>;
  others: Thing[];
  remind: boolean;
  notify: boolean;
}

/** Things one request asks for at most. */
export const ITEMS_MAX = 30;
export const OTHER_MAX = limits.mediaLabelMax;
/** Characters under a thing's name. */
export const HINT_MAX = 120;

/** The e-mail address may have 350, its input takes 100. */
export const MAX = {
  sms: limits.smsTextMax,
  emailText: limits.emailTextMax,
  emailTitle: limits.emailTitleMax,
  page: limits.pageShowTextMax,
  email: limits.emailMax,
  emailInput: limits.emailInputMax,
  phone: limits.phoneMax,
  /** One more than may be sent, so that "too long" can be told. */
  phoneInput: limits.phoneMax + 1,
};

/** Characters as people count them. */
export const lengthOf = (text: string): number => [...text.trim()].length;

const EMAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]{2,}$/;

type Field = 'phone' | 'email' | 'emailTitle' | 'smsText' | 'emailText' | 'pageText' | 'items';
export type Problems = Partial<Record<Field, string>>;

function phoneProblem(t: T, raw: string): string | null {
  const phone = raw.trim();
  if (!phone) return t('common.write_phone');
  if (phone.length > MAX.phone) return t('clientfiles.phoneTooLong');
  if (phone.length < limits.phoneMin) return t('clientfiles.phoneInvalid');
  const number = parsePhoneNumberFromString(phone, 'ES');
  if (!number?.isValid()) return t('clientfiles.phoneInvalid');
  // An SMS does not reach a Spanish landline.
  const landline = number.countryCallingCode === '34' && !/^[67]/.test(number.nationalNumber);
  return landline ? t('clientfiles.phoneInvalid') : null;
}

function emailProblem(t: T, raw: string): string | null {
  const email = raw.trim();
  if (!email) return t('common.write_email');
  if (email.length > MAX.email) return t('clientfiles.emailTooLong');
  return EMAIL.test(email) ? null : t('clientfiles.emailInvalid');
}

function textProblem(
  t: T,
  text: string,
  max: number,
  tooLong: string,
  missing = t('common.write_text'),
): string | null {
  if (!text.trim()) return missing;
  return lengthOf(text) > max ? tooLong : null;
}

/** What is wrong with a request, by field, in the words shown beside it. */
export function problems(t: T, values: RequestValues, requested: boolean, things: number): Problems {
  const sms = values.channel === 'sms';
  const found: Record<Field, string | null> = {
    phone: sms ? phoneProblem(t, values.phone) : null,
    email: sms ? null : emailProblem(t, values.email),
    emailTitle: sms
      ? null
      : textProblem(
          t,
          values.emailTitle,
          MAX.emailTitle,
          t('clientfiles.titleTooLong'),
          t('clientfiles.titleRequired'),
        ),
    smsText: sms ? textProblem(t, values.smsText, MAX.sms, t('clientfiles.smsTooLong')) : null,
    emailText: sms ? null : textProblem(t, values.emailText, MAX.emailText, t('clientfiles.messageTooLong')),
    pageText: requested ? null : textProblem(t, values.pageText, MAX.page, t('clientfiles.pageTextTooLong')),
    items:
      things === 0
        ? t('clientfiles.noItems')
        : things > ITEMS_MAX
          ? t('clientfiles.tooManyItems', { max: ITEMS_MAX })
          : null,
  };
  return Object.fromEntries(Object.entries(found).filter(([, text]) => text !== null));
}

/** The form's field for a field of the server's answer; `null` when the form has none. */
export function formField(field: string, channel: Channel): Field | null {
  const sms = channel === 'sms';
  const fields: Record<string, Field> = {
    to: sms ? 'phone' : 'email',
    contactText: sms ? 'smsText' : 'emailText',
    emailTitle: 'emailTitle',
    pageShowText: 'pageText',
    items: 'items',
  };
  return fields[field.split(/[.[]/)[0] ?? ''] ?? null;
}

/** Papers that no shot list has, by type of case; offered, not ticked. */
const EXTRAS = {
  1: ['extra_registration', 'extra_statement', 'extra_invoice'],
  2: ['extra_policy', 'extra_report', 'extra_invoice'],
} as const;

/** Everything that can be asked for: the type's shots, then the papers, then what was added. */
export function allThings(t: T, shots: readonly ConferenceShot[], type: number, others: readonly Thing[]): Thing[] {
  const fromList = shots.map(({ key, label, hint, state }) => ({
    id: `shot ${key}`,
    label,
    hint: hint ?? undefined,
    shot: key,
    state,
  }));
  const papers = EXTRAS[type === 2 ? 2 : 1].map((key) => ({ id: key, label: t(`clientfiles.${key}`) }));
  return [...fromList, ...papers, ...others];
}

/** A shot that is missing or came out badly is asked for unless unticked; anything else only when ticked. */
export function isTicked(thing: Thing, ticked: Record<string, boolean>): boolean {
  return ticked[thing.id] ?? (thing.state === 'missing' || thing.state === 'poor');
}

/** The body of `client-files/new`. */
export function toBody(
  values: RequestValues,
  conferenceId: string,
  requested: boolean,
  things: readonly Thing[],
): NewRequest {
  const sms = values.channel === 'sms';
  const typed = values.phone.trim();
  return {
    contactType: sms ? 1 : 2,
    conferenceId,
    to: sms ? (parsePhoneNumberFromString(typed, 'ES')?.number ?? typed) : values.email.trim(),
    contactText: (sms ? values.smsText : values.emailText).trim(),
    emailTitle: sms ? null : values.emailTitle.trim(),
    pageShowText: requested ? null : values.pageText.trim(),
    items: things.map(({ shot = null, label, hint = null }) => ({ shot, label, hint })),
    remind: values.remind,
    notify: values.notify,
  };
}

/** An error with a code has that code's message; one without, the persistent-error message. */
export function sendError(t: T, error: unknown): string {
  const coded = error instanceof ApiError && error.code !== 'NETWORK' && !error.code.startsWith('HTTP_');
  return coded ? errorText(t, error) : t('clientfiles.persistent');
}

/** What a subject may not exceed, with the case number cut so that it does not. */
export function subjectFor(t: T, expedient: string): string {
  const spare = MAX.emailTitle - lengthOf(t('clientfiles.defaultTitle', { expedient: '' }));
  return t('clientfiles.defaultTitle', { expedient: [...expedient].slice(0, Math.max(0, spare - 1)).join('') });
}

/** The message of a request and the request are of one moment; clocks are written with differing precision. Ms. */
const SAME_MOMENT_MS = 1_000;

/** Where the newest message of a conference stands, when it is not older than `since`. */
export function stateOfSent(messages: readonly { createdAt: string; state: string }[], since: string) {
  const [newest] = [...messages].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  const own = newest && Date.parse(newest.createdAt) >= Date.parse(since) - SAME_MOMENT_MS;
  return own ? (newest.state as MessageState) : null;
}

interface SentTo {
  channel: Channel;
  to: string;
  notify: boolean;
}

/** What is said of a request that was sent, as far as it is true: where the message stands, and whether news will come. */
export function sentWords(t: T, state: MessageState | null, { channel, to, notify }: SentTo) {
  if (state === 'captured') {
    const text = channel === 'sms' ? t('clientfiles.keptSms', { to }) : t('clientfiles.keptEmail', { to });
    return { tone: 'warn', icon: 'doc', title: t('clientfiles.kept'), text } as const;
  }
  if (state === 'failed')
    return { tone: 'bad', icon: 'x', title: t('clientfiles.lost'), text: t('clientfiles.lostText') } as const;
  const sent = channel === 'sms' ? t('clientfiles.sentSms', { to }) : t('clientfiles.sentEmail', { to });
  const text = notify ? `${sent} ${t('clientfiles.sentNotify')}` : sent;
  return { tone: 'ok', icon: 'check', title: t('clientfiles.sent'), text } as const;
}
