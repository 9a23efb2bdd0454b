import { type Clock, systemClock } from '../core/store';
import type { Spot } from './place';

/** At most 30 points a second leave (CALL-46). Milliseconds. */
export const SEND_EVERY_MS = 34;
/** A hand that rests on the picture is told again this often, or its dot would fade. Milliseconds. */
export const HOLD_EVERY_MS = 250;

/** Thins out what a pointing hand does: the newest spot at most every 34 ms, and a resting one again and again. */
export class Hand {
  private spot: Spot | null = null;
  /** Whether `spot` has still to leave. */
  private fresh = false;
  private down = false;
  private sentAt = Number.NEGATIVE_INFINITY;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly send: (spot: Spot) => void,
    private readonly clock: Clock = systemClock,
  ) {}

  /** The hand is here now. */
  at(spot: Spot): void {
    this.spot = spot;
    this.fresh = true;
    this.down = true;
    this.next(SEND_EVERY_MS);
  }

  /** The hand is lifted. Where it was last still leaves. */
  lift(): void {
    this.down = false;
    if (!this.fresh) this.cancel();
  }

  stop(): void {
    this.cancel();
    this.fresh = false;
    this.down = false;
  }

  /** Sends at least `every` ms after the last time, now if that is over. */
  private next(every: number): void {
    this.cancel();
    const wait = this.sentAt + every - this.clock.now();
    if (wait <= 0) this.leave();
    else this.cancel = this.clock.after(wait, () => this.leave());
  }

  private leave(): void {
    if (!this.spot) return;
    this.sentAt = this.clock.now();
    this.fresh = false;
    this.send(this.spot);
    if (this.down) this.next(HOLD_EVERY_MS);
  }
}
