import { localeOf } from '@/shared/i18n/languages';
/** Two days, `2026-11-05`, the first not after the second. */
export interface Days {
  from: string;
  to: string;
}

/** Arithmetic on days alone: noon of UTC is the same day everywhere it matters. */
const noon = (day: string) => new Date(`${day}T12:00:00Z`);

/** The day `days` days before; negative ones after. */
export function daysBefore(day: string, days: number): string {
  const date = noon(day);
  date.setUTCDate(date.getUTCDate() - days);
  return date.toISOString().slice(0, 10);
}

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(noon(text).getTime()) && noon(text).toISOString().startsWith(text);

export type PresetName = 'today' | 'week' | 'month' | 'thisMonth';

/** The ranges people ask for most; `week` is the window a list of conferences starts with. */
export const presetDays = (today: string): Record<PresetName, Days> => ({
  today: { from: today, to: today },
  week: { from: daysBefore(today, 7), to: today },
  month: { from: daysBefore(today, 30), to: today },
  thisMonth: { from: `${today.slice(0, 8)}01`, to: today },
});

/** `12–19 nov 2026`, `19 nov 2026` for a single day; the language decides what is said twice. */
export function rangeText(days: Days, language: string): string {
  const format = new Intl.DateTimeFormat(localeOf(language), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return format.formatRange(noon(days.from), noon(days.to));
}

/** `16–22 nov`, `16 nov` for a single day: where the year goes without saying. */
export function shortRange(days: Days, language: string): string {
  const format = new Intl.DateTimeFormat(localeOf(language), { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return format.formatRange(noon(days.from), noon(days.to));
}

/** A range somebody typed, put in order and cut at `max`; null when a day is missing or impossible. */
export function typedRange(from: string, to: string, max: string): Days | null {
  if (!isDay(from) || !isDay(to)) return null;
  const cut = [from, to].sort().map((day) => (day > max ? max : day));
  return { from: cut[0] as string, to: cut[1] as string };
}

const numeric = (language: string) =>
  new Intl.DateTimeFormat(localeOf(language), { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' });

/** `05/11/2026`: a day as one types it in this language; empty for anything else. */
export const writtenDay = (day: string, language: string): string =>
  isDay(day) ? numeric(language).format(noon(day)) : '';

/** How days are written in this language, as `dayjs` names it: `DD/MM/YYYY`. */
export const dayPattern = (language: string): string =>
  numeric(language)
    .formatToParts(noon('2026-11-05'))
    .map(({ type, value }) => ({ day: 'DD', month: 'MM', year: 'YYYY' })[type as string] ?? value)
    .join('');

/** A typed day, `5/11/2026`, `5-11-26` or `2026-11-05`, in the language's order; null when there is no such day. */
export function readDay(text: string, language: string): string | null {
  const numbers = text.trim().split(/\D+/);
  if (numbers.length !== 3) return null;
  const order = numeric(language)
    .formatToParts(noon('2026-11-05'))
    .flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []));
  const parts = numbers[0]?.length === 4 ? ['year', 'month', 'day'] : order;
  const part = (name: string) => numbers[parts.indexOf(name)] ?? '';
  const year = part('year').length === 2 ? `20${part('year')}` : part('year');
  const day = `${year}-${part('month').padStart(2, '0')}-${part('day').padStart(2, '0')}`;
  return isDay(day) ? day : null;
}
