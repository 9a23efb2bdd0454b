/** The shapes the page shares: what the API answers and the vocabulary of the state machine. */

/** Languages of the platform: those the server knows. */
export type ServerLanguage = 'es' | 'ca' | 'eu' | 'gl' | 'en' | 'fr' | 'pt';
/** Languages of these pages: whoever had the damage may read none of the platform's (CLIENT-21). */
export type Language = ServerLanguage | 'de' | 'it' | 'ro' | 'ar';
export type Permission = 'camera' | 'microphone' | 'geolocation';
export type Outcome = 'pending' | 'granted' | 'denied' | 'skipped';
export type Outcomes = Record<Permission, Outcome>;

/** Why a device could not be used. `blocked`: a person or a policy said no; `busy`: another app holds it. */
export type RefusalKind = 'blocked' | 'missing' | 'busy';

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
  expedientNumber: string;
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
}

export interface ChatMessage {
  _id: string;
  from: string;
  name: string;
  kind: 'staff' | 'client' | string;
  text: string;
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
export const NOTHING_ASKED: Outcomes = { camera: 'pending', microphone: 'pending', geolocation: 'pending' };

/** Codes that the adjuster's progress panel knows (`reason` of a failed step). */
export function refusalCode(permission: Permission, kind: RefusalKind): string {
  const device = permission.toUpperCase();
  if (kind === 'blocked') return `${device}_DENIED`;
  if (permission === 'geolocation') return 'GEOLOCATION_UNAVAILABLE';
  return kind === 'missing' ? `${device}_NOT_FOUND` : `${device}_IN_USE`;
}
