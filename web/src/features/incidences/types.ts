import type { components } from '@/api/generated/schema';

type Schemas = components['schemas'];

/** As the server writes it: what has no value is there as null. Its reader would take it absent, so the document says so. */
type Whole<T> = T extends (infer One)[]
  ? Whole<One>[]
  : T extends object
    ? { [Key in keyof T]-?: Whole<Exclude<T[Key], undefined>> }
    : T;

/** 1 conference, 2 general. */
export type IncidenceType = 1 | 2;
/** 1 audio, 2 video, 3 sms, 4 geo, 5 others. */
export type Reason = 1 | 2 | 3 | 4 | 5;
/** 1 SIN_ATENDER, 2 REVISION, 3 REABIERTA, 4 ARCHIVADA. */
export type Status = 1 | 2 | 3 | 4;

export const TYPES: readonly IncidenceType[] = [1, 2];
export const REASONS: readonly Reason[] = [1, 2, 3, 4, 5];
export const STATUSES: readonly Status[] = [1, 2, 3, 4];

/** A line of the list. */
export type Incidence = Whole<Schemas['Incidence']>;
/** Everything of one. */
export type IncidenceDetail = Whole<Schemas['IncidenceDetail']>;
export type IncidenceImage = Whole<Schemas['IncidenceImage']>;
export type IncidenceNote = Whole<Schemas['IncidenceNote']>;
export type IncidenceLog = Schemas['IncidenceLog'];
export type Diagnostics = Whole<Schemas['IncidenceDiagnostics']>;
/** What a person's phone could do, as its page sent it. */
export type PhoneCheck = Schemas['PhoneCheckView'];

/** What `send-incidence` takes. */
export type SentIncidence = Schemas['SendIncidence'];

/** An image that is going to be sent: what `files` takes. */
export interface NewImage {
  /** `data:image/png;base64,…` */
  src: string;
  name: string;
}
