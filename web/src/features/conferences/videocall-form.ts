import { z } from 'zod';
import { limits } from '@/api/generated/limits';
import type { components } from '@/api/generated/schema';
import { e164, type PhoneProblem, phoneProblem } from '@/shared/checks/client-phone';
import type { T } from '@/shared/i18n';
import { CLIENT_LANGUAGE_CODES, type ClientLanguage } from '@/shared/i18n/languages';
import { SMS_TEXT_MAX } from '@/shared/lib/sms';

// Faster checks would be written as code at run time, which the pages' policy refuses; asking whether it does is a breach of it.
z.config({ jitless: true });

/** 1 Autos, 2 Diversos. */
export type ConferenceType = 1 | 2;
export type { ClientLanguage };

export interface VideocallValues {
  type: ConferenceType;
  expedientNumber: string;
  contactPerson: string;
  /** Country of the prefix, ISO 3166-1. */
  country: string;
  /** National number, or a whole one with its own +prefix. */
  phone: string;
  carId: string;
  address: string;
  postalCode: string;
  city: string;
  cityRegion: string;
  /** `none`: nothing is sent; the adjuster shows the QR or dictates the code. */
  channel: 'sms' | 'email' | 'none';
  email: string;
  smsText: string;
  language: ClientLanguage;
}

/** What the server sends when nobody changes the text: the company's own, else the default one of each language. */
export type SmsTexts = Pick<components['schemas']['SmsConference'], 'sms' | 'own' | 'language' | 'defaults'>;

export const emptyValues = (): VideocallValues => ({
  type: 1,
  expedientNumber: '',
  contactPerson: '',
  country: 'ES',
  phone: '',
  carId: '',
  address: '',
  postalCode: '',
  city: '',
  cityRegion: '',
  channel: 'sms',
  email: '',
  smsText: '',
  language: 'es',
});

/** Lengths that the server allows too. */
const MAX = {
  expedientNumber: limits.expedientMax,
  contactPerson: limits.lineMax,
  address: limits.lineMax,
  city: limits.lineMax,
  // The input's limit; an address may have 350.
  email: 100,
};

/** The rules as the form shows them; the server has the last word. Until `textKnown` the SMS may be left to it. */
export function videocallSchema(t: T, textKnown = true) {
  const text = (max: number) =>
    z
      .string()
      .trim()
      .max(max, t('videocall.e_tooLong', { max }))
      .regex(/^[^<>]*$/, t('videocall.e_markup'));
  const phoneTexts: Record<PhoneProblem, string> = {
    required: t('videocall.e_phoneRequired'),
    short: t('videocall.e_phoneShort'),
    long: t('videocall.e_phoneLong'),
    invalid: t('videocall.e_phoneInvalid'),
    mobile: t('videocall.e_phoneMobile'),
  };
  return z
    .object({
      type: z.union([z.literal(1), z.literal(2)]),
      expedientNumber: text(MAX.expedientNumber).min(1, t('videocall.e_expedientRequired')),
      contactPerson: text(MAX.contactPerson),
      country: z.string(),
      phone: z.string(),
      carId: z
        .string()
        .trim()
        .regex(/^[\p{L}\p{N} -]{0,20}$/u, t('videocall.e_carId')),
      address: text(MAX.address),
      postalCode: z
        .string()
        .trim()
        .regex(/^((0[1-9]|[1-4]\d|5[0-2])\d{3})?$/, t('videocall.e_postalCode')),
      city: text(MAX.city),
      cityRegion: text(MAX.city),
      channel: z.enum(['sms', 'email', 'none']),
      email: z.string(),
      smsText: z.string(),
      language: z.enum(CLIENT_LANGUAGE_CODES),
    })
    .superRefine((values, context) => {
      const wrong = (path: keyof VideocallValues, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      const problem = phoneProblem(values.phone, values.country, values.channel === 'sms');
      if (problem) wrong('phone', phoneTexts[problem]);
      if (values.channel === 'email') {
        const email = values.email.trim();
        if (!email) wrong('email', t('videocall.e_emailRequired'));
        else if (email.length > MAX.email) wrong('email', t('videocall.e_tooLong', { max: MAX.email }));
        else if (!/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]{2,}$/.test(email)) wrong('email', t('videocall.e_emailInvalid'));
      }
      if (values.channel !== 'sms') return;
      const sms = values.smsText.trim();
      if (!sms) {
        if (textKnown) wrong('smsText', t('videocall.e_smsRequired'));
      } else if ([...sms].length > SMS_TEXT_MAX) wrong('smsText', t('videocall.e_smsTooLong'));
      else if (/[<>]/.test(sms)) wrong('smsText', t('videocall.e_markup'));
    });
}

/** What the SMS begins as: the company's own text, else the default one in the client's language; nothing until it is known. */
export const smsPrefill = (language: ClientLanguage, texts: SmsTexts | null): string =>
  (texts?.own ? texts.sms : texts?.defaults[language]) ?? '';

/** Whether the phone is a landline, which an SMS does not reach (CASE-50). */
export const isLandline = ({ phone, country, channel }: VideocallValues): boolean =>
  channel === 'sms' && phoneProblem(phone, country, true) === 'mobile';

/** Whether nobody has changed the text of the SMS. */
export function isPrefill(text: string, texts: SmsTexts | null): boolean {
  const begun = texts?.own ? [texts.sms] : Object.values(texts?.defaults ?? {});
  return ['', ...begun.map((one) => one.trim())].includes(text.trim());
}

/** Whether the client gets the company's own text, which is in the company's language, and not in the client's. */
export const isForeign = ({ channel, smsText, language }: VideocallValues, texts: SmsTexts | null): boolean =>
  channel === 'sms' && texts?.own === true && texts.language !== language && smsText.trim() === texts.sms.trim();

/**
 * The body of `getToken`. Empty optional fields are left out, and so is a
 * text of the SMS that nobody changed: the server knows the company's own.
 */
export function toRequest(values: VideocallValues, texts: SmsTexts | null = null) {
  const filled = (text: string) => text.trim() || undefined;
  const place = [values.address, values.postalCode, values.city, values.cityRegion].map((part) => part.trim());
  return {
    appType: 'web',
    type: values.type,
    expedientNumber: values.expedientNumber.trim(),
    contactPerson: filled(values.contactPerson),
    phoneNumber: e164(values.phone, values.country) ?? values.phone.trim(),
    carId: values.type === 1 ? filled(values.carId)?.toUpperCase() : undefined,
    address: filled(values.address),
    postalCode: filled(values.postalCode),
    city: filled(values.city),
    cityRegion: filled(values.cityRegion),
    region: filled(values.cityRegion),
    fullAddress: filled(place.filter(Boolean).join(', ')),
    channel: values.channel,
    email: values.channel === 'email' ? filled(values.email) : undefined,
    smsText: values.channel === 'sms' && isOwnWords(values, texts) ? filled(values.smsText) : undefined,
    language: values.language,
  };
}

const isOwnWords = ({ smsText, language }: VideocallValues, texts: SmsTexts | null) =>
  smsText.trim() !== smsPrefill(language, texts).trim();

/** Which field of the form a field of the answer's `errors` belongs to; `null` when the form has none. */
export function formField(field: string): keyof VideocallValues | null {
  if (field === 'phoneNumber') return 'phone';
  if (field === 'fullAddress') return 'address';
  return field in emptyValues() ? (field as keyof VideocallValues) : null;
}
