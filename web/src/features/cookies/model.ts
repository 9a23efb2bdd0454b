import { kept } from '@/api/generated/cookies';
import type { T } from '@/shared/i18n';

export type Kept = (typeof kept)[number];

const DAY_S = 86_400;
const HOUR_S = 3600;

/** How long something stays, in words. */
export function lifeText(t: T, { life, seconds }: Kept): string {
  if (life !== 'seconds') return t(`cookies.life_${life}`);
  if (seconds >= 365 * DAY_S) return t('cookies.months', { count: Math.floor(seconds / (365 * DAY_S)) * 12 });
  if (seconds >= DAY_S) return t('cookies.days', { count: Math.round(seconds / DAY_S) });
  return t('cookies.hours', { count: Math.max(1, Math.round(seconds / HOUR_S)) });
}

/** The name under which a browser keeps it: over https the server's cookies have a prefix (SESSION-15). */
export function shownName({ name, storage }: Kept, https = location.protocol === 'https:'): string {
  if (https && name === 'XSRF-TOKEN') return `__Host-${name}`;
  return https && storage === 'httpOnlyCookie' ? `__Secure-${name}` : name;
}

/** Cookies first, then what is kept in other places. */
export const cookiesKept = (): Kept[] =>
  kept.filter(({ storage }) => storage === 'cookie' || storage === 'httpOnlyCookie');
export const othersKept = (): Kept[] =>
  kept.filter(({ storage }) => storage !== 'cookie' && storage !== 'httpOnlyCookie');

/** Where browsers explain how to remove and refuse cookies. */
export const BROWSER_HELP = [
  { name: 'Google Chrome', href: 'https://support.google.com/chrome/answer/95647' },
  { name: 'Mozilla Firefox', href: 'https://support.mozilla.org/kb/enhanced-tracking-protection-firefox-desktop' },
  { name: 'Microsoft Edge', href: 'https://support.microsoft.com/microsoft-edge' },
  { name: 'Safari (Mac)', href: 'https://support.apple.com/guide/safari/sfri11471/mac' },
  { name: 'Safari (iPhone, iPad)', href: 'https://support.apple.com/105082' },
] as const;

/** Where people refuse the cookies of advertisers, which are none of ours. */
export const OPT_OUT = [
  { name: 'Your Online Choices', href: 'https://www.youronlinechoices.eu/' },
  { name: 'Network Advertising Initiative', href: 'https://optout.networkadvertising.org/' },
] as const;
