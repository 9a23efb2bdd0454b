import type { Conference, MediaItem } from '@/api/types';

export { galleryOrder, type Names, named, type ShownItem } from '@/shared/lib/media-names';

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

export interface View {
  /** 1 = whole picture. */
  scale: number;
  /** Shift of the picture's centre in px. */
  x: number;
  y: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
export const MAX_SCALE = 8;

/** The middle of two fingers and how far apart they are, in px. */
export interface Pinch {
  x: number;
  y: number;
  distance: number;
}

export const pinchOf = (a: { x: number; y: number }, b: { x: number; y: number }): Pinch => ({
  x: (a.x + b.x) / 2,
  y: (a.y + b.y) / 2,
  distance: Math.hypot(a.x - b.x, a.y - b.y),
});

/** What two fingers do: spread zooms about their middle, moving together pans. Places are from the frame's centre. */
export function pinched(view: View, from: Pinch, to: Pinch, width: number, height: number): View {
  const factor = from.distance > 0 ? to.distance / from.distance : 1;
  const zoomed = zoomAt(view, factor, from.x, from.y);
  return zoomed.scale === 1 ? WHOLE : pan(zoomed, to.x - from.x, to.y - from.y, width, height);
}

/** How much one notch of a wheel, or one step of a touch pad, zooms. `deltaY` in px. */
export const wheelFactor = (deltaY: number): number => Math.exp(-Math.min(100, Math.max(-100, deltaY)) * 0.0018);

/** Degrees clockwise that the picture is shown turned; the original is not touched. */
export type Turn = 0 | 90 | 180 | 270;

export const turnedOnce = (turn: Turn): Turn => ((turn + 90) % 360) as Turn;

/** Zooms by `factor` keeping the point (`px`, `py`, from the centre, in px) where it is; 1 puts the picture back. */
export function zoomAt(view: View, factor: number, px = 0, py = 0): View {
  const scale = Math.min(MAX_SCALE, Math.max(1, view.scale * factor));
  if (scale === 1) return WHOLE;
  const ratio = scale / view.scale;
  return { scale, x: px - (px - view.x) * ratio, y: py - (py - view.y) * ratio };
}

/** Moves the picture, keeping its middle within the frame of `width` × `height` px. */
export function pan(view: View, dx: number, dy: number, width: number, height: number): View {
  const limit = (value: number, size: number) => {
    const max = (size * (view.scale - 1)) / 2;
    return Math.min(max, Math.max(-max, value));
  };
  return { ...view, x: limit(view.x + dx, width), y: limit(view.y + dy, height) };
}
