/** What a file is called, the same wherever it is shown. */
import type { MediaItem } from '@/api/types';
import type { T } from '@/shared/i18n';

/** What the company called the shots of its list, by key; or what was asked for, by the id of that thing. */
export type Names = Readonly<Record<string, string>>;

/** An item with the name its shot has in the company's list, or with the words it was asked for in. */
export interface ShownItem extends MediaItem {
  shotLabel?: string;
}

export const named = (media: readonly MediaItem[], shots: Names, asked: Names): ShownItem[] =>
  media.map((one) => {
    const shotLabel = (one.shot && shots[one.shot]) || (one.itemId && asked[one.itemId]);
    return shotLabel ? { ...one, shotLabel } : one;
  });

const KIND_ORDER = { PICTURE: 0, VIDEO: 1, DOCUMENT: 2 } as const;

/** Pictures, then videos, then documents, each in capture order: the order of the grid and of the arrows. */
export function galleryOrder(media: readonly MediaItem[]): MediaItem[] {
  const at = (one: MediaItem) => Date.parse(one.capturedAt);
  return [...media].sort(
    (a, b) => KIND_ORDER[a.type] - KIND_ORDER[b.type] || at(a) - at(b) || a._id.localeCompare(b._id),
  );
}

/** Its name, or that of its shot; else `Foto 7`, `Vídeo 1`, the place among its kind; documents by their file name. */
export function itemTitle(t: T, item: ShownItem, items: readonly MediaItem[]): string {
  return item.label || originalTitle(t, item, items);
}

/** What it is called while nobody has named it. */
export function originalTitle(t: T, item: ShownItem, items: readonly MediaItem[]): string {
  if (item.shotLabel) return item.shotLabel;
  if (item.type === 'DOCUMENT') return item.originalFileName || item.filename;
  const n = items.filter((one) => one.type === item.type).findIndex((one) => one._id === item._id) + 1;
  return item.type === 'PICTURE' ? t('media.pictureN', { n }) : t('media.videoN', { n });
}
