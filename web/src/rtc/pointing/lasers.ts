/** The dots that are on a picture: who points, where, and how much of it is left. Times in ms. */
import type { Spot } from './place';

/** A dot is gone this long after it was made (CALL-46). */
export const FADE_MS = 2_000;
/** A hand that rests is told again before its dot begins to fade. */
const FULL_MS = 350;
/** Of the dots within a sixtieth of a second the newest counts, so at most 60 a second are drawn. */
const slot = (at: number): number => Math.floor((at * 60) / 1_000);
/** More people than this do not point at once. */
const MAX_POINTING = 8;

export interface Dot extends Spot {
  at: number;
}

export interface Laser {
  from: string;
  /** Oldest first, never empty. */
  trail: readonly Dot[];
}

/** What is left of a dot of this age: 1 all, 0 nothing. */
export function remains(age: number): number {
  if (age <= FULL_MS) return 1;
  return Math.max(0, 1 - (age - FULL_MS) / (FADE_MS - FULL_MS));
}

export class Lasers {
  private readonly trails = new Map<string, Dot[]>();

  /** Puts a dot where somebody points. */
  take(from: string, { x, y, aspect }: Spot, now: number): void {
    this.sweep(now);
    const trail = this.trails.get(from) ?? [];
    if (trail.length === 0 && this.trails.size >= MAX_POINTING) return;
    const last = trail.at(-1);
    if (last && slot(last.at) === slot(now)) trail.pop();
    trail.push({ x, y, aspect, at: now });
    this.trails.set(from, trail);
  }

  /** Everybody's dots that are not gone yet. */
  shown(now: number): Laser[] {
    this.sweep(now);
    return [...this.trails].map(([from, trail]) => ({ from, trail }));
  }

  clear(): void {
    this.trails.clear();
  }

  private sweep(now: number): void {
    for (const [from, trail] of this.trails) {
      const first = trail.findIndex(({ at }) => now - at < FADE_MS);
      if (first < 0) this.trails.delete(from);
      else trail.splice(0, first);
    }
  }
}
