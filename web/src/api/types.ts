// Names for the shapes of the generated OpenAPI types, so that a change on the server fails to compile here.
// Where the server's document says only "string" for one of a few words, the words are written down here.
import type { Mark } from '@/rtc/drawing/marks';
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
/** What is shown for a duration. */
export type DurationState = Schemas['DurationState'];
/** How far the client came, for the administrator. */
export type Observation = 'pending' | 'correct' | 'noLink' | 'noLegal' | 'permissions' | 'unknown';
/** The administrator's columns. */
export type Derived = Narrow<'Derived', { observations: Observation }>;
/** A line of a list of conferences; `derived` only for administrators. */
export type ConferenceRow = Narrow<'ConferenceRow', { derived?: Derived | null }>;
/** What a step of either side left in the chain; the keys of `data` depend on `type`. */
export type Track = Omit<Schemas['TrackView'], 'data' | 'hash'> & { data: Record<string, unknown> | null };

/** The picture that a call is frozen at. */
export type Frozen = Present<Schemas['FrozenView']>;
/** The marks on a picture. */
export type Drawing = Omit<Present<Schemas['DrawingView']>, 'marks'> & { marks: Mark[] };

/** What is measured on a picture. */
export type Measures = Present<Schemas['MeasureView']>;
export type MeasuredPlane = Schemas['MeasuredPlane'];

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
    place: Place | null;
    claimedPlace: Place | null;
    type: 'PICTURE' | 'VIDEO' | 'DOCUMENT';
    origin: 'call' | 'request' | 'upload' | 'late';
    method: 'takePhoto' | 'frame' | 'file' | 'recording' | null;
    /** The verdict on a file that was asked for. */
    review: 'approved' | 'rejected' | null;
    /** Of the client's device that took it. */
    deviceSignature: 'valid' | 'invalid' | 'unsigned' | null;
  }
>;
/** One photo that a case should have. */
export type Shot = Narrow<'Shot'>;
/** `poor`: there is a picture, but it has to be taken again. */
export type ShotState = Schemas['TickState'];
/** One entry of the guided list of `conference-shots/{id}`, with what the call left of it. */
export type ConferenceShot = Narrow<'TickedShot'>;
/** Both lists of a company. `custom`: whether the company changed its list; otherwise it follows the platform's. */
export type ShotLists = Omit<Schemas['ShotsBody'], 'shots'> & { shots: { autos: Shot[]; diversos: Shot[] } };

export type RequestState = Schemas['RequestState'];
export type ItemState = Schemas['ItemState'];
/** One thing that was asked for. */
export type RequestItem = Narrow<'FileItem'>;
/** A request for files as the adjuster sees it; `to` is masked. `contactType`: 1 SMS, 2 e-mail. */
export type FileRequest = Narrow<'FileRequest', { contactType: 1 | 2; items: RequestItem[] }>;

export type ExpedientNote = Schemas['NoteView'];
/** Everything of one case that the caller may see. */
export type Expedient = Narrow<
  'ExpedientBody',
  { conferences: ConferenceRow[]; media: MediaItem[]; requests: FileRequest[] }
>;

export type Erasure = Schemas['Erasure'];
/** An entry of the register of security breaches. */
export type Breach = Present<Schemas['Breach']>;
/** A request of a person's about his data. `subject` is masked. */
export type PrivacyRequest = Narrow<'PrivacyRequest', { kind: 'export' | 'erasure' }>;

/** The certificates of a conference, its last seal and whether its chain holds. */
export type CertificateFacts = {
  certificates: Present<Schemas['CertificateView']>[];
  seal: Present<Schemas['SealView']> | null;
  chain: Present<Schemas['ChainView']>;
};

export type ChatMessage = Narrow<'ChatMessage', { kind: 'staff' | 'client' }>;

/** Where the client or one of the files was, degrees and metres. */
export type Position = Narrow<'PositionView'>;

export type WaitingDevice = Narrow<'WaitingDevice'>;
/** What a position says about the insured place. */
export type Place = Present<Schemas['PlaceView']>;

/** Answer of `GET conferences-details/{id}` and the `snapshot` event. */
/** A user who did something in a conference. */
export interface Person {
  _id: string;
  name: string;
  role: number;
}

export type ConferenceDetails = {
  conference: Conference;
  tracks: Track[];
  participants: Participant[];
  /** Devices of the client that wait at the door of the call. */
  waiting: WaitingDevice[];
  /** Users behind the tracks. */
  people?: Person[];
  messages: Message[];
  progress: Progress;
  recording: RecordingState;
  positions: Position[];
  /** What the company's prices say about the call's length; minutes and euros. */
  billing?: { minuteLimit: number | null; exceededMinute: number } | null;
} & Pick<Schemas['DetailsBody'], 'capabilities' | 'url' | 'link'>;

export type OutboxMessage = Narrow<'OutboxItem', { state: MessageState }>;
