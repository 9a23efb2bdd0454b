// Wire shapes of /work/plan/CONTRACT.md, until `generated/schema.ts` carries them.

export interface User {
  _id: string;
  role: number;
  status: number;
  parent: string | null;
  support: boolean;
  name: string;
  surname: string;
  exp?: number;
  userName: string;
  email: string | null;
  phone: string | null;
  legal: boolean;
  has2fa: boolean;
  company: {
    _id: string;
    company: string;
    companyType: number | string;
    /** Answer of the video-call guard (DESIGN §4): false means that `getToken` refuses. */
    mayCall?: boolean;
  } | null;
  language: string | null;
}

export interface MenuEntry {
  /** i18n key, such as `shell.newVideocall`. */
  name: string;
  url: string;
  type?: string | null;
  icon?: string | null;
  idSubmenu?: string | null;
  submenu?: MenuEntry[] | null;
}

export interface Account {
  _id: string;
  company: string | null;
}

export interface SessionAnswer {
  login: true;
  token: string;
  exp: number;
  user: User;
  menu: MenuEntry[];
}

export type LoginAnswer = SessionAnswer | { login: false; user: { _id: string; has2fa: true }; token: string };

export interface Prefix {
  code: string;
  name: string;
  prefix: string;
  flagUrl: string;
}

export interface Language {
  code: string;
  name: string;
  flagUrl: string;
}

export interface Conference {
  _id: string;
  expedientNumber: string;
  type: number | string;
  createdAt: string;
  customerName: string | null;
  userName: string | null;
  phoneNumber: string;
  contactPerson: string | null;
  fullAddress: string | null;
  address: string | null;
  city: string | null;
  cityRegion: string | null;
  postalCode: string | null;
  region: string | null;
  carId: string | null;
  duration: number | null;
  sid: string | null;
  closed: boolean;
  closedAt: string | null;
  expiredAt: string | null;
  rooms: { sid: string; startedAt: string; endedAt: string | null }[];
  jwt: string | null;
  hash: string | null;
  isNewMedia: boolean;
  mediaRequestExpired: string | null;
  filesRequested: boolean;
  language: string | null;
  customerId: string | null;
  userId: string | null;
  appType: string | null;
  contactId: string | null;
}

export interface Track {
  _id: string;
  seq: number;
  type: string;
  actor: string;
  at: string;
  data: Record<string, unknown> | null;
}

export type MessageState = 'queued' | 'captured' | 'sent' | 'delivered' | 'failed';

export interface Message {
  _id: string;
  channel: string;
  /** Masked. */
  to: string;
  subject: string | null;
  text: string;
  state: MessageState;
  createdAt: string;
  sentAt: string | null;
  error: string | null;
  link: string | null;
}

export interface Participant {
  identity: string;
  name: string | null;
  kind: 'staff' | 'client';
  connected: boolean;
  joinedAt: string | null;
  leftAt: string | null;
}

export type StepName = 'sent' | 'delivered' | 'opened' | 'legal' | 'permissions' | 'connected';
export type StepState = 'pending' | 'active' | 'done' | 'failed' | 'skipped';
export type PermissionState = 'pending' | 'granted' | 'denied' | 'skipped';

export interface PermissionDetail {
  camera: PermissionState;
  microphone: PermissionState;
  geolocation: PermissionState;
}

export interface ProgressStep {
  step: StepName;
  state: StepState;
  at: string | null;
  reason?: string | null;
  detail?: PermissionDetail | null;
}

export interface Progress {
  steps: ProgressStep[];
  current: StepName | null;
}

export interface RecordingState {
  state: 'idle' | 'recording' | 'paused';
  recordingId: string | null;
  startedAt: string | null;
  elapsedMs: number;
  by: string | null;
}

export interface MediaItem {
  _id: string;
  filename: string;
  originalFileName: string | null;
  type: 'PICTURE' | 'VIDEO' | 'DOCUMENT';
  hash: string;
  isNewMedia: boolean;
  expedientNumber: string;
  conferenceId: string;
  mime: string;
  size: number;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  capturedAt: string | null;
  createdAt: string;
  origin: 'call' | 'request' | 'upload';
  method: 'takePhoto' | 'frame' | 'file' | 'recording' | null;
  /** Six decimals, as text. */
  latitude: string | null;
  longitude: string | null;
  accuracy: number | null;
  lens?: string | null;
  participant: string | null;
  thumbnail: string | null;
  url: string;
}

export interface ChatMessage {
  _id: string;
  from: string;
  name: string | null;
  kind: 'staff' | 'client';
  text: string;
  at: string;
}

/** Answer of `GET conferences-details/{id}` and the `snapshot` event. */
export interface ConferenceDetails {
  conference: Conference;
  tracks: Track[];
  participants: Participant[];
  messages: Message[];
  progress: Progress;
  recording: RecordingState;
  capabilities: { recording: boolean; engine: 'embedded' | 'livekit' };
  url: string;
  link: string;
}

export interface OpenConferenceAnswer {
  conference: Conference;
  token: string;
  url: string;
  link: string;
}

export interface OutboxMessage {
  _id: string;
  channel: string;
  to: string;
  subject: string | null;
  text: string;
  html: string | null;
  state: MessageState;
  createdAt: string;
  error: string | null;
}
