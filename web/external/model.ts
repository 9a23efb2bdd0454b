/** The shapes the page shares: what the API answers and the vocabulary of the state machine. */

/** Languages of these pages: whoever had the damage may read none of the platform's seven (CLIENT-21). */
export type Language = 'es' | 'ca' | 'eu' | 'gl' | 'en' | 'fr' | 'pt' | 'de' | 'it' | 'ro' | 'ar';
export type Permission = 'camera' | 'microphone' | 'geolocation';
/** What a screen before the call asks the browser for: one device, or both in one prompt. */
export type Asked = Device | 'devices';
export type Device = 'camera' | 'microphone';
export type Outcome = 'pending' | 'granted' | 'denied' | 'skipped';
export type Outcomes = Record<Permission, Outcome>;

/**
 * Why a device could not be used. `blocked`: a person or a policy said no; `unanswered`: the prompt was closed without
 * an answer; `busy`: another app holds it.
 */
export type RefusalKind = 'blocked' | 'unanswered' | 'missing' | 'busy';

export interface RecordingState {
  state: 'idle' | 'recording' | 'paused';
  recordingId?: string | null;
  startedAt?: string | null;
  /** Milliseconds recorded when the state was sent, pauses left out. */
  elapsedMs?: number;
  by?: string | null;
}

export interface LegalDocument {
  documentId: string;
  version: number | string;
  language: string;
  title: string;
  html: string;
  sha256: string;
}

export interface LinkInfo {
  state: 'open' | 'expired' | 'closed' | 'declined';
  company: string;
  adjuster: string | null;
  /** Null when the link no longer opens. */
  expedientNumber: string | null;
  type: number;
  carId: string | null;
  contactPerson: string | null;
  language: string | null;
  languages?: string[];
  expiredAt: string | null;
  retentionDays: number | null;
  legal: LegalDocument | null;
  recording: RecordingState | null;
  contactPhone: string | null;
  /** The appointment to come; older servers do not say. */
  appointment?: Appointment | null;
}

/** A day and an hour for the call; agreed once both sides have named them. */
export interface Appointment {
  at: string;
  state: 'proposed' | 'agreed' | 'cancelled';
  proposedBy: 'staff' | 'client';
}

export interface ChatMessage {
  _id: string;
  from: string;
  name: string;
  kind: 'staff' | 'client' | string;
  text: string;
  /** A ready phrase, said in the language of this page (CHAT-3). */
  phrase?: string | null;
  at: string;
}

export interface JoinAnswer {
  url: string;
  token: string;
  identity: string;
  conference: { _id: string };
  recording: RecordingState | null;
  chat: ChatMessage[];
}

export const PERMISSIONS: readonly Permission[] = ['camera', 'microphone', 'geolocation'];
/** Asked before the call; the position is asked at the first picture (CLIENT-12). */
export const DEVICES: readonly Device[] = ['camera', 'microphone'];
export const NOTHING_ASKED: Outcomes = { camera: 'pending', microphone: 'pending', geolocation: 'pending' };

/** Codes that the adjuster's progress panel knows (`reason` of a failed step). */
export function refusalCode(permission: Permission, kind: RefusalKind): string {
  const device = permission.toUpperCase();
  if (kind === 'blocked') return `${device}_DENIED`;
  if (kind === 'unanswered') return 'PERMISSION_NO_ANSWER';
  if (permission === 'geolocation') return 'GEOLOCATION_UNAVAILABLE';
  return kind === 'missing' ? `${device}_NOT_FOUND` : `${device}_IN_USE`;
}
