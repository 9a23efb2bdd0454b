import { madridMoment, madridWall } from '@/shared/lib/dates';

/** How soon a moment may be proposed and how far ahead, in ms (VISIT-1). */
const SOONEST = 15 * 60_000;
const FARTHEST = 14 * 24 * 3_600_000;

export type MomentProblem = 'empty' | 'soon' | 'far';

/** What is wrong with a moment as a clock in Madrid shows it. */
export function momentProblem(wall: string | null, now: number): MomentProblem | null {
  const at = madridMoment(wall);
  if (!at) return 'empty';
  const ahead = Date.parse(at) - now;
  if (ahead < SOONEST) return 'soon';
  return ahead > FARTHEST ? 'far' : null;
}

/** The next whole hour at least one hour from now, as a clock in Madrid shows it. */
export function firstMoment(now: number): string {
  const hour = 3_600_000;
  return madridWall(Math.ceil((now + hour) / hour) * hour);
}
