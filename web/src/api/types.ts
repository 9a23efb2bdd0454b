// Names for the shapes of the generated OpenAPI types, so that a change on the server fails to compile here.
// Where the server's document says only "string" for one of a few words, the words are written down here.
import type { components } from './generated/schema';

type Schemas = components['schemas'];

/** The server writes an absent value as `null`; the document calls such a field optional. */
export type Present<S> = { [K in keyof S]-?: undefined extends S[K] ? Exclude<S[K], undefined> | null : S[K] };

/** A schema with some fields said more narrowly. */
type Narrow<S extends keyof Schemas, N extends Partial<Record<keyof Schemas[S], unknown>> = object> = Omit<
  Present<Schemas[S]>,
  keyof N
> &
  N;

export type User = Omit<Schemas['User'], 'company' | 'exp' | 'email' | 'phone' | 'language'> & {
  language: string;
  exp?: number | null;
  email?: string | null;
  phone?: string | null;
  company: UserCompany | null;
};
export type UserCompany = Pick<Schemas['UserCompany'], '_id' | 'company' | 'companyType'> &
  Partial<Omit<Schemas['UserCompany'], '_id' | 'company' | 'companyType'>>;
/** What a company still needs: terms accepted, bank account, a payment start that has come, active status. */
export type MissingPiece = Schemas['Missing'];
/** `name` is an i18n key, such as `shell.newVideocall`. */
export type MenuEntry = Omit<Schemas['MenuItem'], 'page' | 'submenu'> & { page?: string; submenu?: MenuEntry[] };
/** `last`: of several accounts, the one that logged in last. */
export type Account = Present<Schemas['LoginChoice']>;
export type SessionAnswer = Schemas['SessionAnswer'] & { login: true };
export type LoginAnswer = SessionAnswer | (Schemas['SecondFactorAnswer'] & { login: false });

export type Prefix = Schemas['PhonePrefix'];
export type Language = Schemas['AvailableLanguage'];

export type Conference = Narrow<'ConferenceView'>;
/** What a step of either side left in the chain; the keys of `data` depend on `type`. */
export type Track = Omit<Schemas['TrackView'], 'data' | 'hash'> & { data: Record<string, unknown> | null };

export type MessageState = 'queued' | 'captured' | 'sent' | 'delivered' | 'failed';
/** `to` is masked. */
export type Message = Narrow<'MessageView', { state: MessageState }>;
export type Participant = Narrow<'ParticipantView', { kind: 'staff' | 'client' }>;

export type StepName = Schemas['Step'];
export type StepState = Schemas['StepState'];
export type PermissionState = Schemas['PermissionState'];
export type PermissionDetail = Schemas['PermissionDetail'];
export type ProgressStep = Omit<Schemas['StepView'], 'at'> & { at: string | null };
export type Progress = { steps: ProgressStep[]; current: StepName };

export type RecordingState = Present<Schemas['RecordingView']>;

export type MediaItem = Narrow<
  'MediaView',
  {
    type: 'PICTURE' | 'VIDEO' | 'DOCUMENT';
    origin: 'call' | 'request' | 'upload';
    /** `null` for a document, which nobody captured. */
    capturedAt: string | null;
    method: 'takePhoto' | 'frame' | 'file' | 'recording' | null;
    /** The verdict on a file that was asked for. */
    review: 'approved' | 'rejected' | null;
  }
>;
/** One entry of the guided list of `conference-shots/{id}`, with what the call left of it. */
export interface ConferenceShot {
  key: string;
  label: string;
  hint: string | null;
  overlay: string | null;
  state: 'missing' | 'done' | 'poor';
  mediaId: string | null;
  at: string | null;
}
export interface ConferenceShots {
  shots: ConferenceShot[];
}

export type ChatMessage = Narrow<'ChatMessage', { kind: 'staff' | 'client' }>;

/** Answer of `GET conferences-details/{id}` and the `snapshot` event. */
export type ConferenceDetails = {
  conference: Conference;
  tracks: Track[];
  participants: Participant[];
  messages: Message[];
  progress: Progress;
  recording: RecordingState;
} & Pick<Schemas['DetailsBody'], 'capabilities' | 'url' | 'link'>;

export type OutboxMessage = Narrow<'OutboxItem', { state: MessageState }>;
