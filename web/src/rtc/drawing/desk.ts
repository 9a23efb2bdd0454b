import { type Clock, type Readable, Store, systemClock } from '../core/store';
import { Board } from './board';
import type { DrawMessage } from './channel';
import { type Change, History } from './history';
import { MARKS_MAX, type Mark, POINTS_MAX, pointsIn } from './marks';

/** What is stored: marks by their ids come and go. */
export interface Saving {
  add: Mark[];
  remove: string[];
}

export interface Stored {
  revision: number;
  marks: readonly Mark[];
}

export interface DeskState {
  marks: readonly Mark[];
  canUndo: boolean;
  canRedo: boolean;
}

export interface DeskDeps {
  /** The picture. */
  of: string;
  tell: (message: DrawMessage) => void;
  /** Throws when it is not stored; `isPassing` says whether trying again may help. */
  save: (change: Saving) => Promise<Stored>;
  isPassing: (error: unknown) => boolean;
  /** Marks could not be stored, or there is no room for more. */
  failed: (error: unknown) => void;
  clock?: Clock;
}

/** What is drawn within it is stored together. Milliseconds. */
export const SAVE_AFTER_MS = 250;
const RETRY_MS = 2_000;
const SWEEP_MS = 3_000;

/**
 * The drawing of one picture as its adjuster works on it: what is drawn shows at once, is told to the others, and is
 * stored soon after. The server's answer is what counts.
 */
export class DrawingDesk {
  private readonly board = new Board();
  private readonly history = new History();
  private readonly store = new Store<DeskState>({ marks: [], canUndo: false, canRedo: false });
  private readonly clock: Clock;
  private readonly adding = new Map<string, Mark>();
  private readonly removing = new Set<string>();
  private saving = false;
  private cancelSave: (() => void) | null = null;
  private cancelSweep: () => void;

  constructor(private readonly deps: DeskDeps) {
    this.clock = deps.clock ?? systemClock;
    this.cancelSweep = this.clock.after(SWEEP_MS, () => this.sweep());
  }

  get state(): Readable<DeskState> {
    return this.store;
  }

  /** What the server has. */
  load({ revision, marks }: Stored): void {
    if (this.board.load(revision, marks)) this.show();
  }

  /** Somebody else draws. */
  take(message: DrawMessage): void {
    if (message.of !== this.deps.of) return;
    if ('mark' in message) this.board.put(message.mark, this.clock.now());
    else this.board.erase(message.erase, this.clock.now());
    this.show();
  }

  /** A mark under the hand. */
  drawing(mark: Mark, tell: boolean): void {
    this.board.put(mark, this.clock.now());
    if (tell) this.deps.tell({ of: this.deps.of, mark });
    this.show();
  }

  /** A mark that stays. */
  done(mark: Mark): void {
    this.apply({ add: [mark], remove: [] });
  }

  /** Nothing came of a mark under the hand. */
  dropped(id: string): void {
    this.board.forget([id]);
    this.deps.tell({ of: this.deps.of, erase: [id] });
    this.show();
  }

  clear(): void {
    const { marks } = this.store.get();
    if (marks.length > 0) this.apply({ add: [], remove: marks });
  }

  undo(): void {
    this.again(this.history.undo());
  }

  redo(): void {
    this.again(this.history.redo());
  }

  /** Stores what is not stored yet and stops. */
  dispose(): void {
    this.cancelSweep();
    this.cancelSave?.();
    this.cancelSave = null;
    void this.save();
  }

  private apply(change: Change): void {
    const kept = this.board.shown().filter(({ id }) => !change.add.some((mark) => mark.id === id));
    const isFull = kept.length + change.add.length > MARKS_MAX || pointsIn([...kept, ...change.add]) > POINTS_MAX;
    if (change.add.length > 0 && isFull) {
      for (const { id } of change.add) this.dropped(id);
      this.deps.failed('FULL');
      return;
    }
    this.history.did(change);
    this.again(change);
  }

  private again(change: Change | null): void {
    if (!change) return;
    const now = this.clock.now();
    for (const mark of change.add) {
      this.board.put(mark, now);
      this.adding.set(mark.id, mark);
      this.removing.delete(mark.id);
      this.deps.tell({ of: this.deps.of, mark });
    }
    const gone = change.remove.map(({ id }) => id);
    this.board.erase(gone, now);
    for (const id of gone) {
      this.adding.delete(id);
      this.removing.add(id);
    }
    if (gone.length > 0) this.deps.tell({ of: this.deps.of, erase: gone });
    this.show();
    this.later(SAVE_AFTER_MS);
  }

  private later(ms: number): void {
    this.cancelSave ??= this.clock.after(ms, () => {
      this.cancelSave = null;
      void this.save();
    });
  }

  private async save(): Promise<void> {
    if (this.saving || this.adding.size + this.removing.size === 0) return;
    const change = { add: [...this.adding.values()], remove: [...this.removing] };
    this.adding.clear();
    this.removing.clear();
    this.saving = true;
    try {
      this.load(await this.deps.save(change));
    } catch (error) {
      this.unsaved(change, error);
    } finally {
      this.saving = false;
      if (this.adding.size + this.removing.size > 0) this.later(SAVE_AFTER_MS);
    }
  }

  private unsaved({ add, remove }: Saving, error: unknown): void {
    if (this.deps.isPassing(error)) {
      // What was done meanwhile goes before.
      const changed = (id: string) => this.adding.has(id) || this.removing.has(id);
      for (const mark of add) if (!changed(mark.id)) this.adding.set(mark.id, mark);
      for (const id of remove) if (!changed(id)) this.removing.add(id);
      this.keep();
      this.later(RETRY_MS);
      return;
    }
    this.board.forget([...add.map(({ id }) => id), ...remove]);
    this.history.clear();
    this.show();
    this.deps.failed(error);
  }

  /** What waits to be stored is not given up. */
  private keep(): void {
    const now = this.clock.now();
    for (const mark of this.adding.values()) this.board.put(mark, now);
    this.board.erase([...this.removing], now);
  }

  private sweep(): void {
    this.keep();
    if (this.board.sweep(this.clock.now())) this.show();
    this.cancelSweep = this.clock.after(SWEEP_MS, () => this.sweep());
  }

  private show(): void {
    const { canUndo, canRedo } = this.history;
    this.store.set({ marks: this.board.shown(), canUndo, canRedo });
  }
}
