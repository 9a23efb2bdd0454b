/** Undo and redo of one's own hand: what others draw stays. */
import type { Mark } from './marks';

/** Marks that came and marks that went, together. */
export interface Change {
  add: readonly Mark[];
  remove: readonly Mark[];
}

const STEPS_MAX = 200;

const inverse = ({ add, remove }: Change): Change => ({ add: remove, remove: add });

export class History {
  private readonly done: Change[] = [];
  private readonly undone: Change[] = [];

  get canUndo(): boolean {
    return this.done.length > 0;
  }

  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  /** Something new was done: what was undone before cannot be redone. */
  did(change: Change): void {
    this.done.push(change);
    if (this.done.length > STEPS_MAX) this.done.shift();
    this.undone.length = 0;
  }

  /** What is to be done now so that the last step is undone; null when there is none. */
  undo(): Change | null {
    const last = this.done.pop();
    if (!last) return null;
    this.undone.push(last);
    return inverse(last);
  }

  redo(): Change | null {
    const last = this.undone.pop();
    if (!last) return null;
    this.done.push(last);
    return last;
  }

  clear(): void {
    this.done.length = 0;
    this.undone.length = 0;
  }
}
