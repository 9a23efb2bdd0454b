import { localeOf } from '@/shared/i18n/languages';
import { longDate, madridTime } from './dates';

/** Times as the adjuster reads them, in the browser's zone. `language` is a BCP 47 tag. */
export function timeOfDay(at: string, language: string, seconds = false): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '–';
  return new Intl.DateTimeFormat(localeOf(language), {
    hour: '2-digit',
    minute: '2-digit',
    second: seconds ? '2-digit' : undefined,
  }).format(date);
}

/** `9:07` in the browser's zone: an agreed time is kept by the clock on the wall. */
export const localClock = (at: string, language: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { hour: 'numeric', minute: '2-digit' }).format(new Date(at));

/** `martes, 24 de noviembre` in the browser's zone. */
export const localWeekday = (at: string, language: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { weekday: 'long', day: 'numeric', month: 'long' }).format(new Date(at));

/** `19 de noviembre de 2026, 11:48:32`: the long format with the seconds, in the platform's time. */
export function dateAndTime(at: string | null, language: string): string {
  if (!at || Number.isNaN(Date.parse(at))) return '–';
  return `${longDate(at, language)}, ${madridTime(at, language)}`;
}

/** A count with its thousands grouped; with `digits`, up to so many decimals. */
export const countText = (value: number, language: string, digits = 0): string =>
  new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: digits }).format(value);

/** `2,0`: always with so many decimals. */
export const fixedText = (value: number, language: string, digits: number): string =>
  new Intl.NumberFormat(localeOf(language), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    value,
  );

/** `320 m`, `4,2 km`. */
export function distanceText(metres: number, language: string): string {
  if (metres < 1_000) return `${countText(metres, language)} m`;
  return `${countText(metres / 1_000, language, metres < 10_000 ? 1 : 0)} km`;
}

/** `5,8 MB`, `64 MB`, `812 KB`: decimal units, one decimal below ten. */
export function sizeText(bytes: number, language: string): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit >= 2 && value < 10 ? 1 : 0;
  return `${countText(value, language, digits)} ${units[unit]}`;
}
