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
  answered: (outcome: Exclude<Outcome, 'pending'>, kind: RefusalKind | null) => void;
  read?: () => Promise<Fix>;
}

export class FirstPosition {
  private waiting: Promise<void> | null = null;
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
        setTimeout(resolve, POSITION_PATIENCE_MS);
      });
      this.world.show('question');
    }
    return this.waiting;
  }

  allow = async (): Promise<void> => {
    this.world.show('asking');
    try {
      const fix = await (this.world.read ?? readPosition)();
      this.end('granted', null);
      this.world.found(fix);
    } catch (error) {
      this.end('denied', error instanceof Refused ? error.kind : 'blocked');
    }
  };

  refuse = (): void => this.end('skipped', null);

  private end(outcome: Exclude<Outcome, 'pending'>, kind: RefusalKind | null): void {
    this.outcome = outcome;
    this.world.show(null);
    this.world.answered(outcome, kind);
    this.finish();
  }
}
