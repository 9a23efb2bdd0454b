/** The rules of a moment that the client proposes. Pure. */

/** How soon a moment may be proposed and how far ahead, in ms (VISIT-1). */
const SOONEST = 15 * 60_000;
const FARTHEST = 14 * 24 * 3_600_000;

const two = (value: number) => String(value).padStart(2, '0');

/** A moment as this device's clock shows it, as an input takes it: `2026-11-20T10:00`. */
export function localValue(at: number): string {
  const day = new Date(at);
  const date = `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  return `${date}T${two(day.getHours())}:${two(day.getMinutes())}`;
}

/** The whole hour that is between one and two hours from now. */
export function firstMoment(now: number): number {
  const hour = 3_600_000;
  return Math.ceil((now + hour) / hour) * hour;
}

/** What is wrong with what an input holds; nothing chosen is too soon. */
export function momentProblem(value: string, now: number): 'e_soon' | 'e_far' | null {
  const ahead = new Date(value).getTime() - now;
  if (!(ahead >= SOONEST)) return 'e_soon';
  return ahead > FARTHEST ? 'e_far' : null;
}
