import type { RefObject } from 'react';
import type { Frame, Point } from './geometry';
import classes from './measure.module.css';

interface MagnifierProps {
  src: string;
  /** What is in its middle, from 0 to 1. */
  at: Point;
  frame: Frame;
  /** Where the picture is shown. */
  box: RefObject<HTMLDivElement | null>;
}

/** Pixels of the screen. */
const SIDE = 148;
const TIMES = 5;

/** What is held, five times as large, in the corner that is farther from it. */
export function Magnifier({ src, at, frame, box }: MagnifierProps) {
  const shown = box.current?.getBoundingClientRect().width || frame.width;
  // A pixel of the picture has two of the screen at least.
  const scale = Math.max((shown / frame.width) * TIMES, 2);
  const [width, height] = [frame.width * scale, frame.height * scale];
  return (
    <div
      className={classes.magnifier}
      data-side={at[0] < 0.5 ? 'right' : 'left'}
      data-testid="magnifier"
      aria-hidden="true"
      style={{
        width: SIDE,
        height: SIDE,
        backgroundImage: `url(${JSON.stringify(src)})`,
        backgroundSize: `${width}px ${height}px`,
        backgroundPosition: `${SIDE / 2 - at[0] * width}px ${SIDE / 2 - at[1] * height}px`,
      }}
    />
  );
}
