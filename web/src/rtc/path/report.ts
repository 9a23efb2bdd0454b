/** Reads the connection every few seconds and tells what has changed, once it has lasted (CALL-61). */
import { type Diagnosis, diagnose, type Failure, type Reading, sameCase } from './diagnosis';

export const READ_EVERY_MS = 5000;
/** A page tells at most this often, and this much in one call; the server takes no more. */
const TELL_EVERY_MS = 10_000;
const TELL_MAX = 50;
/** What could not be told is kept for when the network is back. */
const WAITING_MAX = 10;
const AGE_MAX_S = 3600;

/** As the server reads it. */
export interface ConnectionReport {
  way: Diagnosis['way'];
  failed: Failure[];
  rttMs?: number;
  kbps?: number;
  lossPercent?: number;
  ageS: number;
}

export interface ReportHost {
  read(): Promise<Reading>;
  /** What is so now; null before the first reading has lasted. */
  show(diagnosis: Diagnosis): void;
  /** Resolves false when it did not arrive and may be told again. */
  tell(report: ConnectionReport): Promise<boolean>;
}

interface Clock {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

const pageClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export class PathReporter {
  private before: Reading | null = null;
  /** Seen once; shown and told when the next reading says the same. */
  private candidate: Diagnosis | null = null;
  private shown: Diagnosis | null = null;
  private readonly waiting: { diagnosis: Diagnosis; at: number }[] = [];
  private told = 0;
  private toldAt = Number.NEGATIVE_INFINITY;
  private telling = false;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly host: ReportHost,
    private readonly clock: Clock = pageClock,
  ) {}

  start(): void {
    const turn = () => {
      void this.look().finally(() => {
        if (this.cancel) this.cancel = this.clock.after(READ_EVERY_MS, turn);
      });
    };
    this.cancel ??= this.clock.after(READ_EVERY_MS, turn);
  }

  stop(): void {
    this.cancel?.();
    this.cancel = null;
  }

  /** Tells what is known without a reading: that no connection came about at all. */
  note(diagnosis: Diagnosis): void {
    this.accept(diagnosis);
    void this.send();
  }

  /** One reading. Public so that tests step it. */
  async look(): Promise<void> {
    const now = await this.host.read().catch(() => null);
    if (!now) return;
    const found = diagnose(now, this.before);
    this.before = now;
    const lasts = this.candidate && sameCase(this.candidate, found);
    this.candidate = found;
    // Nothing is known yet: the call is still being connected.
    if (lasts && (found.way || found.failed.length)) this.accept(found);
    await this.send();
  }

  private accept(found: Diagnosis): void {
    const news = !this.shown || !sameCase(this.shown, found);
    this.shown = found;
    this.host.show(found);
    if (!news) return;
    this.waiting.push({ diagnosis: found, at: this.clock.now() });
    if (this.waiting.length > WAITING_MAX) this.waiting.shift();
  }

  private async send(): Promise<void> {
    const [next] = this.waiting;
    const now = this.clock.now();
    if (!next || this.telling || this.told >= TELL_MAX || now - this.toldAt < TELL_EVERY_MS) return;
    this.telling = true;
    this.toldAt = now;
    const { way, failed, rttMs, kbps, lossPercent } = next.diagnosis;
    const numbers = { rttMs: rttMs ?? undefined, kbps: kbps ?? undefined, lossPercent: lossPercent ?? undefined };
    const ageS = Math.min(AGE_MAX_S, Math.max(0, Math.round((now - next.at) / 1000)));
    const arrived = await this.host.tell({ way, failed, ...numbers, ageS }).catch(() => false);
    this.telling = false;
    if (!arrived) return;
    this.told += 1;
    const at = this.waiting.indexOf(next);
    if (at >= 0) this.waiting.splice(at, 1);
  }
}

/** Of a sender or a receiver, as plain objects. */
export async function statsOf(
  source: { getStats?(): Promise<{ values(): Iterable<unknown> }> } | null | undefined,
): Promise<Reading['stats']> {
  const report = await source?.getStats?.().catch(() => null);
  return report ? ([...report.values()] as NonNullable<Reading['stats']>) : null;
}
