import type { T } from '@/shared/i18n';
import { localClock, localWeekday } from '@/shared/lib/format';
import { clock } from '@/shared/lib/time';
import type { IconName } from '@/shared/ui/Icon';
import type { ConferenceType } from './model';

/** A running time as it is read at a glance, `3:41`. */
export const running = (ms: number) => clock(ms).replace(/^0(\d)/, '$1');

export const typeText = (t: T, type: ConferenceType) => (type === 1 ? t('videocall.type1') : t('videocall.type2'));
export const typeIcon = (type: ConferenceType): IconName => (type === 1 ? 'car' : 'home');

type Day = 'today' | 'tomorrow' | 'later';

function dayOf(iso: string, now: number): Day {
  const at = new Date(iso);
  const today = new Date(now);
  const tomorrow = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1);
  if (at.toDateString() === today.toDateString()) return 'today';
  return at.toDateString() === tomorrow.toDateString() ? 'tomorrow' : 'later';
}

/** `hoy, 17:30`, `mañana, 9:00`, `martes, 24 de noviembre, 9:00`, where the reader is. */
export function whenText(t: T, language: string, iso: string, now: number): string {
  const time = localClock(iso, language);
  const texts = {
    today: t('videocallrequests.today', { time }),
    tomorrow: t('videocallrequests.tomorrow', { time }),
    later: t('videocallrequests.onDay', { day: localWeekday(iso, language), time }),
  };
  return texts[dayOf(iso, now)];
}

/** `concertada para hoy`, beside the time itself. */
export function agreedText(t: T, language: string, iso: string, now: number): string {
  const texts = {
    today: t('videocallrequests.agreedToday'),
    tomorrow: t('videocallrequests.agreedTomorrow'),
    later: t('videocallrequests.agreedOn', { day: localWeekday(iso, language) }),
  };
  return texts[dayOf(iso, now)];
}
