import type { MediaItem } from '@/api/types';
import type { T } from '@/shared/i18n';

export { itemTitle, originalTitle } from '@/shared/lib/media-names';

/** `Videollamada · foto HD`. */
export function originText(t: T, item: MediaItem): string {
  const origin = t(`media.origin_${item.origin}`);
  return item.method ? `${origin} · ${t(`media.method_${item.method}`)}` : origin;
}
