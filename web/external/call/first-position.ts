/**
 * The position is asked for at the first picture, when the person sees what it is for (CLIENT-12). The picture waits for
 * the answer, but not long: a person who is looking at the damage may not look at the screen.
 */
import { type Fix, Refused, readPosition } from '../devices';
import type { Outcome, RefusalKind } from '../model';

export const POSITION_PATIENCE_MS = 12_000;

export type AskPosition = 'question' | 'asking' | null;

interface World {
  show: (ask: AskPosition) => void;
  found: (fix: Fix) => void;
  /** The picture has gone without a position, and the question is still there. */
  open: () => void;
  answered: (outcome: Exclude<Outcome, 'pending'>, kind: RefusalKind | null) => void;
  read?: () => Promise<Fix>;
}

export class FirstPosition {
  private waiting: Promise<void> | null = null;
  private shown: AskPosition = null;
  private finish: () => void = () => undefined;

  constructor(
    private outcome: Outcome,
    private readonly world: World,
  ) {}

  /** Shows the question once; resolves with its answer, or when the picture has waited long enough. */
  settled(): Promise<void> {
    if (this.outcome !== 'pending') return Promise.resolve();
    if (!this.waiting) {
      this.waiting = new Promise((resolve) => {
        this.finish = resolve;
        setTimeout(() => {
          resolve();
          if (this.shown === 'question') this.world.open();
        }, POSITION_PATIENCE_MS);
      });
      this.show('question');
    }
    return this.waiting;
  }

  allow = async (): Promise<void> => {
    this.show('asking');
    try {
      const fix = await (this.world.read ?? readPosition)();
      this.end('granted', null);
      this.world.found(fix);
    } catch (error) {
      this.end('denied', error instanceof Refused ? error.kind : 'blocked');
    }
  };

  refuse = (): void => this.end('skipped', null);

  private show(ask: AskPosition): void {
    this.shown = ask;
    this.world.show(ask);
  }

  private end(outcome: Exclude<Outcome, 'pending'>, kind: RefusalKind | null): void {
    this.outcome = outcome;
    this.show(null);
    this.world.answered(outcome, kind);
    this.finish();
  }
}
