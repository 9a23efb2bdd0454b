import type { MediaItem } from '@/api/types';
import type { T } from '@/shared/i18n';

/** `Foto 7`, `Vídeo 1`; documents by their file name. The number is the place among its kind. */
export function itemTitle(t: T, item: MediaItem, items: readonly MediaItem[]): string {
  if (item.type === 'DOCUMENT') return item.originalFileName || item.filename;
  const n = items.filter((one) => one.type === item.type).findIndex((one) => one._id === item._id) + 1;
  return item.type === 'PICTURE' ? t('media.pictureN', { n }) : t('media.videoN', { n });
}

/** `Videollamada · foto HD`. */
export function originText(t: T, item: MediaItem): string {
  const origin = t(`media.origin_${item.origin}`);
  return item.method ? `${origin} · ${t(`media.method_${item.method}`)}` : origin;
}
