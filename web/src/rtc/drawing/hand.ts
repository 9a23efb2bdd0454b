/** A hand that draws: places of the frame become a mark of the tool that it holds. Times in ms. */
import type { Spot } from '../pointing/place';
import { LINE_POINTS_MAX, type Mark, newMarkId, short, type Tone } from './marks';
import { simplified } from './simplify';

/** What is drawn by dragging. */
export type LineTool = 'pen' | 'arrow' | 'ellipse';

/** What is drawn leaves at most this often while it is drawn: 20 times a second. */
export const TELL_EVERY_MS = 50;
/** Shorter than this is a slip of the hand, not a line. Parts of the frame's height. */
const LEAST = 0.006;

export interface HandListener {
  /** As it looks now, while it is drawn; `tell` when the others are due to see it. */
  drawing(mark: Mark, tell: boolean): void;
  done(mark: Mark): void;
  /** Nothing came of it. */
  dropped(id: string): void;
}

export class DrawingHand {
  private mark: Mark | null = null;
  private raw: number[] = [];
  private aspect = 1;
  private toldAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly on: HandListener,
    private readonly now: () => number = () => performance.now(),
    private readonly newId: () => string = newMarkId,
  ) {}

  at(spot: Spot, tool: LineTool, tone: Tone): void {
    const place = [short(spot.x), short(spot.y)];
    if (!this.mark) {
      this.raw = place;
      this.aspect = spot.aspect;
      this.mark = { id: this.newId(), kind: tool, tone, points: [...place, ...place] };
      return;
    }
    const { kind } = this.mark;
    if (kind === 'pen') this.raw.push(...place);
    else this.raw = [...this.raw.slice(0, 2), ...place];
    // While it is drawn only its tail is new: the whole line is thinned when it grows long, and at its end.
    if (kind === 'pen' && this.raw.length > LINE_POINTS_MAX * 2)
      this.raw = simplified(this.raw, this.aspect, LINE_POINTS_MAX / 2);
    this.mark = { ...this.mark, points: [...this.raw] };
    const tell = this.now() - this.toldAt >= TELL_EVERY_MS;
    if (tell) this.toldAt = this.now();
    this.on.drawing(this.mark, tell);
  }

  /** The hand is lifted. */
  lift(): void {
    const { mark } = this;
    this.mark = null;
    this.toldAt = Number.NEGATIVE_INFINITY;
    if (!mark) return;
    if (this.extent() < LEAST) {
      this.on.dropped(mark.id);
      return;
    }
    const points = mark.kind === 'pen' ? simplified(this.raw, this.aspect, LINE_POINTS_MAX) : this.raw;
    this.on.done({ ...mark, points });
  }

  /** The tool was laid down. */
  drop(): void {
    const { mark } = this;
    this.mark = null;
    if (mark) this.on.dropped(mark.id);
  }

  private extent(): number {
    const xs = this.raw.filter((_, at) => at % 2 === 0).map((x) => x * this.aspect);
    const ys = this.raw.filter((_, at) => at % 2 === 1);
    return Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  }
}
