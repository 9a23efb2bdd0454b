import type { MediaItem } from '@/api/types';
import { Role, roleOf } from '@/shared/routes/access';
import { useSession } from '@/shared/session';

/** Formats that a browser may not draw; their preview it does. */
const UNDRAWN = /hei[cf]/i;

/** Whether this reader may measure on this file: the firm's own people, on a picture that is kept and can be shown. */
export function useMayMeasure(item: MediaItem): boolean {
  const session = useSession();
  const role = session && roleOf(session);
  const shown = item.type === 'PICTURE' && !item.expired && (item.preview !== null || !UNDRAWN.test(item.mime));
  return shown && item.width !== null && (role === Role.worker || role === Role.customer);
}
