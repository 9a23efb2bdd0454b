/** Business days of the platform (DOMAIN §8). */
const ZONE = 'Europe/Madrid';

/** `5 nov 2026`, or a dash when absent; for table cells. */
export function shortDate(iso: string | null | undefined, language: string): string {
  if (!iso) return '–';
  return new Date(iso).toLocaleDateString(language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: ZONE,
  });
}

/** `5 nov 2026, 9:07`, or a dash when absent. */
export function shortDateTime(iso: string | null | undefined, language: string): string {
  if (!iso) return '–';
  return new Date(iso).toLocaleString(language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: ZONE,
  });
}

/** `5 de noviembre de 2026`: SPEC §9 "Spanish long format". */
export function longDate(iso: string, language: string): string {
  return new Date(iso).toLocaleDateString(language, { dateStyle: 'long', timeZone: ZONE });
}

/** The day in Madrid of a moment, `2026-11-05`, as a date field takes it; empty when absent. */
export function madridDay(iso: string | null | undefined): string {
  if (!iso) return '';
  // Swedish writes dates as ISO 8601 does.
  return new Date(iso).toLocaleDateString('sv-SE', { timeZone: ZONE });
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

/** `5 de noviembre de 2026, 9:07`: SPEC §9 "Spanish long format", with the time. */
export function longDateTime(iso: string, language: string): string {
  return new Date(iso).toLocaleString(language, { dateStyle: 'long', timeStyle: 'short', timeZone: ZONE });
}

/** `9:07:32` of a moment in Madrid. */
export function madridTime(iso: string, language: string): string {
  return new Date(iso).toLocaleTimeString(language, { timeStyle: 'medium', timeZone: ZONE });
}

/** `9:07` of a moment in Madrid. */
export function madridClock(iso: string, language: string): string {
  return new Date(iso).toLocaleTimeString(language, { timeStyle: 'short', timeZone: ZONE });
}
