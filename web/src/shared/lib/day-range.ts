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

/** The ranges people ask for most; `week` is the window a list of conferences starts with (SPEC §9). */
export const presetDays = (today: string): Record<PresetName, Days> => ({
  today: { from: today, to: today },
  week: { from: daysBefore(today, 7), to: today },
  month: { from: daysBefore(today, 30), to: today },
  thisMonth: { from: `${today.slice(0, 8)}01`, to: today },
});

/** `12–19 nov 2026`, `19 nov 2026` for a single day; the language decides what is said twice. */
export function rangeText(days: Days, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return format.formatRange(noon(days.from), noon(days.to));
}

/** A range somebody typed, put in order and cut at `max`; null when a day is missing or impossible. */
export function typedRange(from: string, to: string, max: string): Days | null {
  if (!isDay(from) || !isDay(to)) return null;
  const cut = [from, to].sort().map((day) => (day > max ? max : day));
  return { from: cut[0] as string, to: cut[1] as string };
}
