import { readPreference, writePreference } from '@/shared/lib/preferences';

/** What made notices worth offering. */
export type Moment = 'away' | 'answered' | 'notice';

const DAY_MS = 24 * 3_600_000;
/** After "not now" nobody is asked again for a month. */
const PAUSE_MS = 30 * DAY_MS;

const laterKey = (userId: string) => `${userId}.pushLater`;

export const postpone = (userId: string, now: number) => writePreference(laterKey(userId), now);

export async function isPostponed(userId: string, now: number): Promise<boolean> {
  const at = await readPreference(laterKey(userId));
  return typeof at === 'number' && now - at < PAUSE_MS;
}
