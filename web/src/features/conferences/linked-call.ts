import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { CallLink } from '@/shared/lib/call-link';
import { type ConferenceType, emptyValues, type VideocallValues } from './videocall-form';

const TYPES: Record<string, ConferenceType> = { 1: 1, autos: 1, 2: 2, diversos: 2 };

/** A form that another system filled in. */
export interface LinkedCall {
  values: VideocallValues;
  /** Fields that it filled in: they are checked at once, so that what is wrong is seen before anything is sent. */
  given: ('expedientNumber' | 'contactPerson' | 'phone')[];
  /** A type that does not exist, as it came; the form keeps its own. */
  unknownType: string | null;
}

/** The form of what a link says. A whole number is taken apart into its country and the rest. */
export function linkedCall(link: CallLink): LinkedCall {
  const values = emptyValues();
  const type = link.type.trim().toLowerCase();
  const phone = parsePhoneNumberFromString(link.phone, 'ES');
  const whole = phone?.country && phone.isValid() ? phone : null;
  return {
    values: {
      ...values,
      type: TYPES[type] ?? values.type,
      expedientNumber: link.expedient.trim(),
      contactPerson: link.contact.trim(),
      country: whole?.country ?? values.country,
      phone: whole ? whole.nationalNumber : link.phone.trim(),
    },
    given: [
      ...(link.expedient.trim() ? (['expedientNumber'] as const) : []),
      ...(link.contact.trim() ? (['contactPerson'] as const) : []),
      ...(link.phone.trim() ? (['phone'] as const) : []),
    ],
    unknownType: type && !TYPES[type] ? link.type.trim() : null,
  };
}
