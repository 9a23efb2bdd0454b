import type { components } from '@/api/generated/schema';
import type { ConferenceShot, Shot } from '@/api/types';

export type Overlay = components['schemas']['Overlay'];
/** Outlines that are drawn over the camera's picture, so that each photo is framed alike. */
export const OVERLAYS = ['corner', 'plate', 'vin', 'odometer', 'near', 'far', 'wide'] as const satisfies Overlay[];

/** A shot while its list is edited: the server makes the key of a new one. */
export type DraftShot = Omit<Shot, 'key'> & { key?: string };

/** 1 Autos, 2 Diversos (SPEC §3 Conference `type`). */
export type ShotType = 1 | 2;

export const listOf = (type: ShotType) => (type === 1 ? 'autos' : 'diversos');

/** Limits of a list: CONTRACT, `PUT shots/{companyId}`. */
export const SHOT_LIMITS = { shots: 30, label: 60, hint: 120 } as const;

/** The list with one entry at another place. */
export function moved<S>(list: readonly S[], from: number, to: number): S[] {
  const rest = list.filter((_, index) => index !== from);
  const entry = list[from];
  return entry === undefined ? [...list] : rest.toSpliced(to, 0, entry);
}

export type ShotError = 'required' | 'tooLong' | 'twice';

/** What is wrong with each label, by place; `null` where nothing is. */
export function labelErrors(shots: readonly DraftShot[]): (ShotError | null)[] {
  const fold = (label: string) => label.trim().toLocaleLowerCase();
  const seen = new Set<string>();
  return shots.map(({ label }) => {
    const text = fold(label);
    if (!text) return 'required';
    if ([...label.trim()].length > SHOT_LIMITS.label) return 'tooLong';
    if (seen.has(text)) return 'twice';
    seen.add(text);
    return null;
  });
}

/** As the server takes them: trimmed, an empty hint is none. */
export const cleaned = (shots: readonly DraftShot[]): components['schemas']['ShotInput'][] =>
  shots.map(({ key, label, hint, overlay }) => ({
    key: key ?? null,
    label: label.trim(),
    hint: hint?.trim() || null,
    overlay,
  }));

export const sameShots = (a: readonly DraftShot[], b: readonly DraftShot[]) =>
  JSON.stringify(cleaned(a)) === JSON.stringify(cleaned(b));

// ── The list of one conference ──────────────────────────────────────────────

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
