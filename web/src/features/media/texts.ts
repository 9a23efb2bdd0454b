import type { MediaItem } from '@/api/types';
import type { T } from '@/shared/i18n';

export { itemTitle, originalTitle } from '@/shared/lib/media-names';

/** What the signature of the client's device shows; null where there is none to speak of. */
export function signatureText(t: T, item: MediaItem): string | null {
  if (!item.deviceSignature) return null;
  // A file chosen on the phone may be older than the call: only from then on is it known to be unchanged.
  if (item.deviceSignature === 'valid') return t(item.method === 'file' ? 'media.deviceChosen' : 'media.deviceTaken');
  return t(item.deviceSignature === 'invalid' ? 'media.deviceInvalid' : 'media.deviceUnsigned');
}

/** `Videollamada · foto HD`. */
export function originText(t: T, item: MediaItem): string {
  const origin = t(`media.origin_${item.origin}`);
  return item.method ? `${origin} · ${t(`media.method_${item.method}`)}` : origin;
}
