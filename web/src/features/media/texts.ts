import type { MediaItem } from '@/api/types';
import type { T } from '@/shared/i18n';
import type { ShownItem } from './model';

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

/** `Videollamada · foto HD`. */
export function originText(t: T, item: MediaItem): string {
  const origin = t(`media.origin_${item.origin}`);
  return item.method ? `${origin} · ${t(`media.method_${item.method}`)}` : origin;
}
