/** Five levels, zxcvbn's score plus one. */
export type Level = 1 | 2 | 3 | 4 | 5;

/** At least this level. */
export const LEVEL_MIN = 3;
export const LENGTH_MIN = 8;
export const LENGTH_MAX = 200;

/** Of what a person would guess first: whole values and their parts (`nuria`, `example` of an address). */
export function guessable(inputs: (string | null | undefined)[]): string[] {
  const whole = inputs.flatMap((input) => (input?.trim() ? [input.trim().toLowerCase()] : []));
  const parts = whole.flatMap((text) => text.split(/[\s@.,_+-]+/)).filter((part) => part.length > 2);
  return [...new Set([...whole, ...parts, 'atalaya'])];
}

/** How strong; `inputs` are what the person typed elsewhere in the form. */
export type Meter = (password: string, inputs: string[]) => Level;

let meter: Promise<Meter> | null = null;

/** Fetches the estimator with its dictionaries: a chunk of its own, wanted only where a password is chosen. */
export function loadMeter(): Promise<Meter> {
  meter ??= import('./strength-meter').then(
    ({ level }) => level,
    (error: unknown) => {
      // Asked again at the next try; the server has the last word in any case.
      meter = null;
      throw error;
    },
  );
  return meter;
}
