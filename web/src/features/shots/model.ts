import type { components } from '@/api/generated/schema';
import type { Shot } from '@/api/types';

export type Overlay = components['schemas']['Overlay'];
/** Outlines that are drawn over the camera's picture, so that each photo is framed alike. */
export const OVERLAYS = ['corner', 'plate', 'vin', 'odometer', 'near', 'far', 'wide'] as const satisfies Overlay[];

/** A shot while its list is edited: the server makes the key of a new one. */
export type DraftShot = Omit<Shot, 'key'> & { key?: string };

/** 1 Autos, 2 Diversos. */
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
