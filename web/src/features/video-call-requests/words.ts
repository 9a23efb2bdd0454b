import type { T } from '@/shared/i18n';
import { clock } from '@/shared/lib/time';
import type { IconName } from '@/shared/ui/Icon';
import type { ConferenceType } from './model';

/** A running time as it is read at a glance, `3:41`. */
export const running = (ms: number) => clock(ms).replace(/^0(\d)/, '$1');

export const typeText = (t: T, type: ConferenceType) => (type === 1 ? t('videocall.type1') : t('videocall.type2'));
export const typeIcon = (type: ConferenceType): IconName => (type === 1 ? 'car' : 'home');

/** `9:07` where the reader is: an agreed time is kept by the clock on the wall. */
export const localClock = (iso: string, language: string) =>
  new Date(iso).toLocaleTimeString(language, { hour: 'numeric', minute: '2-digit' });

/** `hoy a las 17:30`, `mañana a las 9:00`, `el martes, 24 de noviembre a las 9:00`, where the reader is. */
export function whenText(t: T, language: string, iso: string, now: number): string {
  const at = new Date(iso);
  const today = new Date(now);
  const tomorrow = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1);
  const time = localClock(iso, language);
  if (at.toDateString() === today.toDateString()) return t('requests.today', { time });
  if (at.toDateString() === tomorrow.toDateString()) return t('requests.tomorrow', { time });
  const day = at.toLocaleDateString(language, { weekday: 'long', day: 'numeric', month: 'long' });
  return t('requests.onDay', { day, time });
}
