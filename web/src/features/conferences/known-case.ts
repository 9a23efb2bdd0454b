import type { ConferenceRow } from '@/api/types';
import { provinceOf } from '@/shared/checks/province';
import type { VideocallValues } from './videocall-form';

type Taken = Partial<VideocallValues>;

/** What a case's last conference knows that the form does not say yet; what somebody typed is never replaced. */
export function missingOf(known: ConferenceRow, values: VideocallValues): Taken {
  const offered: Taken = {
    contactPerson: known.contactPerson ?? '',
    phone: known.phoneNumber ?? '',
    carId: values.type === 1 ? (known.carId ?? '') : '',
    address: known.address || known.fullAddress || '',
    postalCode: known.postalCode ?? '',
    city: known.city ?? '',
    cityRegion: known.cityRegion ?? '',
  };
  const missing = Object.entries(offered).filter(([name, value]) => value && !values[name as keyof VideocallValues]);
  return Object.fromEntries(missing) as Taken;
}

/** The province of a Spanish postal code, for a field that nobody filled in. */
export const provinceFor = (postalCode: string, cityRegion: string): string | null =>
  cityRegion.trim() === '' ? provinceOf(postalCode) : null;
