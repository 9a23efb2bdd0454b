import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { DOUBLE_FACTOR, type Pinch, pan, pinched, pinchOf, type View, WHOLE, wheelFactor, zoomAt } from '../model';

interface GestureDeps {
  frame: RefObject<HTMLDivElement | null>;
  view: View;
  onView: (view: View) => void;
  /** A swipe across the whole picture: 1 = next. */
  onSwipe: (step: 1 | -1) => void;
}

/** A horizontal move longer than this is a swipe. Px. */
const SWIPE_PX = 60;
/** Two taps within this time and distance are a double tap. Milliseconds, px. */
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 30;
/** A finger that moves less than this has tapped. Px. */
const TAP_PX = 10;

interface Point {
  x: number;
  y: number;
}

/** Wheel, drag, pinch, swipe, double click and double tap over one picture. Places are px from the frame's centre. */
export function useGestures({ frame, view, onView, onSwipe }: GestureDeps) {
  // Several events may come before the next render: they build on each other.
  const latest = useRef(view);
  latest.current = view;
  const pointers = useRef(new Map<number, Point>());
  const start = useRef<Point | null>(null);
  const tap = useRef<{ at: number; place: Point } | null>(null);
  const touched = useRef(false);
  const [dragging, setDragging] = useState(false);

  const show = (next: View) => {
    latest.current = next;
    onView(next);
  };
  const place = (event: { clientX: number; clientY: number }): Point => {
    const box = frame.current?.getBoundingClientRect();
    if (!box) return { x: 0, y: 0 };
    return { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 };
  };
  const size = () => [frame.current?.clientWidth ?? 0, frame.current?.clientHeight ?? 0] as const;
  const toggle = (at: Point) => show(latest.current.scale > 1 ? WHOLE : zoomAt(WHOLE, DOUBLE_FACTOR, at.x, at.y));

  const wheel = useRef((_: WheelEvent) => {});
  wheel.current = (event) => {
    event.preventDefault();
    const at = place(event);
    show(zoomAt(latest.current, wheelFactor(event.deltaY), at.x, at.y));
  };
  useEffect(() => {
    const element = frame.current;
    const onWheel = (event: WheelEvent) => wheel.current(event);
    // React listens passively; the page must not scroll or zoom along.
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [frame]);

  const both = (): Pinch | null => {
    const [a, b] = [...pointers.current.values()];
    return a && b ? pinchOf(a, b) : null;
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    touched.current = event.pointerType === 'touch';
    event.currentTarget.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, place(event));
    start.current = pointers.current.size === 1 ? place(event) : null;
    setDragging(true);
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const at = place(event);
    const [width, height] = size();
    const from = both();
    pointers.current.set(event.pointerId, at);
    const to = both();
    if (from && to) show(pinched(latest.current, from, to, width, height));
    else if (latest.current.scale > 1) show(pan(latest.current, at.x - before.x, at.y - before.y, width, height));
  };
  const onPointerUp = (event: PointerEvent) => {
    const from = start.current;
    const last = pointers.current.get(event.pointerId);
    pointers.current.delete(event.pointerId);
    if (pointers.current.size > 0) return;
    setDragging(false);
    start.current = null;
    if (!from || !last || event.type === 'pointercancel') return;
    const [dx, dy] = [last.x - from.x, last.y - from.y];
    if (Math.hypot(dx, dy) < TAP_PX) tapped(event, last);
    else if (latest.current.scale === 1 && Math.abs(dx) > SWIPE_PX && Math.abs(dx) > Math.abs(dy)) {
      onSwipe(dx < 0 ? 1 : -1);
    }
  };
  const tapped = (event: PointerEvent, at: Point) => {
    if (event.pointerType !== 'touch') return;
    const first = tap.current;
    const near = first && Math.hypot(at.x - first.place.x, at.y - first.place.y) < DOUBLE_TAP_PX;
    const second = near && event.timeStamp - first.at < DOUBLE_TAP_MS;
    tap.current = second ? null : { at: event.timeStamp, place: at };
    if (second) toggle(at);
  };
  // Some browsers say a double tap with this event too: one of the two counts.
  const onDoubleClick = (event: { clientX: number; clientY: number }) => {
    if (!touched.current) toggle(place(event));
  };
  return {
    dragging,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onDoubleClick },
  };
}
