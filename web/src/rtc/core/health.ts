import type { Quality } from './ports';

/**
 * Whose network is at fault and how bad it is, in terms an adjuster can act on (CALL-15).
 * Pure: counters in, verdict out. `health-monitor.ts` feeds it.
 */

export type Level = 'good' | 'fair' | 'poor' | 'lost';
export type Side = 'client' | 'me';

/** What was measured in one interval. Ratios 0–1; null = not known (no track, or the first interval). */
export interface Sample {
  reconnecting: boolean;
  myQuality: Quality;
  clientQuality: Quality;
  clientPresent: boolean;
  /** The client's camera is published and not muted, so pictures are due. */
  videoDue: boolean;
  /** The microphone likewise. */
  audioDue: boolean;
  fps: number | null;
  height: number | null;
  videoLoss: number | null;
  audioConcealed: number | null;
  /** Loss of what we send, as the server reports it. */
  uplinkLoss: number | null;
}

export interface Verdict {
  side: Side;
  level: Level;
  /** No pictures although they are due: the call goes on by voice. */
  voiceOnly: boolean;
  /** The voice itself suffers. */
  voiceBroken: boolean;
  /** Lines of the picture as it arrives, for "360p". */
  height: number | null;
}

/** Thresholds of one interval of about two seconds. */
export const LIMITS = {
  lossFair: 0.03,
  lossPoor: 0.1,
  concealedFair: 0.05,
  concealedPoor: 0.2,
  fpsFair: 8,
} as const;

/** The indicator gets worse after 2 s and better only after 20 s without trouble (CALL-16). Milliseconds. */
export const WORSE_AFTER_MS = 2_000;
export const BETTER_AFTER_MS = 20_000;

const RANK: Record<Level, number> = { good: 0, fair: 1, poor: 2, lost: 3 };

const over = (value: number | null, limit: number): boolean => value !== null && value > limit;

function clientLevel(sample: Sample, voiceOnly: boolean): Level {
  if (!sample.clientPresent || sample.clientQuality === 'lost') return 'lost';
  if (voiceOnly || over(sample.videoLoss, LIMITS.lossPoor) || over(sample.audioConcealed, LIMITS.concealedPoor)) {
    return 'poor';
  }
  const slow = sample.videoDue && sample.fps !== null && sample.fps < LIMITS.fpsFair;
  if (
    sample.clientQuality === 'poor' ||
    slow ||
    over(sample.videoLoss, LIMITS.lossFair) ||
    over(sample.audioConcealed, LIMITS.concealedFair)
  ) {
    return 'fair';
  }
  return 'good';
}

function myLevel(sample: Sample): Level {
  if (sample.reconnecting || sample.myQuality === 'lost') return 'lost';
  if (over(sample.uplinkLoss, LIMITS.lossPoor)) return 'poor';
  if (sample.myQuality === 'poor' || over(sample.uplinkLoss, LIMITS.lossFair)) return 'fair';
  return 'good';
}

/** The verdict of one interval. When both sides are bad ours is named, because everything else arrives through it. */
export function assess(sample: Sample): Verdict {
  const voiceOnly = sample.clientPresent && sample.videoDue && sample.fps === 0;
  const mine = myLevel(sample);
  const theirs = clientLevel(sample, voiceOnly);
  const side: Side = mine !== 'good' && RANK[mine] >= RANK[theirs] - 1 ? 'me' : 'client';
  return {
    side,
    level: side === 'me' ? mine : theirs,
    voiceOnly,
    voiceBroken: sample.audioDue && over(sample.audioConcealed, LIMITS.concealedFair),
    height: sample.videoDue ? sample.height : null,
  };
}

const sameTrouble = (a: Verdict, b: Verdict): boolean =>
  a.side === b.side && a.level === b.level && a.voiceOnly === b.voiceOnly && a.voiceBroken === b.voiceBroken;

/** Keeps the shown verdict calm: steps down after 2 s, up after 20 s; a return from `lost` needs only 2 s. */
export class Steady {
  private shown: Verdict | null = null;
  private candidate: { verdict: Verdict; since: number } | null = null;

  /** `now` in ms. Answers the verdict to show. */
  push(verdict: Verdict, now: number): Verdict {
    if (this.shown === null || sameTrouble(this.shown, verdict)) {
      this.candidate = null;
      this.shown = verdict;
      return verdict;
    }
    const better = RANK[verdict.level] < RANK[this.shown.level];
    // Any sample at least as bad as the shown one restarts the wait for an improvement.
    if (this.candidate === null || RANK[this.candidate.verdict.level] < RANK[this.shown.level] !== better) {
      this.candidate = { verdict, since: now };
    } else {
      this.candidate = { verdict, since: this.candidate.since };
    }
    const wait = better && this.shown.level !== 'lost' ? BETTER_AFTER_MS : WORSE_AFTER_MS;
    if (verdict.level === 'lost' || now - this.candidate.since >= wait) {
      this.shown = verdict;
      this.candidate = null;
    }
    return this.shown;
  }
}

/** Bars of the indicator, 0–4. */
export const barsOf = (level: Level): number => ({ good: 4, fair: 2, poor: 1, lost: 0 })[level];
