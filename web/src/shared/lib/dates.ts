import { localeOf } from '@/shared/i18n/languages';

/** Business days of the platform. */
const ZONE = 'Europe/Madrid';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Words of a moment in Madrid. Making a format takes longer than a row of a list, so each is made once. */
function words(iso: string, language: string, options: Intl.DateTimeFormatOptions): string {
  const key = language + JSON.stringify(options);
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: ZONE });
    formats.set(key, format);
  }
  return format.format(new Date(iso));
}

/** `5 nov 2026`, or a dash when absent; for table cells. */
export function shortDate(iso: string | null | undefined, language: string): string {
  if (!iso) return '–';
  return words(iso, language, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** `5 nov 2026, 9:07`, or a dash when absent. */
export function shortDateTime(iso: string | null | undefined, language: string): string {
  if (!iso) return '–';
  return words(iso, language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
}

/** `5 de noviembre de 2026`. */
export function longDate(iso: string, language: string): string {
  return words(iso, language, { dateStyle: 'long' });
}

/** The day in Madrid of a moment, `2026-11-05`, as a date field takes it; empty when absent. */
export function madridDay(iso: string | null | undefined): string {
  if (!iso) return '';
  // Swedish writes dates as ISO 8601 does.
  return words(iso, 'sv-SE', { year: 'numeric', month: '2-digit', day: '2-digit' });
}

/** The moment a day begins in Madrid, as RFC 3339; `null` for an empty or impossible day. */
export function startOfMadridDay(day: string): string | null {
  const utc = new Date(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(utc.getTime()) || !utc.toISOString().startsWith(day))
    return null;
  // Madrid is one or two hours ahead of UTC: of the two candidates, the one that is midnight there.
  for (const hours of [2, 1]) {
    const start = new Date(utc.getTime() - hours * 3_600_000);
    const clock = start.toLocaleTimeString('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' });
    if (clock === '00:00' && madridDay(start.toISOString()) === day) return start.toISOString();
  }
  return utc.toISOString();
}

/** `5 de noviembre de 2026, 9:07`: the long format, with the time. */
export function longDateTime(iso: string, language: string): string {
  return words(iso, language, { dateStyle: 'long', timeStyle: 'short' });
}

/** `9:07:32` of a moment in Madrid. */
export function madridTime(iso: string, language: string): string {
  return words(iso, language, { timeStyle: 'medium' });
}

/** `9:07` of a moment in Madrid. */
export function madridClock(iso: string, language: string): string {
  return words(iso, language, { timeStyle: 'short' });
}

const wallClock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: ZONE,
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** What a clock in Madrid shows at a moment, `2026-11-24 09:00:00`. */
export const madridWall = (at: number): string => wallClock.format(new Date(at));

/** The moment a clock in Madrid shows this; the first of the two in the hour that comes twice. Null for nonsense. */
export function madridMoment(wall: string | null): string | null {
  const utc = Date.parse(`${wall?.replace(' ', 'T')}Z`);
  if (!wall || Number.isNaN(utc)) return null;
  const found = [2, 1].map((hours) => utc - hours * 3_600_000).find((at) => madridWall(at) === wall);
  // The hour that spring leaves out.
  return new Date(found ?? utc - 3_600_000).toISOString();
}

const noticeParts = new Intl.DateTimeFormat('es', {
  timeZone: ZONE,
  day: 'numeric',
  month: '2-digit',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** `d/MM/yyyy H:mm` in Madrid, in every language; a dash when absent. */
export function noticeDate(iso: string | null): string {
  if (!iso || Number.isNaN(Date.parse(iso))) return '–';
  const found = Object.fromEntries(noticeParts.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]));
  const month = String(Number(found.month)).padStart(2, '0');
  return `${Number(found.day)}/${month}/${found.year} ${Number(found.hour)}:${found.minute}`;
}
