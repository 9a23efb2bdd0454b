import { pan, type View, WHOLE, zoomAt } from '../../shared/lib/zoom';
import { type Clock, systemClock } from '../core/store';
import { Hand } from './hand';
import { Lasers } from './lasers';
import { type Drawn, LaserLayer, type Look } from './layer';
import { heldView, type Placement, type Point, type Size, type Spot, spotAt, spotNear } from './place';
import { type PointsBy, Surface } from './surface';

export interface PictureSettings {
  fit: Placement['fit'];
  mirrored: boolean;
  pointsBy: PointsBy;
  /** Somebody here points. */
  send: (spot: Spot) => void;
  /** How the dot of a person looks; `null` = one's own. */
  look: (from: string | null) => Look;
  /** The picture is shown `scale` times enlarged. */
  onScale: (scale: number) => void;
  /** Who of the others points; null when nobody does any more. */
  onPointed: (from: string | null) => void;
  /** A hand that is down draws instead of pointing; null = it is lifted. */
  draw?: ((spot: Spot | null) => void) | null;
  /** The picture lies elsewhere now; null = there is none. */
  onPlaced?: (placement: Placement | null) => void;
}

/** Of a video's frame or of a still, as it is shown; zero while there is none. */
function sizeOf(shown: HTMLVideoElement | HTMLImageElement | null): Size {
  if (shown instanceof HTMLImageElement) return { width: shown.naturalWidth, height: shown.naturalHeight };
  return { width: shown?.videoWidth ?? 0, height: shown?.videoHeight ?? 0 };
}

/** One's own dot among the others': no identity is empty. */
const OWN = '';
/** What a key enlarges by. */
const KEY_FACTOR = 1.25;
/** What an arrow moves the dot or the picture by, alone and with the shift key. Px. */
const STEP_PX = 16;
const LEAP_PX = 80;
/** A dot that the keyboard moved rests so long before it fades. Milliseconds. */
const KEY_REST_MS = 1_500;

const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * A live picture that can be enlarged and pointed at, by whoever looks at it and from afar (CALL-46, CALL-48).
 *
 * `frame` is the box, its first child holds the `<video>` or the frozen `<img>` that fills it. The child is made larger rather than scaled,
 * so that an adaptive stream brings the layer which the enlarged picture needs.
 */
export class LivePicture {
  private view: View = WHOLE;
  private readonly lasers = new Lasers();
  private readonly layer: LaserLayer;
  private readonly surface: Surface;
  private readonly hand: Hand;
  private readonly resized = new ResizeObserver(() => this.show(this.view));
  private drawing = false;
  /** Where the keyboard's dot is, px from the top left. */
  private key: Point | null = null;
  private endKey: () => void = () => undefined;

  constructor(
    private readonly frame: HTMLElement,
    private settings: PictureSettings,
    private readonly clock: Clock = systemClock,
  ) {
    this.hand = new Hand((spot) => {
      // A hand that rests keeps its own dot, too.
      this.takeOwn(spot);
      this.settings.send(spot);
    }, clock);
    const look = (from: string): Drawn => {
      if (from !== OWN) return this.settings.look(from);
      return { ...this.settings.look(null), own: this.surface.isTouched ? 'touch' : 'mouse' };
    };
    const over = () => this.settings.onPointed(null);
    this.layer = new LaserLayer(frame, this.lasers, () => this.placement(), look, over);
    this.surface = new Surface(
      frame,
      {
        pointsBy: () => this.settings.pointsBy,
        box: () => this.box(),
        view: () => this.view,
        point: (at) => this.point(at),
        show: (view) => this.show(view),
      },
      clock,
    );
    this.resized.observe(frame);
    // The size of a video's frame does not bubble.
    frame.addEventListener('resize', this.turned, true);
    frame.addEventListener('load', this.turned, true);
  }

  set(settings: PictureSettings): void {
    if (settings.pointsBy !== this.settings.pointsBy || Boolean(settings.draw) !== Boolean(this.settings.draw)) {
      this.surface.rest();
      this.key = null;
    }
    this.settings = settings;
  }

