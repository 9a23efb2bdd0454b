import type { T } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';

/** What is shown for a duration (SPEC §4 Duration display). */
export type DurationState = 'seconds' | 'lessThanTen' | 'pending' | 'notExpired' | 'noSession';
export type Observation = 'pending' | 'correct' | 'noLink' | 'noLegal' | 'permissions' | 'unknown';

/** The administrator's columns (SPEC §6). */
export interface Derived {
  browser: string | null;
  os: string | null;
  observations: Observation;
  geolocation: boolean;
  pictures: number;
  videos: number;
}

/** A line of a list of conferences (SPEC §3 Conference). */
export interface ConferenceRow {
  _id: string;
  expedientNumber: string;
  type: 1 | 2;
  createdAt: string;
  customerName: string;
  userName: string;
  phoneNumber: string;
  contactPerson: string | null;
  fullAddress: string | null;
  address: string | null;
  city: string | null;
  carId: string | null;
  duration: number | null;
  durationState: DurationState;
  closed: boolean;
  expiredAt: string;
  isNewMedia: boolean;
  filesRequested: boolean;
  files: number;
  derived?: Derived;
}

/** What the duration column says. */
export function durationText(t: T, row: Pick<ConferenceRow, 'duration' | 'durationState'>): string {
  if (row.durationState === 'seconds') return `${row.duration} s`;
  if (row.durationState === 'lessThanTen') return t('conferences.lt10');
  return row.durationState === 'noSession' ? t('conferences.noSession') : t('conferences.pending');
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

/** The last days of a list when nobody chooses (SPEC §9 "Conference list window"). */
const WINDOW_DAYS = 7;

/** The days of a list: those chosen, else the last seven; nothing after today (SPEC §5 Other). */
export function daysOf(filters: Record<string, string>, now: Date): { begin: string; end: string; today: string } {
  const today = madridDay(now.toISOString());
  const week = new Date(`${today}T12:00:00Z`);
  week.setUTCDate(week.getUTCDate() - WINDOW_DAYS);
  const valid = (day: string | undefined) => (day && /^\d{4}-\d{2}-\d{2}$/.test(day) && day <= today ? day : undefined);
  const end = valid(filters.end) ?? today;
  const [begin = end] = [valid(filters.begin) ?? week.toISOString().slice(0, 10), end].sort();
  return { begin, end, today };
}

/** Whether somebody may still come: then the row leads into the room, else to its files. */
export const isOpen = (row: Pick<ConferenceRow, 'closed' | 'expiredAt'>, now: Date) =>
  !row.closed && new Date(row.expiredAt) > now;
