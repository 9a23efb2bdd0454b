/** The phone's position: sent live to the adjuster, and kept with the case when it is new (CLIENT-20). */
import type { Fix } from '../devices';
import { worthKeeping } from './watch';

const TELL_EVERY_MS = 5000;
const KEEP_EVERY_MS = 15_000;

export class Place {
  private kept: Fix | null;
  private toldAt = 0;
  private keptAt = 0;

  /** `last` is the newest position; photos carry it. */
  constructor(
    public last: Fix | null,
    private readonly tell: (message: { t: string } & Record<string, unknown>) => void,
    private readonly keep: (fix: Fix) => void,
  ) {
    this.kept = last;
  }

  moved(fix: Fix): void {
    this.last = fix;
    const now = performance.now();
    if (!this.toldAt || now - this.toldAt >= TELL_EVERY_MS) {
      this.toldAt = now;
      this.tell({ t: 'position', ...fix });
    }
    if ((!this.keptAt || now - this.keptAt >= KEEP_EVERY_MS) && worthKeeping(this.kept, fix)) {
      this.keptAt = now;
      this.kept = fix;
      this.keep(fix);
    }
  }

  /** Sends it to somebody who has just joined. */
  repeat(): void {
    if (this.last) this.tell({ t: 'position', ...this.last });
  }
}
