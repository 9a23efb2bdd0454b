import { limits } from '@/api/generated/limits';
import { checkPhone, splitPhone, toE164 } from '@/shared/checks/phone';
import type { T } from '@/shared/i18n';
import { session } from '@/shared/session';
import type { NewRequest } from './api';
import type { ConferenceType, VideoCallRequest } from './model';

export interface RequestValues extends Record<string, unknown> {
  insuranceCompanyId: string;
  customerId: string;
  region: string;
  expedient: string;
  type: ConferenceType;
  country: string;
  phone: string;
  /** Of the vehicle, when there is one. */
  plate: string;
}

/** Of the region; the wire's limit. */
const REGION_MAX = 60;

/** What is wrong with these values, as texts beside the fields; the server has the last word. */
export function requestProblems(t: T, values: RequestValues): Partial<Record<keyof RequestValues & string, string>> {
  const found: Partial<Record<keyof RequestValues & string, string>> = {};
  if (!values.insuranceCompanyId) found.insuranceCompanyId = t('videocallrequests.e_insurer');
  else if (!values.customerId) found.customerId = t('videocallrequests.e_customer');
  const region = values.region.trim();
  if (!region) found.region = t('videocallrequests.e_region');
  else if ([...region].length > REGION_MAX) found.region = t('videocallrequests.e_tooLong', { max: REGION_MAX });
  const expedient = values.expedient.trim();
  if (!expedient) found.expedient = t('videocallrequests.e_expedient');
  else if ([...expedient].length > limits.expedientMax)
    found.expedient = t('videocallrequests.e_tooLong', { max: limits.expedientMax });
  else if (/[<>]/.test(expedient)) found.expedient = t('videocallrequests.e_markup');
  if (values.type === 1 && !/^[\p{L}\p{N} -]{0,20}$/u.test(values.plate.trim())) found.plate = t('videocall.e_carId');
  const phone = checkPhone(values.phone, values.country);
  if (phone === 'wrong') found.phone = t('videocallrequests.e_phone');
  if (phone === 'long' || values.phone.trim().length > limits.phoneMax)
    found.phone = t('videocallrequests.e_phoneLong');
  return found;
}

/** The body of `video-call-request`; `callbackAt` (RFC 3339) agrees on a time instead of ringing now. */
export function toBody(values: RequestValues, customerName?: string, callbackAt?: string): NewRequest {
  return {
    insuranceCompanyId: values.insuranceCompanyId,
    customerId: values.customerId,
    customerName,
    region: values.region.trim(),
    expedient: values.expedient.trim(),
    type: values.type,
    starterPhone: toE164(values.phone, values.country) ?? undefined,
    plate: (values.type === 1 && values.plate.trim().toUpperCase()) || undefined,
    callbackAt,
  };
}

/** The field of the form that a field of the answer's `errors` stands at, where the names differ. */
export const RENAMED = { starterPhone: 'phone' } as const;

// What was typed outlives a look at another page and a refused request, never the session: it is personal data.
let draft: RequestValues | null = null;
session.subscribe((current) => {
  if (!current) draft = null;
});

export const keepDraft = (values: RequestValues) => {
  draft = values;
};

export const hasDraft = () => draft !== null;

/** What one asks for most often. */
export interface Habit {
  insuranceCompanyId: string;
  customerId: string;
  region: string;
  type: ConferenceType;
}

export function readHabit(stored: unknown): Partial<Habit> {
  const habit = (stored ?? {}) as Record<string, unknown>;
  const text = (name: string) => (typeof habit[name] === 'string' ? (habit[name] as string) : '');
  return {
    insuranceCompanyId: text('insuranceCompanyId'),
    customerId: text('customerId'),
    region: text('region'),
    type: habit.type === 2 ? 2 : 1,
  };
}

/** What the form begins with: what was typed before, else one's habits and own phone. */
export function startValues(habit: Partial<Habit>, phone: string | null | undefined): RequestValues {
  if (draft) return draft;
  const empty = { insuranceCompanyId: '', customerId: '', region: '', expedient: '', type: 1 as const, plate: '' };
  return { ...empty, ...habit, ...splitPhone(phone) };
}

/** The values of a request that came to nothing, to try again with; `customer` false leaves that choice open. */
export function valuesOf(request: VideoCallRequest, customer: boolean): RequestValues {
  return {
    insuranceCompanyId: request.insuranceCompanyId,
    customerId: customer ? request.customerId : '',
    region: request.region,
    expedient: request.expedient,
    type: request.type,
    plate: request.plate ?? '',
    ...splitPhone(request.starterPhone),
  };
}
