import { localeOf } from '@/shared/i18n/languages';
import { longDate, madridTime } from '@/shared/lib/dates';

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

/** `19 de noviembre de 2026, 11:48:32`: SPEC §9 "Spanish long format" with the seconds, in the platform's time (DOMAIN §8). */
export function dateAndTime(at: string | null, language: string): string {
  if (!at || Number.isNaN(Date.parse(at))) return '–';
  return `${longDate(at, language)}, ${madridTime(at, language)}`;
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
  return `${new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: digits }).format(value)} ${units[unit]}`;
}
