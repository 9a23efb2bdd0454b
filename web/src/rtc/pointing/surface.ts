/** What fingers, mouse and wheel do on a picture: they point, enlarge and move it. Places are px from the top left. */
import { DOUBLE_FACTOR, pinched, pinchOf, type View, WHOLE, wheelFactor, zoomAt } from '../../shared/lib/zoom';
import type { Clock } from '../core/store';
import type { Point, Size } from './place';

/**
 * What points: `hover` the mouse wherever it is and one finger that is down, `touch` only what is down, `null` nothing.
 * What does not point moves an enlarged picture.
 */
export type PointsBy = 'hover' | 'touch' | null;

export interface SurfaceListener {
  pointsBy(): PointsBy;
  box(): Size;
  view(): View;
  /** `null`: nobody points any more. */
  point(at: Point | null): void;
  show(view: View): void;
}

/** A first finger points only after this: it may be half of a pinch. Milliseconds. */
const PINCH_WAIT_MS = 60;
/** A finger that moves further is no half of a pinch and no tap. Px. */
const TAP_PX = 10;
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 30;
/** Px that a wheel which counts in lines scrolls by. */
const LINE_PX = 16;
/** Browsers tell a pinch on a touch pad as a wheel in small steps with the control key. */
const PAD_FACTOR = 5;

const apart = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

export class Surface {
  private readonly down = new Map<number, Point>();
  private first: { id: number; at: Point } | null = null;
  /** The pointer that points; `hover` has no button down. */
  private pointer: number | 'hover' | null = null;
  private waiting: (() => void) | null = null;
  private tap: { at: number; place: Point } | null = null;
  /** Whether the last press was a finger's. */
  private touched = false;
  private readonly unbind: (() => void)[] = [];

  constructor(
    private readonly element: HTMLElement,
    private readonly on: SurfaceListener,
    private readonly clock: Clock,
  ) {
    this.bind('pointerdown', (event) => this.pressed(event));
    this.bind('pointermove', (event) => this.moved(event));
    this.bind('pointerup', (event) => this.lifted(event, true));
    this.bind('pointercancel', (event) => this.lifted(event, false));
    this.bind('pointerleave', (event) => {
      if (!this.down.has(event.pointerId)) this.rest();
    });
    this.bind('dblclick', (event) => this.doubled(event));
    this.bind('wheel', (event) => this.wheeled(event));
    // A long press is a finger that points, not a wish for a menu.
    this.bind('contextmenu', (event) => {
      if (this.down.size > 0) event.preventDefault();
    });
  }

  get isTouched(): boolean {
    return this.touched;
  }

  /** Nobody points any more. */
  rest(): void {
    this.waiting?.();
    this.waiting = null;
    if (this.pointer === null) return;
    this.pointer = null;
    this.on.point(null);
  }

  dispose(): void {
    this.rest();
    for (const off of this.unbind) off();
  }

  private bind<K extends keyof HTMLElementEventMap>(name: K, work: (event: HTMLElementEventMap[K]) => void): void {
    this.element.addEventListener(name, work, { passive: false });
    this.unbind.push(() => this.element.removeEventListener(name, work));
  }

  private place(event: MouseEvent): Point {
    const { left, top } = this.element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  private fromCentre({ x, y }: Point): Point {
    const { width, height } = this.on.box();
    return { x: x - width / 2, y: y - height / 2 };
  }

  private aim(id: number | 'hover', at: Point): void {
    this.waiting?.();
    this.waiting = null;
    this.pointer = id;
    this.on.point(at);
  }

  private pressed(event: PointerEvent): void {
    if (event.button !== 0) return;
    const at = this.place(event);
    this.touched = event.pointerType === 'touch';
    this.element.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, at);
    if (this.down.size > 1) {
      this.first = null;
      this.rest();
      return;
    }
    this.first = { id: event.pointerId, at };
    // With the shift key a drag moves the picture although the pointer is on.
    if (this.on.pointsBy() === null || event.shiftKey) this.rest();
    else if (!this.touched) this.aim(event.pointerId, at);
    else this.waiting = this.clock.after(PINCH_WAIT_MS, () => this.aim(event.pointerId, at));
  }

  private moved(event: PointerEvent): void {
    const at = this.place(event);
    const before = this.down.get(event.pointerId);
    if (!before) {
      const hovers = this.on.pointsBy() === 'hover' && event.pointerType !== 'touch' && this.down.size === 0;
      if (!hovers) return;
      this.touched = false;
      this.aim('hover', at);
      return;
    }
    const from = this.fingers();
    this.down.set(event.pointerId, at);
    const to = this.fingers();
    if (from && to) {
      const { width, height } = this.on.box();
      this.on.show(pinched(this.on.view(), from, to, width, height));
    } else if (this.pointer === event.pointerId) this.on.point(at);
    else if (this.waiting) {
      if (this.first && apart(this.first.at, at) > TAP_PX) this.aim(event.pointerId, at);
    } else if (this.on.view().scale > 1) {
      const { scale, x, y } = this.on.view();
      this.on.show({ scale, x: x + at.x - before.x, y: y + at.y - before.y });
    }
  }

  private lifted(event: PointerEvent, done: boolean): void {
    const at = this.down.get(event.pointerId);
    if (!at) return;
    this.down.delete(event.pointerId);
    const short = done && this.first?.id === event.pointerId && apart(this.first.at, at) <= TAP_PX;
    // A tap that is over before the wait points all the same.
    if (short && this.waiting) this.aim(event.pointerId, at);
    // A mouse points on without its button.
    if (this.pointer !== null && !this.touched && this.on.pointsBy() === 'hover') this.pointer = 'hover';
    else this.rest();
    if (short && this.touched && this.on.pointsBy() === null) this.tapped(event.timeStamp, at);
    if (this.down.size === 0) this.first = null;
  }

  private tapped(now: number, place: Point): void {
    const second = this.tap && now - this.tap.at < DOUBLE_TAP_MS && apart(this.tap.place, place) < DOUBLE_TAP_PX;
    this.tap = second ? null : { at: now, place };
    if (second) this.toggle(place);
  }

  private doubled(event: MouseEvent): void {
    // Some browsers say a double tap with this event too: one of the two counts.
    if (!this.touched && this.on.pointsBy() === null) this.toggle(this.place(event));
  }

  private wheeled(event: WheelEvent): void {
    event.preventDefault();
    const at = this.fromCentre(this.place(event));
    const px = event.deltaY * (event.deltaMode === 1 ? LINE_PX : 1) * (event.ctrlKey ? PAD_FACTOR : 1);
    this.on.show(zoomAt(this.on.view(), wheelFactor(px), at.x, at.y));
  }

  private toggle(place: Point): void {
    const at = this.fromCentre(place);
    this.on.show(this.on.view().scale > 1 ? WHOLE : zoomAt(WHOLE, DOUBLE_FACTOR, at.x, at.y));
  }

  private fingers() {
    const [a, b] = [...this.down.values()];
    return a && b ? pinchOf(this.fromCentre(a), this.fromCentre(b)) : null;
  }
}
