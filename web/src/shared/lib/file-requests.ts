import { limits } from '@/api/generated/limits';
import type { Conference } from '@/api/types';
import type { RequestFilesInput } from './modals';

const DAY_MS = 86_400_000;

type Facts = Pick<Conference, 'duration'> & Partial<Pick<Conference, 'mayRequestFiles' | 'mediaExpired'>>;

/**
 * Whether the request-files button shows: the files have not expired, the call lasted more than 22 s, and the user may
 * request files (the server's answer: rights and window).
 */
export const showsRequestFiles = ({ duration, mayRequestFiles, mediaExpired }: Facts): boolean =>
  Boolean(mayRequestFiles) && !mediaExpired && (duration ?? 0) > limits.filesRequestDurationS;

/** When a link sent now dies: at the end of the window. */
export function requestWindowEnd({ createdAt, mediaRequestExpired }: RequestFilesInput): string | null {
  if (mediaRequestExpired) return mediaRequestExpired;
  if (!createdAt) return null;
  return new Date(Date.parse(createdAt) + limits.mediaRequestDays * DAY_MS).toISOString();
}

/** Whole days left until `end`; 0 when it has come. `now` in ms since the epoch. */
export const daysLeft = (end: string, now: number): number => Math.max(0, Math.floor((Date.parse(end) - now) / DAY_MS));

/** What the modal needs of a conference or of a row of a list. */
export const requestFilesInput = (
  conference: Pick<Conference, '_id' | 'expedientNumber' | 'phoneNumber' | 'filesRequested'> &
    Partial<Pick<Conference, 'contactPerson' | 'email' | 'type' | 'createdAt' | 'mediaRequestExpired'>>,
): RequestFilesInput => ({
  conferenceId: conference._id,
  expedientNumber: conference.expedientNumber,
  phoneNumber: conference.phoneNumber,
  filesRequested: conference.filesRequested,
  contactPerson: conference.contactPerson,
  email: conference.email,
  type: conference.type,
  createdAt: conference.createdAt,
  mediaRequestExpired: conference.mediaRequestExpired,
});
