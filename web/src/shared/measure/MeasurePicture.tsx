import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { type Grip, moved, placeOf, valueText } from './draft';
import type { Point } from './geometry';
import { Magnifier } from './Magnifier';
import classes from './measure.module.css';
import type { Measuring } from './use-measuring';

interface MeasurePictureProps {
  src: string;
  label: string;
  measuring: Measuring;
}

const path = (points: readonly Point[], { width, height }: { width: number; height: number }) =>
  points.map(([x, y]) => `${x * width},${y * height}`).join(' ');

/** Pixels of the picture that an arrow moves; with Shift ten. */
const STEPS: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A corner or an end: a button that a finger, a mouse or the arrows move. */
function Handle({ grip, name, at, measuring, box }: HandleProps) {
  const t = useT();
  const offset = useRef<Point | null>(null);
  const { draft, change, hold, frame } = measuring;
  const to = (place: Point) => draft && change(moved(draft, grip, place));
  const down = (event: PointerEvent<HTMLButtonElement>) => {
    const rect = box.current?.getBoundingClientRect();
    if (!rect || event.button > 0) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    // It does not jump to the finger, which would lie over it.
    offset.current = [
      at[0] - (event.clientX - rect.left) / rect.width,
      at[1] - (event.clientY - rect.top) / rect.height,
    ];
    hold(grip);
  };
  const move = (event: PointerEvent) => {
    const rect = box.current?.getBoundingClientRect();
    if (!rect || !offset.current) return;
    const [dx, dy] = offset.current;
    to([(event.clientX - rect.left) / rect.width + dx, (event.clientY - rect.top) / rect.height + dy]);
  };
  const up = () => {
    offset.current = null;
  };
  const key = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const pixels = event.shiftKey ? 10 : 1;
    to([at[0] + (step[0] * pixels) / frame.width, at[1] + (step[1] * pixels) / frame.height]);
  };
  const percent = (place: number) => Math.round(place * 100);
  return (
    <button
      type="button"
      className={classes.handle}
      data-shape={grip.shape !== null || undefined}
      data-held={(measuring.held?.shape === grip.shape && measuring.held.nth === grip.nth) || undefined}
      style={{ left: `${at[0] * 100}%`, top: `${at[1] * 100}%` }}
      aria-label={t('media.measureAt', { name, x: percent(at[0]), y: percent(at[1]) })}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onKeyDown={key}
      onFocus={() => hold(grip)}
    />
  );
}

interface HandleProps {
  grip: Grip;
  name: string;
  at: Point;
  measuring: Measuring;
  box: React.RefObject<HTMLDivElement | null>;
}

/** The picture with the reference, what is measured, and a magnifier for what is held. */
export function MeasurePicture({ src, label, measuring }: MeasurePictureProps) {
  const t = useT();
  const language = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  const { draft, told, frame, image, held } = measuring;
  const unit = Math.max(frame.width, frame.height) / 1_000;
  const press = (event: PointerEvent) => {
    const rect = box.current?.getBoundingClientRect();
    // With corners there is nothing to look for.
    if (!rect || draft || event.button > 0) return;
    void measuring.look([(event.clientX - rect.left) / rect.width, (event.clientY - rect.top) / rect.height]);
  };
  const at = held && draft ? placeOf(draft, held) : null;
  return (
    <div className={classes.stage}>
      <div
        ref={box}
        className={classes.box}
        data-looking={!draft || undefined}
        style={{ '--ratio': frame.width / frame.height } as React.CSSProperties}
        onPointerUp={press}
      >
        <img
          ref={image}
          src={src}
          alt={label}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            naturalWidth > 0 && measuring.setFrame({ width: naturalWidth, height: naturalHeight })
          }
        />
        {draft && (
          <svg
            viewBox={`0 0 ${frame.width} ${frame.height}`}
            aria-hidden="true"
            strokeWidth={2.4 * unit}
            fontSize={24 * unit}
          >
            <polygon
              className={classes.reference}
              points={path(draft.corners, frame)}
              strokeDasharray={`${10 * unit}`}
            />
            {told?.shapes.map(({ shape, value }, n) => {
              const [x, y] = [0, 1].map(
                (axis) => shape.points.reduce((sum, p) => sum + (p[axis] ?? 0), 0) / shape.points.length,
              );
              return (
                <g key={shape.id} className={classes.shape}>
                  <polygon points={path(shape.points, frame)} />
                  <text x={(x ?? 0) * frame.width} y={(y ?? 0) * frame.height - 10 * unit} strokeWidth={5 * unit}>
                    {value ? `${n + 1}: ${valueText(shape.kind, value, language)}` : n + 1}
                  </text>
                </g>
              );
            })}
          </svg>
        )}
        {draft?.corners.map((corner, nth) => (
          <Handle
            key={nth}
            grip={{ shape: null, nth }}
            name={t('media.measureCorner', { n: nth + 1 })}
            at={corner}
            measuring={measuring}
            box={box}
          />
        ))}
        {draft?.shapes.map((shape, n) =>
          shape.points.map((point, nth) => (
            <Handle
              key={`${shape.id}${nth}`}
              grip={{ shape: shape.id, nth }}
              name={t('media.measurePoint', { n: n + 1, point: nth + 1 })}
              at={point}
              measuring={measuring}
              box={box}
            />
          )),
        )}
      </div>
      {at && <Magnifier src={src} at={at} frame={frame} box={box} />}
    </div>
  );
}
