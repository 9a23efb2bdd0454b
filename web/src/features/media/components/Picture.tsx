import { type PointerEvent, useEffect, useRef, useState, type WheelEvent } from 'react';
import { pan, type View, WHOLE, zoomAt } from '../model';
import classes from './Viewer.module.css';

interface PictureProps {
  src: string;
  label: string;
  view: View;
  onView: (view: View) => void;
  /** A swipe across the whole picture: 1 = next. */
  onSwipe: (step: 1 | -1) => void;
  onError: () => void;
}

/** A horizontal move longer than this is a swipe. Px. */
const SWIPE_PX = 60;
const DOUBLE_FACTOR = 2.5;

/** One picture: wheel and double press zoom, drag moves, swipe goes to the neighbour while it is shown whole. */
export function Picture({ src, label, view, onView, onSwipe, onError }: PictureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; y: number; dx: number; dy: number } | null>(null);
  const [dragging, setDragging] = useState(false);
  useEffect(() => onView(WHOLE), [src]);

  const fromCentre = (clientX: number, clientY: number) => {
    const box = frame.current?.getBoundingClientRect();
    return box ? [clientX - box.left - box.width / 2, clientY - box.top - box.height / 2] : [0, 0];
  };
  const onWheel = (event: WheelEvent) => {
    const [x, y] = fromCentre(event.clientX, event.clientY);
    onView(zoomAt(view, event.deltaY < 0 ? 1.2 : 1 / 1.2, x, y));
  };
  const start = (event: PointerEvent) => {
    if (event.button !== 0) return;
    drag.current = { x: event.clientX, y: event.clientY, dx: 0, dy: 0 };
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragging(true);
  };
  const move = (event: PointerEvent) => {
    const from = drag.current;
    if (!from) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (view.scale > 1) {
      const box = frame.current?.getBoundingClientRect();
      onView(pan(view, dx - from.dx, dy - from.dy, box?.width ?? 0, box?.height ?? 0));
    }
    drag.current = { ...from, dx, dy };
  };
  const end = () => {
    const from = drag.current;
    drag.current = null;
    setDragging(false);
    if (from && view.scale === 1 && Math.abs(from.dx) > SWIPE_PX && Math.abs(from.dx) > Math.abs(from.dy)) {
      onSwipe(from.dx < 0 ? 1 : -1);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the toolbar and the arrow keys do the same.
    <div
      ref={frame}
      className={classes.frame}
      data-zoomed={view.scale > 1 || undefined}
      data-dragging={dragging || undefined}
      onWheel={onWheel}
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={(event) => {
        const [x, y] = fromCentre(event.clientX, event.clientY);
        onView(view.scale > 1 ? WHOLE : zoomAt(view, DOUBLE_FACTOR, x, y));
      }}
    >
      <img
        className={classes.picture}
        src={src}
        alt={label}
        draggable={false}
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        onError={onError}
      />
    </div>
  );
}
