/** A measure while it is made: corners, lengths and areas, and what follows from them. Pure. */

import type { MeasuredPlane } from '@/api/types';
import { fixedText } from '@/shared/lib/format';
import {
  areaOf,
  BY_HAND,
  FOUND,
  type Frame,
  isCrossed,
  isQuad,
  isWide,
  lengthOf,
  type Point,
  planeOf,
  type Quad,
  type Seen,
  type Value,
} from './geometry';
import { REFERENCES, type Reference } from './references';

export interface DraftShape {
  id: string;
  kind: 'length' | 'area';
  points: readonly Point[];
}

export interface Draft {
  id: string;
  reference: Reference;
  corners: Quad;
  /** The edges gave the corners, and no hand moved one since. */
  found: boolean;
  shapes: readonly DraftShape[];
}

/** At most, as the server has it. */
export const SHAPES_MAX = 60;
export const POINTS_MAX = 40;
/** Beyond this part of a value its band is named. */
const ROUGH = 0.05;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => LETTERS[byte % LETTERS.length]).join('');
}

const clamp = (place: number) => Math.min(1, Math.max(0, place));
/** Hundred-thousandths, as they are kept. */
const round = (place: number) => Math.round(clamp(place) * 1e5) / 1e5;
export const rounded = ([x, y]: Point): Point => [round(x), round(y)];

const paired = (list: readonly number[]): Point[] =>
  Array.from({ length: list.length >> 1 }, (_, n) => [list[2 * n] ?? 0, list[2 * n + 1] ?? 0]);

/** What is kept, as something to go on with. */
export function draftOf(plane: MeasuredPlane): Draft {
  const shapes = plane.shapes.map(({ id, kind, points }) => ({ id, kind, points: paired(points) }));
  const { id, reference, found } = plane;
  return { id, reference, corners: paired(plane.corners) as unknown as Quad, found, shapes };
}

/** A draft as the server takes it. */
export const inputOf = (draft: Draft) => ({
  id: draft.id,
  reference: draft.reference,
  corners: draft.corners.flat(),
  found: draft.found,
  shapes: draft.shapes.map(({ id, kind, points }) => ({ id, kind, points: points.flat() })),
});

/** The reference from the front in the middle of the picture, for hands to move its corners. */
export function placedByHand(reference: Reference, frame: Frame): Draft {
  const [long, short] = REFERENCES[reference];
  const wide = Math.min(0.5, (0.5 * frame.height * long) / short / frame.width);
  const high = (wide * frame.width * short) / long / frame.height;
  const at = (sx: number, sy: number): Point => rounded([0.5 + (sx * wide) / 2, 0.5 + (sy * high) / 2]);
  return { id: newId(), reference, corners: [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)], found: false, shapes: [] };
}

export const foundAt = (reference: Reference, corners: Quad): Draft => ({
  id: newId(),
  reference,
  corners: corners.map(rounded) as unknown as Quad,
  found: true,
  shapes: [],
});

/** The other sides are the longer ones. */
export const turned = (draft: Draft): Draft => {
  const [a, b, c, d] = draft.corners;
  return { ...draft, corners: [b, c, d, a] };
};

/** A length or an area in the middle of the reference, for hands to move. */
export function withShape(draft: Draft, kind: DraftShape['kind']): Draft {
  const middle = (n: number) => draft.corners.reduce((sum, corner) => sum + (corner[n] ?? 0), 0) / 4;
  const [x, y] = [middle(0), middle(1)];
  const reach = 0.5 * Math.max(...draft.corners.map((corner) => Math.abs(corner[0] - x)), 0.04);
  const at = (sx: number, sy: number): Point => rounded([x + sx * reach, y + sy * reach]);
  const points = kind === 'length' ? [at(-1, 0), at(1, 0)] : [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)];
  return { ...draft, shapes: [...draft.shapes, { id: newId(), kind, points }] };
}

export const withoutShape = (draft: Draft, id: string): Draft => ({
  ...draft,
  shapes: draft.shapes.filter((shape) => shape.id !== id),
});

