import type { ConferenceShot } from '@/api/types';

export const doneCount = (shots: readonly ConferenceShot[]) => shots.filter((shot) => shot.state === 'done').length;

export const missingShots = (shots: readonly ConferenceShot[]) => shots.filter((shot) => shot.state !== 'done');

/** What the next picture is for: a shot of the list or, when somebody chose so, none of it. */
export type NextChoice = { key: string } | 'free' | null;

/**
 * The shot that the next picture ticks; `null` for a picture outside the list. A choice holds while its picture is not
 * on its way; otherwise the first that is missing, in the list's order. `onTheWay`: keys of pictures being taken.
 */
export function nextShot(
  shots: readonly ConferenceShot[],
  chosen: NextChoice,
  onTheWay: ReadonlySet<string>,
): ConferenceShot | null {
  if (chosen === 'free') return null;
  if (chosen) {
    const found = shots.find((shot) => shot.key === chosen.key);
    if (found && !onTheWay.has(found.key)) return found;
  }
  return missingShots(shots).find((shot) => !onTheWay.has(shot.key)) ?? null;
}

/** How a shot stands now, as the live stream tells it: without its texts. */
export type Tick = Pick<ConferenceShot, 'key' | 'state' | 'mediaId' | 'at'>;

/** The list with what was told of it; `null` when it names shots that the list does not have. */
export function withTicks(shots: readonly ConferenceShot[], ticks: readonly Tick[]): ConferenceShot[] | null {
  const told = new Map(ticks.map((tick) => [tick.key, tick]));
  const merged = shots.map((shot) => ({ ...shot, ...told.get(shot.key) }));
  return told.size === shots.length && shots.every(({ key }) => told.has(key)) ? merged : null;
}
