import type { ConferenceDetails, Message, PermissionDetail, ProgressStep, Track } from '@/api/types';

/** What can be done when the client does not come in. Each is one click. */
export type WayOut = 'files' | 'call' | 'resend' | 'email' | 'number' | 'qr' | 'code' | 'copy' | 'new' | 'visit';

export const REASONS = [
  'sms_failed',
  'email_failed',
  'no_sms_provider',
  'not_delivered',
  'legal_rejected',
  'camera_denied',
  'microphone_denied',
  'geolocation_denied',
  'camera_not_found',
  'camera_in_use',
  'in_app_browser',
  'unsupported_browser',
  'permission_no_answer',
  'connection_failed',
  'link_expired',
  'other',
] as const;

/** Why a step failed, as the key of its texts (`videocall.w_r_{reason}`, `w_x_{reason}`). */
export type Reason = (typeof REASONS)[number];

/** At most five ways out per reason, best first; where nothing else works now, an appointment last. */
const waysByReason: Record<Reason, WayOut[]> = {
  sms_failed: ['number', 'email', 'qr', 'code'],
  email_failed: ['email', 'number', 'qr', 'code'],
  no_sms_provider: ['qr', 'code', 'copy', 'email'],
  not_delivered: ['qr', 'code', 'number', 'email', 'visit'],
  legal_rejected: ['call', 'resend', 'code'],
  camera_denied: ['files', 'resend', 'number', 'code', 'visit'],
  microphone_denied: ['call', 'resend', 'number', 'code', 'visit'],
  geolocation_denied: ['resend'],
  camera_not_found: ['number', 'files', 'qr', 'code', 'visit'],
  camera_in_use: ['files', 'resend', 'number', 'code'],
  in_app_browser: ['code', 'resend', 'qr', 'number', 'visit'],
  unsupported_browser: ['number', 'resend', 'qr', 'code', 'visit'],
  permission_no_answer: ['call', 'resend', 'code'],
  connection_failed: ['call', 'resend', 'number', 'qr', 'visit'],
  link_expired: ['new'],
  other: ['resend', 'email', 'qr', 'code'],
};

export const reasonOf = (code: string | null | undefined): Reason | null => {
  if (!code) return null;
  const key = code.toLowerCase() as Reason;
  return REASONS.includes(key) ? key : 'other';
};

/** A step as the panel shows it. */
export interface StepView extends ProgressStep {
  /** Set when the step failed, or needs a person although it has not: a kept message, an open question. */
  trouble: { reason: Reason; ways: WayOut[]; failed: boolean } | null;
}

/** The steps with their troubles. A remark on a step is over once the client opened the link. */
export function stepViews(details: ConferenceDetails): StepView[] {
  const opened = details.progress.steps.some((step) => step.step === 'opened' && step.state === 'done');
  return details.progress.steps.map((step) => {
    const reason = reasonOf(step.reason);
    const failed = step.state === 'failed';
    const shown = reason !== null && (failed || !opened);
    if (!shown && !failed) return { ...step, trouble: null };
    const key = reason ?? 'other';
    // A question that is still open has not failed (EVID-31).
    return {
      ...step,
      trouble: { reason: key, ways: waysByReason[key], failed: failed && key !== 'permission_no_answer' },
    };
  });
}

/** The newest message, which the progress speaks of. */
export function lastMessage(details: ConferenceDetails): Message | null {
  return details.messages.reduce<Message | null>(
    (newest, message) => (newest && newest.createdAt > message.createdAt ? newest : message),
    null,
  );
}

/** Whether nothing was sent and the client has not come yet: the link is shown and dictated (CASE-53). */
export function isAtOnce(details: ConferenceDetails): boolean {
  const opened = details.progress.steps.some((step) => step.step === 'opened' && step.state === 'done');
  return details.messages.length === 0 && !opened && !details.conference.closed;
}

/** Since when the adjuster waits: the newest message, else the opening. Milliseconds since the epoch. */
export function waitingSince(details: ConferenceDetails): number {
  return Date.parse(lastMessage(details)?.createdAt ?? details.conference.createdAt);
}

/** Whole seconds between two dates, `null` unless both are there and in order. */
export function secondsBetween(from: string | null | undefined, to: string | null | undefined): number | null {
  if (!from || !to) return null;
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

export type Platform = 'ios' | 'android' | 'other';

const latest = (tracks: Track[], type: string) => tracks.findLast((track) => track.type === type);

const textOf = (data: Record<string, unknown> | null | undefined, ...keys: string[]) =>
  keys.map((key) => data?.[key]).filter((value): value is string => typeof value === 'string' && value !== '');

/** The phone that opened the link: "iPhone · iOS 26 · Safari", as far as the tracks say. */
export function clientDevice(tracks: Track[]): string {
  const data = latest(tracks, 'LINK_OPENED')?.data;
  return textOf(data, 'device', 'model', 'os', 'browser').join(' · ');
}

export function clientPlatform(tracks: Track[]): Platform {
  const device = clientDevice(tracks);
  if (/iphone|ipad|ios/i.test(device)) return 'ios';
  return /android/i.test(device) ? 'android' : 'other';
}

/** Version and language of the accepted notice, when the track says them. */
export function acceptedLegal(tracks: Track[]): { version: string; language: string } | null {
  const data = latest(tracks, 'LEGAL_ACCEPTED')?.data;
  const version = data?.version;
  const language = data?.language;
  if ((typeof version !== 'string' && typeof version !== 'number') || typeof language !== 'string') return null;
  return { version: String(version), language };
}

export type Permission = keyof PermissionDetail;

/** The permissions in one state, in the order in which they are asked. */
export function permissionsIn(detail: PermissionDetail | null | undefined, state: PermissionDetail['camera']) {
  const order: Permission[] = ['camera', 'microphone', 'geolocation'];
  return order.filter((name) => detail?.[name] === state);
}
