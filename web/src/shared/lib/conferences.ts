import { limits } from '@/api/generated/limits';
import type { ConferenceRow, DurationState, Observation } from '@/api/types';
import type { T } from '@/shared/i18n';
import { madridDay } from './dates';
import { daysBefore } from './day-range';

/** The display of a duration, the first that applies in this order; `now` is the moment asked about. */
export function durationState(
  conference: { duration: number | null; sid: string | null; closed: boolean; expiredAt: string },
  now: Date,
): DurationState {
  const { duration, sid, closed, expiredAt } = conference;
  if (duration !== null) return duration > limits.shortDurationS ? 'seconds' : 'lessThanTen';
  if (sid && closed) return 'pending';
  return new Date(expiredAt) > now ? 'notExpired' : 'noSession';
}

/** Since when somebody is in the room, ms since the epoch; null when nobody is. */
export function runningSince(row: Pick<ConferenceRow, 'closed' | 'rooms'>): number | null {
  const room = row.closed ? undefined : row.rooms.at(-1);
  return room && !room.endedAt ? Date.parse(room.startedAt) : null;
}

/** Street and town, the full address when there is one; empty when nothing is known. */
export const placeText = (row: Pick<ConferenceRow, 'fullAddress' | 'address' | 'city'>): string =>
  row.fullAddress || [row.address, row.city].filter(Boolean).join(' · ');

/** What the duration column says. */
export function durationText(t: T, row: Pick<ConferenceRow, 'duration' | 'durationState'>): string {
  if (row.durationState === 'seconds') return `${row.duration} s`;
  if (row.durationState === 'lessThanTen') return t('conferences.lt10');
  return row.durationState === 'noSession' ? t('conferences.noSession') : t('conferences.pending');
}

/** Who cancelled a call that the client never came to; null for every other one. */
export function cancelledText(t: T, { cancelledBy }: Pick<ConferenceRow, 'cancelledBy'>): string | null {
  if (cancelledBy === null || cancelledBy === undefined) return null;
  return t('conferences.cancelled', { name: cancelledBy || t('call.sideStaff') });
}

export function observationText(t: T, state: Observation): string {
  return {
    pending: t('conferences.obsPending'),
    correct: t('conferences.obsCorrect'),
    noLink: t('conferences.obsNoLink'),
    noLegal: t('conferences.obsNoLegal'),
    permissions: t('conferences.obsPermissions'),
    unknown: t('conferences.obsUnknown'),
  }[state];
}

/** The last days of a list when nobody chooses. */
const WINDOW_DAYS = 7;

/** The days of a list: those chosen, else the last seven; nothing after today. */
export function daysOf(filters: Record<string, string>, now: Date): { begin: string; end: string; today: string } {
  const today = madridDay(now.toISOString());
  const valid = (day: string | undefined) => (day && /^\d{4}-\d{2}-\d{2}$/.test(day) && day <= today ? day : undefined);
  const end = valid(filters.end) ?? today;
  const [begin = end] = [valid(filters.begin) ?? daysBefore(today, WINDOW_DAYS), end].sort();
  return { begin, end, today };
}

/** Whether somebody may still come: then there is a room to enter. */
export const isOpen = (row: Pick<ConferenceRow, 'closed' | 'expiredAt'>, now: Date) =>
  !row.closed && new Date(row.expiredAt) > now;

/** Whether an incidence may be about it: one of the last seven days of Madrid, as the list and the server count them. */
export const isRecent = (row: Pick<ConferenceRow, 'createdAt'>, now: Date) =>
  madridDay(row.createdAt) >= daysBefore(madridDay(now.toISOString()), limits.incidenceConferenceDays);
