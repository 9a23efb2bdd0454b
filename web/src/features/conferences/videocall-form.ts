import { type CountryCode, parsePhoneNumberFromString, validatePhoneNumberLength } from 'libphonenumber-js/min';
import { z } from 'zod';
import { limits } from '@/api/generated/limits';
import type { T } from '@/shared/i18n';
import { LANGUAGE_CODES, type LanguageCode } from '@/shared/i18n/languages';
import { SMS_TEXT_MAX } from '@/shared/lib/sms';

/** 1 Autos, 2 Diversos. */
export type ConferenceType = 1 | 2;
export type ClientLanguage = LanguageCode;

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
  channel: 'sms' | 'email';
  email: string;
  smsText: string;
  language: ClientLanguage;
}

/** The company's text until it has its own (DOMAIN §6.7), in the client's language; the server adds the link. */
export const SMS_DEFAULT: Record<ClientLanguage, string> = {
  es: 'Pulse el enlace para iniciar la videoasistencia:',
  ca: 'Per iniciar la videoassistència, obri:',
  eu: 'Sakatu esteka bideolaguntza hasteko:',
  gl: 'Para iniciar a videoasistencia, abra:',
  en: 'Tap the link to start the video assistance:',
  fr: "Ouvrez le lien pour démarrer l'assistance vidéo :",
  pt: 'Abra o link para iniciar a videochamada:',
};

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
  smsText: SMS_DEFAULT.es,
  language: 'es',
});

/** Lengths that the server allows too. SPEC §5, §9. */
const MAX = {
  expedientNumber: limits.expedientMax,
  contactPerson: limits.lineMax,
  address: limits.lineMax,
  city: limits.lineMax,
  // The input's limit; an address may have 350.
  email: 100,
  phone: limits.phoneMax,
};

/** The whole number in E.164, or `null` while it is not one. */
export function e164(phone: string, country: string): string | null {
  return parsePhoneNumberFromString(phone, country as CountryCode)?.number ?? null;
}

type PhoneProblem = 'required' | 'short' | 'long' | 'invalid' | 'mobile';

/** What is wrong with a phone number; `mobile` when an SMS would not reach it. SPEC §5: 7 to 19 characters. */
export function phoneProblem(phone: string, country: string, sms: boolean): PhoneProblem | null {
  const raw = phone.trim();
  if (!raw) return 'required';
  if (raw.length < limits.phoneMin) return 'short';
  if (raw.length > MAX.phone) return 'long';
  const length = validatePhoneNumberLength(raw, country as CountryCode);
  if (length === 'TOO_SHORT') return 'short';
  if (length === 'TOO_LONG') return 'long';
  const parsed = parsePhoneNumberFromString(raw, country as CountryCode);
  if (!parsed?.isValid()) return 'invalid';
  const landline = parsed.countryCallingCode === '34' && !/^[67]/.test(parsed.nationalNumber);
  return sms && landline ? 'mobile' : null;
}

/** The rules of SPEC §5 and §7 as the form shows them; the server has the last word. */
export function videocallSchema(t: T) {
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
      channel: z.enum(['sms', 'email']),
      email: z.string(),
      smsText: z.string(),
      language: z.enum(LANGUAGE_CODES),
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
        return;
      }
      const sms = values.smsText.trim();
      if (!sms) wrong('smsText', t('videocall.e_smsRequired'));
      else if ([...sms].length > SMS_TEXT_MAX) wrong('smsText', t('videocall.e_smsTooLong'));
      else if (/[<>]/.test(sms)) wrong('smsText', t('videocall.e_markup'));
    });
}

/** The body of `getToken` (CONTRACT "Opening and running a conference"). Empty optional fields are left out. */
export function toRequest(values: VideocallValues) {
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
    fullAddress: filled(place.filter(Boolean).join(', ')),
    channel: values.channel,
    email: values.channel === 'email' ? filled(values.email) : undefined,
    smsText: values.channel === 'sms' ? filled(values.smsText) : undefined,
    language: values.language,
  };
}

/** Which field of the form a field of the answer's `errors` belongs to; `null` when the form has none. */
export function formField(field: string): keyof VideocallValues | null {
  if (field === 'phoneNumber') return 'phone';
  if (field === 'fullAddress') return 'address';
  return field in emptyValues() ? (field as keyof VideocallValues) : null;
}
