import type { AlarmState } from '@/shared/lib/sounds';

/**
 * When the alarm rings: while more people wait than did when it was muted. Whoever comes
 * after that is not muted, even if as many left meanwhile.
 */
export class AlarmRule {
  /** @param muted how many waited when it was muted last. */
  constructor(private muted = 0) {}

  arrived(): void {
    this.muted = 0;
  }

  mute(waiting: number): void {
    this.muted = waiting;
  }

  state(waiting: number): AlarmState {
    this.muted = Math.min(this.muted, waiting);
    if (waiting === 0) return 'off';
    return waiting > this.muted ? 'ringing' : 'silent';
  }

  /** To go on after a reload. */
  remembered = () => this.muted;
}
