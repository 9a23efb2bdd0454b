import type { Conference, MediaItem } from '@/api/types';

export { galleryOrder, type Names, named, type ShownItem } from '@/shared/lib/media-names';
export {
  DOUBLE_FACTOR,
  MAX_SCALE,
  type Pinch,
  pan,
  pinched,
  pinchOf,
  type View,
  WHOLE,
  wheelFactor,
  zoomAt,
} from '@/shared/lib/zoom';

/** The last pictures and the recording may still arrive this long after the end. Milliseconds. */
const SETTLING_MS = 45_000;

/** Whether files may still come in: the call goes on or has just ended. `now` in ms since the epoch. */
export function isSettling(conference: Pick<Conference, 'closed' | 'closedAt'> | undefined, now: number): boolean {
  if (!conference?.closed || !conference.closedAt) return false;
  return now - Date.parse(conference.closedAt) < SETTLING_MS;
}

/** Marks of new files stay while the page is open, although looking at them has told the server. `seen` collects ids. */
export function keepFresh(media: readonly MediaItem[], seen: Set<string>): MediaItem[] {
  for (const one of media) if (one.isNewMedia) seen.add(one._id);
  return media.map((one) => (seen.has(one._id) ? { ...one, isNewMedia: true } : one));
}

export type Filter = 'all' | MediaItem['type'];
export const FILTERS: readonly Filter[] = ['all', 'PICTURE', 'VIDEO', 'DOCUMENT'];

export const filtered = (media: readonly MediaItem[], filter: Filter): MediaItem[] =>
  media.filter((one) => filter === 'all' || one.type === filter);

/** The item `step` places on, round the ends. */
export function neighbour(media: readonly MediaItem[], id: string, step: 1 | -1): MediaItem | null {
  const at = media.findIndex((one) => one._id === id);
  if (at < 0 || media.length < 2) return null;
  return media[(at + step + media.length) % media.length] ?? null;
}

export const totalSize = (media: readonly MediaItem[]): number => media.reduce((sum, one) => sum + one.size, 0);

/** A picture most browsers cannot show (Safari can). */
export const isHeic = (item: Pick<MediaItem, 'mime'>): boolean => /^image\/hei[cf]/.test(item.mime);

/** What to show of a picture: the sender's preview where there is one, else the file. `null` when it is gone. */
export const shownUrl = (item: Pick<MediaItem, 'expired' | 'preview' | 'url'>): string | null =>
  item.expired ? null : (item.preview ?? item.url);

/** Whether the client sent it: in the call, or because it was asked for. */
export const isFromClient = ({ origin, participant }: Pick<MediaItem, 'origin' | 'participant'>): boolean =>
  origin === 'request' || participant?.startsWith('client') === true;

/** A file that came because it was asked for and still waits for a verdict. */
export const awaitsReview = (item: Pick<MediaItem, 'origin' | 'itemId' | 'review'>): boolean =>
  item.origin === 'request' && item.itemId !== null && item.review === null;

/** Below this the phone's clock counts as right. Milliseconds. */
export const CLOCK_TOLERANCE_MS = 5_000;

/**
 * How far the phone's clock runs ahead of the server's: a picture cannot arrive before it was taken. Null when it does
 * not, or when the phone did not tell its time; a clock that is behind cannot be told from a slow upload.
 */
export function clockAheadMs(item: Pick<MediaItem, 'deviceAt' | 'createdAt'>): number | null {
  if (!item.deviceAt) return null;
  const ahead = Date.parse(item.deviceAt) - Date.parse(item.createdAt);
  return ahead > CLOCK_TOLERANCE_MS ? ahead : null;
}

/** The hash in groups of eight, for reading aloud and comparing by eye. */
export const groupedHash = (hash: string): string => hash.match(/.{1,8}/g)?.join(' ') ?? hash;

/** `5:20`. */
export function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Degrees clockwise that the picture is shown turned; the original is not touched. */
export type Turn = 0 | 90 | 180 | 270;

export const turnedOnce = (turn: Turn): Turn => ((turn + 90) % 360) as Turn;
