import type { Conference, MediaItem } from '@/api/types';

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

const KIND_ORDER = { PICTURE: 0, VIDEO: 1, DOCUMENT: 2 } as const;

/** Pictures, then videos, then documents, each in capture order: the order of the grid and of the arrows. */
export function galleryOrder(media: readonly MediaItem[]): MediaItem[] {
  const at = (one: MediaItem) => Date.parse(one.capturedAt ?? one.createdAt);
  return [...media].sort(
    (a, b) => KIND_ORDER[a.type] - KIND_ORDER[b.type] || at(a) - at(b) || a._id.localeCompare(b._id),
  );
}

/** The item `step` places on, round the ends. */
export function neighbour(media: readonly MediaItem[], id: string, step: 1 | -1): MediaItem | null {
  const at = media.findIndex((one) => one._id === id);
  if (at < 0 || media.length < 2) return null;
  return media[(at + step + media.length) % media.length] ?? null;
}

export const totalSize = (media: readonly MediaItem[]): number => media.reduce((sum, one) => sum + one.size, 0);

/** Below this the phone's clock counts as right. Milliseconds. */
export const CLOCK_TOLERANCE_MS = 5_000;

/**
 * How far the phone's clock runs ahead of the server's: a picture cannot arrive before it was taken. Null when it does
 * not; a clock that is behind cannot be told from a slow upload.
 */
export function clockAheadMs(item: Pick<MediaItem, 'capturedAt' | 'createdAt'>): number | null {
  if (!item.capturedAt) return null;
  const ahead = Date.parse(item.capturedAt) - Date.parse(item.createdAt);
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
