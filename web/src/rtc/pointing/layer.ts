/** Draws the dots over a picture, frame by frame while there are any: a head with a name for each person, and its trail. */
import './laser.css';
import { type Laser, type Lasers, remains } from './lasers';
import { atEdge, isSameShape, type Placement, type Point, placeOf } from './place';

/** How somebody's dot looks. */
export interface Look {
  /** Empty = no name beside it. */
  name: string;
  tone: 'staff' | 'client';
}

/** One's own dot says what lies on it. */
export type Drawn = Look & { own?: 'touch' | 'mouse' };

/** Dots further apart in time belong to two strokes. Milliseconds. */
const STROKE_MS = 400;
/** How far from the edge an arrow stands. Px. */
const EDGE_PX = 26;
/** Room that a name needs beside its dot, or it stands on the other side; a letter is some 8 px. Px. */
const roomFor = (name: string): number => 40 + 8 * Math.min(16, name.length);
/** Width of a fresh trail. Px. */
const TRAIL_PX = 6;
const INK = { staff: '#ff4338', client: '#ffd92e' } as const;

export class LaserLayer {
  private readonly root = document.createElement('div');
  private readonly canvas = document.createElement('canvas');
  private readonly heads = new Map<string, HTMLElement>();
  private frame: number | null = null;

  constructor(
    host: HTMLElement,
    private readonly lasers: Lasers,
    private readonly placement: () => Placement | null,
    private readonly look: (from: string) => Drawn,
    /** Called when the last dot has gone. */
    private readonly over: () => void,
  ) {
    this.root.className = 'at-lasers';
    this.root.ariaHidden = 'true';
    this.root.append(this.canvas);
    host.append(this.root);
  }

  /** Somebody points: draws until the last dot has faded. */
  wake(): void {
    this.frame ??= requestAnimationFrame(this.draw);
  }

  dispose(): void {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.root.remove();
  }

  private draw = (): void => {
    const now = performance.now();
    const shown = this.lasers.shown(now);
    const placement = this.placement();
    const pen = this.wipe();
    // Dots of a frame with another shape stand for other spots now.
    const aspect = placement ? placement.frame.width / placement.frame.height : 0;
    const drawn = shown.flatMap(({ from, trail }) => {
      const same = trail.filter((dot) => isSameShape(dot.aspect, aspect));
      return same.length > 0 ? [{ from, trail: same }] : [];
    });
    for (const [from, head] of this.heads) {
      if (drawn.some((one) => one.from === from)) continue;
      head.remove();
      this.heads.delete(from);
    }
    if (placement) for (const laser of drawn) this.drawOne(laser, placement, now, pen);
    this.frame = shown.length > 0 ? requestAnimationFrame(this.draw) : null;
    if (shown.length === 0) this.over();
  };

  private drawOne(
    { from, trail }: Laser,
    placement: Placement,
    now: number,
    pen: CanvasRenderingContext2D | null,
  ): void {
    const last = trail.at(-1);
    if (!last) return;
    const look = this.look(from);
    const dots = trail.map((dot) => ({ ...placeOf(placement, dot), at: dot.at }));
    if (pen && !matchMedia('(prefers-reduced-motion: reduce)').matches) drawTrail(pen, dots, now, INK[look.tone]);
    this.moveHead(this.headOf(from), look, placement, placeOf(placement, last), remains(now - last.at));
  }

  private headOf(from: string): HTMLElement {
    const known = this.heads.get(from);
    if (known) return known;
    const head = document.createElement('div');
    head.className = 'at-laser';
    head.append(document.createElement('i'), document.createElement('b'));
    this.root.append(head);
    this.heads.set(from, head);
    return head;
  }

  private moveHead(head: HTMLElement, look: Drawn, { box }: Placement, place: Point, opacity: number): void {
    const { x, y, turn } = atEdge(box, place, EDGE_PX);
    head.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    head.style.opacity = opacity.toFixed(3);
    head.style.setProperty('--turn', `${turn ?? 0}deg`);
    head.toggleAttribute('data-beyond', turn !== null);
    head.dataset.tone = look.tone;
    head.dataset.side = x > box.width - roomFor(look.name) ? 'left' : 'right';
    if (look.own) head.dataset.own = look.own;
    const name = head.lastElementChild;
    if (name && name.textContent !== look.name) name.textContent = look.name;
  }

  /** An empty sheet in the size of the box. */
  private wipe(): CanvasRenderingContext2D | null {
    const pen = this.canvas.getContext('2d');
    if (!pen) return null;
    const { clientWidth, clientHeight } = this.root;
    const density = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [Math.round(clientWidth * density), Math.round(clientHeight * density)];
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    pen.setTransform(density, 0, 0, density, 0, 0);
    pen.clearRect(0, 0, clientWidth, clientHeight);
    return pen;
  }
}

/** Thins out instead of paling: pale pieces would show where they overlap. */
function drawTrail(pen: CanvasRenderingContext2D, dots: (Point & { at: number })[], now: number, ink: string): void {
  pen.lineCap = 'round';
  for (const [colour, edge] of [
    ['#000', 2],
    [ink, 0],
  ] as const) {
    pen.strokeStyle = colour;
    for (let index = 1; index < dots.length; index++) {
      const [from, to] = [dots[index - 1], dots[index]];
      if (!from || !to || to.at - from.at > STROKE_MS) continue;
      pen.lineWidth = TRAIL_PX * remains(now - to.at) ** 1.5 + edge;
      pen.beginPath();
      pen.moveTo(from.x, from.y);
      pen.lineTo(to.x, to.y);
      pen.stroke();
    }
  }
}