const changed = (draft: Draft, id: string, points: (before: readonly Point[]) => readonly Point[]): Draft => ({
  ...draft,
  shapes: draft.shapes.map((shape) => (shape.id === id ? { ...shape, points: points(shape.points) } : shape)),
});

/** Another corner in the middle of an area's longest side. */
export function withCorner(draft: Draft, id: string, { width, height }: Frame): Draft {
  return changed(draft, id, (points) => {
    if (points.length >= POINTS_MAX) return points;
    const next = (n: number) => points[(n + 1) % points.length] as Point;
    const long = points.map((a, n) => Math.hypot((next(n)[0] - a[0]) * width, (next(n)[1] - a[1]) * height));
    const n = long.indexOf(Math.max(...long));
    const [a, b] = [points[n] as Point, next(n)];
    return points.toSpliced(n + 1, 0, rounded([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]));
  });
}

/** A corner less; a triangle keeps its three. */
export const withoutCorner = (draft: Draft, id: string): Draft =>
  changed(draft, id, (points) => (points.length > 3 ? points.slice(0, -1) : points));

/** What can be moved: a corner of the reference (`shape` null) or a point of a shape. */
export interface Grip {
  shape: string | null;
  nth: number;
}

export const placeOf = (draft: Draft, { shape, nth }: Grip): Point | null =>
  (shape === null ? draft.corners : draft.shapes.find(({ id }) => id === shape)?.points)?.[nth] ?? null;

/** Puts what is held somewhere else. A corner that a hand moved is no longer one that the edges gave. */
export function moved(draft: Draft, { shape, nth }: Grip, to: Point): Draft {
  const place = (points: readonly Point[]) => points.map((point, n) => (n === nth ? rounded(to) : point));
  if (shape !== null) return changed(draft, shape, place);
  return { ...draft, corners: place(draft.corners) as unknown as Quad, found: false };
}

export interface Reading {
  shape: DraftShape;
  /** Null when it cannot be measured. */
  value: Value | null;
  problem: 'crossed' | 'horizon' | null;
  /** The band is more than a twentieth of the value. */
  rough: boolean;
}

export interface Readings {
  /** False when the corners are those of no rectangle. */
  valid: boolean;
  wide: boolean;
  shapes: Reading[];
}

/** A camera that calls itself so. */
const WIDE_NAME = /ultra|gran angular|wide.?angle|0[.,]5\s?[×x]/i;

/** The values of a draft, as they will be kept. */
export function readings(draft: Draft, frame: Frame, lens: string | null = null): Readings {
  const sigma = draft.found ? FOUND : BY_HAND;
  const seen: Seen = { corners: draft.corners, size: REFERENCES[draft.reference], sigma, frame };
  const valid = isQuad(draft.corners) && planeOf(draft.corners, seen.size) !== null;
  const shapes = draft.shapes.map((shape): Reading => {
    const crossed = shape.kind === 'area' && isCrossed(shape.points);
    const value = valid && !crossed ? (shape.kind === 'area' ? areaOf : lengthOf)(seen, shape.points) : null;
    const problem = crossed ? 'crossed' : valid && !value ? 'horizon' : null;
    return { shape, value, problem, rough: value !== null && value.error > ROUGH * value.value };
  });
  return { valid, wide: (valid && isWide(seen)) || WIDE_NAME.test(lens ?? ''), shapes };
}

/** `432 mm`, `1,23 m`, `12,3 cm²`, `1,2 m²`, with its band: `± 9 mm`. */
export function valueText(kind: DraftShape['kind'], { value, error }: Value, language: string): string {
  const [unit, name] =
    kind === 'length'
      ? value < 1_000
        ? ([1, 'mm'] as const)
        : ([1_000, 'm'] as const)
      : value < 1e6
        ? ([100, 'cm²'] as const)
        : ([1e6, 'm²'] as const);
  const digits = unit === 1_000 || unit === 1e6 ? 2 : unit === 100 ? 1 : 0;
  const number = (of: number) => fixedText(of / unit, language, digits);
  // A band is never made smaller.
  const step = unit / 10 ** digits;
  return `${number(value)} ${name} ± ${number(Math.max(step, Math.ceil(error / step) * step))} ${name}`;
}
