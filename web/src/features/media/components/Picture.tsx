import { useRef } from 'react';
import { useGestures } from '../hooks/use-gestures';
import type { Layer } from '../hooks/use-marks';
import type { Turn, View } from '../model';
import classes from './Viewer.module.css';

interface PictureProps {
  src: string;
  label: string;
  view: View;
  onView: (view: View) => void;
  turn?: Turn;
  /** A swipe across the whole picture: 1 = next. */
  onSwipe: (step: 1 | -1) => void;
  onError: () => void;
  /** What is drawn and measured on it. */
  layers?: readonly Layer[];
}

/** One picture: wheel, pinch and double press zoom, drag moves, swipe goes to the neighbour while it is shown whole. */
export function Picture({ src, label, view, onView, turn = 0, onSwipe, onError, layers = [] }: PictureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { dragging, handlers } = useGestures({ frame, view, onView, onSwipe });
  return (
    <div
      ref={frame}
      className={classes.frame}
      data-zoomed={view.scale > 1 || undefined}
      data-dragging={dragging || undefined}
      {...handlers}
    >
      <div
        className={classes.moved}
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        data-testid="moved"
      >
        <img
          className={classes.picture}
          data-turn={turn || undefined}
          src={src}
          alt={label}
          draggable={false}
          onError={onError}
        />
        {layers.map((layer) => (
          <img
            key={layer.label}
            className={classes.picture}
            data-turn={turn || undefined}
            data-layer
            src={layer.src}
            alt={layer.label}
            draggable={false}
          />
        ))}
      </div>
    </div>
  );
}