  /** Somebody else points. */
  take(from: string, spot: Spot): void {
    this.lasers.take(from, spot, performance.now());
    this.layer.wake();
    this.settings.onPointed(from);
  }

  zoom(factor: number): void {
    this.show(zoomAt(this.view, factor));
  }

  whole(): void {
    this.show(WHOLE);
  }

  /** Does what a key means here: `+`, `-`, `0` and the arrows. False when it means nothing. */
  press(key: string, shift: boolean): boolean {
    const arrow = ARROWS[key];
    if (arrow) return this.arrow(arrow, shift ? LEAP_PX : STEP_PX);
    if (key === '+' || key === '=') this.zoom(KEY_FACTOR);
    else if (key === '-') this.zoom(1 / KEY_FACTOR);
    else if (key === '0') this.whole();
    else return false;
    return true;
  }

  dispose(): void {
    this.endKey();
    this.hand.stop();
    this.surface.dispose();
    this.layer.dispose();
    this.resized.disconnect();
    this.frame.removeEventListener('resize', this.turned, true);
    this.frame.removeEventListener('load', this.turned, true);
  }

  private turned = (): void => this.show(this.view);

  private box() {
    return { width: this.frame.clientWidth, height: this.frame.clientHeight };
  }

  /** Null while there is no picture. */
  private placement(): Placement | null {
    const frame = sizeOf(this.frame.querySelector<HTMLVideoElement | HTMLImageElement>('video, img'));
    const { width, height } = this.box();
    if (!frame.width || !frame.height || !width || !height) return null;
    const { fit, mirrored } = this.settings;
    return { box: { width, height }, frame, fit, mirrored, view: this.view };
  }

  private show(view: View): void {
    const placement = this.placement();
    this.view = placement ? heldView({ ...placement, view }) : WHOLE;
    const { scale, x, y } = this.view;
    const inner = this.frame.firstElementChild as HTMLElement;
    const size = `${scale * 100}%`;
    const place = (shift: number) => `calc(50% + ${shift}px)`;
    Object.assign(inner.style, { width: size, height: size, left: place(x), top: place(y) });
    this.layer.wake();
    this.settings.onScale(scale);
    this.settings.onPlaced?.(placement && { ...placement, view: this.view });
  }

  private point(at: Point | null): void {
    const placement = this.placement();
    if (this.settings.draw) {
      // A line begins on the picture; where it leaves it, it follows the edge.
      const inside = at && placement && (this.drawing || spotAt(placement, at));
      this.drawing = Boolean(inside);
      this.settings.draw(at && placement && inside ? spotNear(placement, at) : null);
      return;
    }
    const spot = at && placement && spotAt(placement, at);
    if (!spot) {
      this.hand.lift();
      return;
    }
    this.takeOwn(spot);
    this.hand.at(spot);
  }

  private takeOwn(spot: Spot): void {
    this.lasers.take(OWN, spot, performance.now());
    this.layer.wake();
  }

  private arrow(way: Point, px: number): boolean {
    const step = { x: way.x * px, y: way.y * px };
    if (this.settings.pointsBy === 'hover') return this.moveKey(step);
    if (this.view.scale === 1) return false;
    this.slide(step);
    return true;
  }

  /** Looks further in a direction: the picture goes the other way. */
  private slide({ x, y }: Point): void {
    const { width, height } = this.box();
    this.show(pan(this.view, -x, -y, width, height));
  }

  /** Moves the keyboard's dot; at the edge the enlarged picture moves instead. */
  private moveKey(step: Point): boolean {
    const { width, height } = this.box();
    const from = this.key ?? { x: width / 2, y: height / 2 };
    const to = this.key ? { x: from.x + step.x, y: from.y + step.y } : from;
    const held = { x: Math.min(width, Math.max(0, to.x)), y: Math.min(height, Math.max(0, to.y)) };
    if (held.x !== to.x || held.y !== to.y) this.slide({ x: to.x - held.x, y: to.y - held.y });
    const placement = this.placement();
    // Beside the picture there is nothing to point at.
    if (!placement || !spotAt(placement, held)) return true;
    this.key = held;
    this.point(held);
    this.endKey();
    this.endKey = this.clock.after(KEY_REST_MS, () => this.hand.lift());
    return true;
  }
}
