/** The marks of one picture: what the server has stored, and what hands are doing meanwhile. Times in ms. */
import { MARKS_MAX, type Mark } from './marks';

/** A mark that nobody has stored by then was given up. */
export const UNSTORED_MS = 15_000;

export class Board {
  private revision = -1;
  private stored = new Map<string, Mark>();
  private readonly fresh = new Map<string, { mark: Mark; at: number }>();
  private readonly erased = new Map<string, number>();

  /** What the server has. An older answer than the last is left out. */
  load(revision: number, marks: readonly Mark[]): boolean {
    if (revision < this.revision) return false;
    this.revision = revision;
    this.stored = new Map(marks.map((mark) => [mark.id, mark]));
    for (const { id } of marks) this.fresh.delete(id);
    for (const id of [...this.erased.keys()]) if (!this.stored.has(id)) this.erased.delete(id);
    return true;
  }

  /** Somebody draws or changes a mark. */
  put(mark: Mark, now: number): void {
    if (!this.fresh.has(mark.id) && this.fresh.size >= MARKS_MAX) return;
    this.erased.delete(mark.id);
    this.fresh.set(mark.id, { mark, at: now });
  }

  erase(ids: readonly string[], now: number): void {
    for (const id of ids) {
      this.fresh.delete(id);
      if (this.stored.has(id)) this.erased.set(id, now);
    }
  }

  /** Takes back what could not be stored. */
  forget(ids: readonly string[]): void {
    for (const id of ids) {
      this.fresh.delete(id);
      this.erased.delete(id);
    }
  }

  /** Drops what was never stored; true when that changes what is shown. */
  sweep(now: number): boolean {
    const before = this.fresh.size + this.erased.size;
    for (const [id, { at }] of this.fresh) if (now - at > UNSTORED_MS) this.fresh.delete(id);
    for (const [id, at] of this.erased) if (now - at > UNSTORED_MS) this.erased.delete(id);
    return this.fresh.size + this.erased.size !== before;
  }

  /** In the order in which they lie upon each other. */
  shown(): Mark[] {
    const kept = [...this.stored.values()].filter(({ id }) => !this.erased.has(id) && !this.fresh.has(id));
    return [...kept, ...[...this.fresh.values()].map(({ mark }) => mark)];
  }
}
