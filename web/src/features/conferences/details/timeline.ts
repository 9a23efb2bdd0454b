import type { Conference, Participant, Person, Track } from '@/api/types';
import { i18n, type T } from '@/shared/i18n';
import { coordinatesText } from '@/shared/lib/coordinates';
import { longDate, madridDay } from '@/shared/lib/dates';

export interface TimelineDay {
  day: string;
  tracks: Track[];
}

/** The events of a conference by day of Madrid, as they happened. */
export function byDay(tracks: readonly Track[]): TimelineDay[] {
  const days: TimelineDay[] = [];
  for (const track of [...tracks].sort((a, b) => a.seq - b.seq)) {
    const day = madridDay(track.at);
    const last = days.at(-1);
    if (last?.day === day) last.tracks.push(track);
    else days.push({ day, tracks: [track] });
  }
  return days;
}

export const dayTitle = (day: string, language: string): string => longDate(`${day}T12:00:00Z`, language);

/** Whose doing it was, by name where one is known. */
export function actorName(
  t: T,
  actor: string,
  conference: Pick<Conference, 'contactPerson' | 'userId' | 'userName'>,
  participants: readonly Pick<Participant, 'identity' | 'name'>[],
  people: readonly Pick<Person, '_id' | 'name'>[] = [],
): string {
  if (actor === 'client' || actor.startsWith('client:')) return conference.contactPerson || t('call.sideClient');
  if (!actor.startsWith('user:')) return t('conferences.system');
  const known =
    participants.find(({ identity }) => identity === actor)?.name ||
    people.find(({ _id }) => actor === `user:${_id}`)?.name;
  return known || (actor === `user:${conference.userId}` ? conference.userName : t('call.sideStaff'));
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What is to be known beyond the kind of event; empty when nothing is, or when it was erased. */
export function trackDetail(t: T, track: Pick<Track, 'type' | 'data'>): string {
  const data = track.data ?? {};
  switch (track.type) {
    case 'LINK_OPENED':
      return [text(data.browser), text(data.os), text(data.ip)].filter(Boolean).join(' · ');
    case 'LEGAL_ACCEPTED':
    case 'LEGAL_REJECTED':
      return text(data.ip);
    case 'GEO_FIX': {
      const [latitude = Number.NaN, longitude = Number.NaN] = text(data.position).split(',').map(Number);
      if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return '';
      const metres = typeof data.accuracyM === 'number' ? t('conferences.accuracy', { metres: data.accuracyM }) : '';
      return [coordinatesText({ latitude, longitude }), metres].filter(Boolean).join(' · ');
    }
    case 'MEDIA_CAPTURED':
    case 'FILE_UPLOADED':
      return text(data.name);
    case 'CHAT':
      return text(data.text);
    case 'CONFERENCE_CLOSED':
      return typeof data.durationS === 'number' ? t('conferences.lasted', { seconds: data.durationS }) : '';
    case 'SMS_FAILED':
    case 'EMAIL_BOUNCED':
    case 'WHATSAPP_FAILED':
      return codeWords(t, text(data.error) || text(data.code));
    default:
      return '';
  }
}

/** The words of a code when there are some, else the code itself. */
function codeWords(t: T, code: string): string {
  const key = `errors.${code.toLowerCase()}`;
  return code && i18n.exists(key) ? (t as unknown as (key: string) => string)(key) : code;
}
