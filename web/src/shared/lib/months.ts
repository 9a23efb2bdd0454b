import { localeOf } from '@/shared/i18n/languages';
/** Months are `2026-10`, days `2026-10-31`: plain calendar dates of Madrid, without a time (plan contract, Conventions). */
export interface Months {
  from: string;
  to: string;
}

const middle = (month: string) => new Date(`${month}-15T12:00:00Z`);

export const isMonth = (text: string | undefined): text is string => /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '');

/** The month so many months later; earlier ones with a minus. */
export function monthsAfter(month: string, months: number): string {
  const date = middle(month);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

const part = (month: string, language: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: 'UTC' }).format(middle(month));

/** `Octubre 2026`. */
export function monthText(month: string, language: string): string {
  const name = part(month, language, { month: 'long' });
  return `${name.charAt(0).toLocaleUpperCase(language)}${name.slice(1)} ${month.slice(0, 4)}`;
}

/** `oct`: for the axis of a chart. Three letters, so that they stand in line. */
export const shortMonth = (month: string, language: string): string =>
  part(month, language, { month: 'short' }).slice(0, 3);

/** `octubre`: within a sentence. */
export const monthName = (month: string, language: string): string => part(month, language, { month: 'long' });

/** `octubre de 2026`: with its year, within a sentence. */
export const monthOfYear = (month: string, language: string): string =>
  part(month, language, { month: 'long', year: 'numeric' });

/** `dic 2025 – nov 2026`; one month alone is said once. */
export function monthsText({ from, to }: Months, language: string): string {
  const one = (month: string) => `${shortMonth(month, language)} ${month.slice(0, 4)}`;
  return from === to ? one(from) : `${one(from)} – ${one(to)}`;
}

/** `31/10/2026`, or a dash when absent. */
export function dayText(day: string | null | undefined, language: string): string {
  if (!day) return '–';
  const format = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(localeOf(language), format).format(new Date(`${day.slice(0, 10)}T12:00:00Z`));
}

/** The months a list shows: those of the address when they make sense, put in order and cut at `last`, else the last twelve. */
export function monthsOf(filters: Record<string, string>, last: string): Months {
  const { from, to } = filters;
  if (!isMonth(from) || !isMonth(to)) return { from: monthsAfter(last, -11), to: last };
  const [first = last, end = last] = [from, to].sort().map((month) => (month > last ? last : month));
  return { from: first, to: end };
}
