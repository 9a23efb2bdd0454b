import type { Track } from '@/api/types';
import { i18n, type T } from '@/shared/i18n';

/** Event names of the chain; each has a text in `call.json` (tested). */
export const TRACK_TYPES = [
  'CONFERENCE_CREATED',
  'SMS_SENT',
  'SMS_DELIVERED',
  'SMS_FAILED',
  'EMAIL_SENT',
  'EMAIL_DELIVERED',
  'EMAIL_BOUNCED',
  'WHATSAPP_SENT',
  'WHATSAPP_DELIVERED',
  'WHATSAPP_FAILED',
  'LINK_OPENED',
  'LEGAL_SHOWN',
  'LEGAL_ACCEPTED',
  'LEGAL_REJECTED',
  'PERMISSION_GRANTED',
  'PERMISSION_DENIED',
  'GEO_FIX',
  'CONNECTED',
  'DISCONNECTED',
  'RECONNECTED',
  'DEVICE_WAITING',
  'DEVICE_ADMITTED',
  'DEVICE_REPLACED',
  'DEVICE_REFUSED',
  'RECORDING_STARTED',
  'RECORDING_PAUSED',
  'RECORDING_RESUMED',
  'RECORDING_STOPPED',
  'MEDIA_CAPTURED',
  'DRAWING_CHANGED',
  'MEASURE_CHANGED',
  'FILES_REQUESTED',
  'FILE_UPLOADED',
  'APPOINTMENT_PROPOSED',
  'APPOINTMENT_AGREED',
  'APPOINTMENT_CANCELLED',
  'CONFERENCE_CLOSED',
  'CERTIFICATE_ISSUED',
  'MEDIA_EXPIRED',
  'PARTICIPANT_INVITED',
  'CHAT',
] as const;

const KINDS = ['PICTURE', 'VIDEO', 'DOCUMENT'];
const PERMISSIONS = ['camera', 'microphone', 'geolocation'];

/** A permission that was not given and that nobody refused: the question stayed open, or was never asked. */
const NOT_REFUSED: Record<string, string> = {
  PERMISSION_NO_ANSWER: 'permission_unanswered',
  SKIPPED: 'permission_skipped',
};
const notRefused = ({ type, data }: Pick<Track, 'type' | 'data'>): string | undefined =>
  type === 'PERMISSION_DENIED' && typeof data?.reason === 'string' ? NOT_REFUSED[data.reason] : undefined;

const BAD = ['SMS_FAILED', 'EMAIL_BOUNCED', 'WHATSAPP_FAILED', 'LEGAL_REJECTED', 'PERMISSION_DENIED'];

/** Whether something failed or was refused. */
export const isBad = (track: Pick<Track, 'type' | 'data'>): boolean => BAD.includes(track.type) && !notRefused(track);

/** What happened, in a short sentence; permissions name which one, files of which kind. */
export function trackText(t: T, track: Pick<Track, 'type' | 'data' | 'actor'>): string {
  const loose = t as unknown as (key: string) => string;
  const hungUp = track.type === 'DISCONNECTED' && track.data?.reason === 'left';
  const name = notRefused(track) ?? (hungUp ? 'left' : track.type.toLowerCase());
  const key = `call.track_${name}`;
  const text = i18n.exists(key) ? loose(key) : t('call.track_other');
  const kind = typeof track.data?.type === 'string' ? track.data.type : '';
  if (track.type === 'MEDIA_CAPTURED' && KINDS.includes(kind)) return loose(`call.track_media_${kind.toLowerCase()}`);
  const permission = track.data?.permission;
  if (typeof permission === 'string' && PERMISSIONS.includes(permission)) {
    return `${text}: ${loose(`call.permission_${permission}`)}`;
  }
  const device = track.data?.device;
  if (track.type.startsWith('DEVICE_') && typeof device === 'string') return `${text}: ${device}`;
  const side =
    track.actor === 'client' ? t('call.sideClient') : track.actor.startsWith('user:') ? t('call.sideStaff') : '';
  const names = ['CONNECTED', 'DISCONNECTED', 'RECONNECTED'];
  return side && names.includes(track.type) ? `${text}: ${side}` : text;
}
