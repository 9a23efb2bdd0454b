import type { ConferenceRow } from '@/api/types';
import { placeText } from '@/shared/lib/conferences';

export interface CaseFacts {
  contactPerson: string | null;
  phoneNumber: string | null;
  place: string | null;
  carId: string | null;
  customerName: string | null;
  type: number | null;
  firstAt: string | null;
  lastAt: string | null;
}

/** The facts of a case out of its calls: the newest call that says something has the last word. */
export function caseFacts(conferences: readonly ConferenceRow[]): CaseFacts {
  const newest = [...conferences].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  const last = <V>(read: (row: ConferenceRow) => V | null | undefined): V | null =>
    newest.map(read).find((value) => value !== null && value !== undefined && (value as unknown) !== '') ?? null;
  return {
    contactPerson: last((row) => row.contactPerson),
    phoneNumber: last((row) => row.phoneNumber),
    place: last(placeText),
    carId: last((row) => row.carId),
    customerName: last((row) => row.customerName),
    type: last((row) => row.type),
    firstAt: newest.at(-1)?.createdAt ?? null,
    lastAt: newest[0]?.createdAt ?? null,
  };
}
