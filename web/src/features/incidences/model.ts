import { limits } from '@/api/generated/limits';
import type { T } from '@/shared/i18n';
import type { ConferenceChoice, IncidenceInput, Opener } from '@/shared/lib/modals';
import type { IconName } from '@/shared/ui/Icon';
import { browserFacts, networkFacts } from './facts';
import { type NewImage, REASONS, STATUSES, type Status, TYPES } from './types';

/** What the incidence modal holds; an empty text is nothing chosen. */
export interface IncidenceValues {
  /** `1` conference, `2` general. */
  type: string;
  reason: string;
  comments: string;
  conference: ConferenceChoice | null;
  /** The case a general one is about. */
  expedient: string;
  phone: string;
  /** The incidence that is answered; of the support opener. */
  incidenceId: string;
  images: NewImage[];
}

export type Field = 'type' | 'reason' | 'comments' | 'conference' | 'expedient' | 'phone' | 'incidenceId';

export const emptyValues: IncidenceValues = {
  type: '',
  reason: '',
  comments: '',
  conference: null,
  expedient: '',
  phone: '',
  incidenceId: '',
  images: [],
};

/** What the modal begins with: choosing a conference sets the type and what belongs to it. */
export function firstValues(input: IncidenceInput): IncidenceValues {
  if (input.opener === 'support') return { ...emptyValues, incidenceId: input.incidenceId ?? '' };
  return input.conference ? { ...emptyValues, type: '1', conference: input.conference } : emptyValues;
}

const blank = (text: string) => text.trim() === '';

/** Whether there is anything in it that somebody would miss. */
export const isTouched = (values: IncidenceValues): boolean =>
  values.images.length > 0 || !blank(values.comments) || !blank(values.expedient) || !blank(values.phone);

/**
 * What is still missing. The list-add opener wants type, reason and comments, and a conference for type 1; support
 * hides reason and comments and wants an incidence and something to add to it.
 */
export function missingFields(opener: Opener, values: IncidenceValues): Field[] {
  const missing: [Field, boolean][] =
    opener === 'support'
      ? [
          ['incidenceId', values.incidenceId === ''],
          ['comments', blank(values.comments) && values.images.length === 0],
        ]
      : [
          ['type', values.type === ''],
          ['conference', values.type === '1' && values.conference === null],
          ['reason', values.reason === ''],
          ['comments', blank(values.comments)],
        ];
  return missing.filter(([, lacks]) => lacks).map(([field]) => field);
}

/** Filled in, but not as it can be sent. */
export function wrongFields(values: IncidenceValues): Partial<Record<Field, 'long' | 'phone'>> {
  const digits = values.phone.replace(/\D/g, '').length;
  const badPhone = !blank(values.phone) && (digits < limits.phoneMin || digits > limits.phoneMax);
  return {
    ...(values.comments.trim().length > limits.incidenceTextMax && { comments: 'long' as const }),
    ...(values.expedient.trim().length > limits.expedientMax && { expedient: 'long' as const }),
    ...(badPhone && values.type === '2' && { phone: 'phone' as const }),
  };
}

/** The body of `send-incidence`; absent fields are left out. Who sends it is the session's matter. */
export function toBody(opener: Opener, values: IncidenceValues) {
  const text = values.comments.trim() || undefined;
  const files = values.images;
  if (opener === 'support') return { incidence: { incidenceId: values.incidenceId, comments: text }, files };
  const general = values.type === '2';
  return {
    incidence: {
      type: Number(values.type),
      reason: Number(values.reason),
      comments: text,
      conferenceId: general ? undefined : values.conference?._id,
      expedientId: (general && values.expedient.trim()) || undefined,
      phoneNumber: (general && values.phone.trim()) || undefined,
      browser: browserFacts(),
      network: networkFacts(),
    },
    files,
  };
}

// The numbers come from the server; what it adds later has no words here.
export const typeText = (t: T, type: number): string => {
  const known = TYPES.find((one) => one === type);
  return known ? t(`incidences.t${known}`) : '–';
};
export const reasonText = (t: T, reason: number): string => {
  const known = REASONS.find((one) => one === reason);
  return known ? t(`incidences.r${known}`) : '–';
};
export const statusText = (t: T, status: number): string => {
  const known = STATUSES.find((one) => one === status);
  return known ? t(`incidences.status${known}`) : '–';
};

/** What the button says that moves an incidence there. */
export const moveText = (t: T, status: Status): string =>
  status === 1 ? statusText(t, 1) : t(`incidences.move${status}`);

type Look = { tone: 'ok' | 'warn' | 'acc' | 'quiet'; icon: IconName };

/** Amber waits for a person. */
export const STATUS_LOOK: Record<Status, Look> = {
  1: { tone: 'warn', icon: 'clock' },
  2: { tone: 'acc', icon: 'eye' },
  3: { tone: 'warn', icon: 'refresh' },
  4: { tone: 'quiet', icon: 'check' },
};

/** A case number, contact and day: how a conference is chosen. */
export const conferenceText = (choice: ConferenceChoice, when: string): string =>
  [choice.expedientNumber, choice.contactPerson, when].filter(Boolean).join(' · ');
