/**
 * Lengths and areas in a plane of which four corners are known, with the error that the corners' places leave. Pure. The server
 * computes what is kept, with the same formulas (`crates/records/src/measures/geometry.rs`, `vectors/measures.json`).
 *
 * Places are of the frame, from 0 to 1; lengths in millimetres. Hartley and Zisserman, *Multiple View Geometry*, 2nd edition, 2.3 and 4.1.
 */

export type Point = readonly [x: number, y: number];
export type Quad = readonly [Point, Point, Point, Point];

/** Standard deviation of a corner or an end that a hand placed, by the picture's longer side. */
export const BY_HAND = 0.0008;
/** The same of a corner that the edges in the picture gave. */
export const FOUND = 0.0004;
/** A band holds 95 of 100 true values. */
const BAND = 2;
const AREA_MIN = 2e-5;
/** `1 / f²` of a focal length of 0.6 of the longer side: the widest that the main camera of a phone has is 0.67 (24 mm). */
const WIDE = 1 / 0.6 ** 2;

/** Pixels. */
export interface Frame {
  width: number;
  height: number;
}

/** A rectangle of known size, as it was found in a picture. */
export interface Seen {
  /** Around it; the first two are the ends of a side of `size[0]`. */
  corners: Quad;
  /** Millimetres. */
  size: Point;
  /** Standard deviation of each corner, by the longer side. */
  sigma: number;
  frame: Frame;
}

/** Millimetres or square millimetres; the true value lies within `value ± error` 95 times in 100. */
export interface Value {
  value: number;
  error: number;
}

const longer = ({ width, height }: Frame) => Math.max(width, height, 1);
/** Width and height by the longer side. */
const shapeOf = (frame: Frame): Point => [
  Math.max(frame.width, 1) / longer(frame),
  Math.max(frame.height, 1) / longer(frame),
];

const cross = (a: Point, b: Point, c: Point) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
const at = (points: readonly Point[], n: number): Point => points[n % points.length] ?? [0, 0];

type Eight = readonly [number, number, number, number, number, number, number, number];

/** The homography from the plane's unit square to the picture. */
function projection([p, q, r, s]: Quad): Eight | null {
  const [dx1, dx2] = [q[0] - r[0], s[0] - r[0]];
  const [dy1, dy2] = [q[1] - r[1], s[1] - r[1]];
  const [sx, sy] = [p[0] - q[0] + r[0] - s[0], p[1] - q[1] + r[1] - s[1]];
  const den = dx1 * dy2 - dx2 * dy1;
  if (Math.abs(den) < 1e-12) return null;
  const [g, h] = [(sx * dy2 - dx2 * sy) / den, (dx1 * sy - sx * dy1) / den];
  return [
    q[0] - p[0] + g * q[0],
    s[0] - p[0] + h * s[0],
    p[0],
    q[1] - p[1] + g * q[1],
    s[1] - p[1] + h * s[1],
    p[1],
    g,
    h,
  ];
}

/** From the picture to the plane, in millimetres; `null` at the horizon and beyond it. */
export function planeOf(corners: Quad, size: Point): ((point: Point) => Point | null) | null {
  const found = projection(corners);
  if (!found) return null;
  const [a, b, c, d, e, f, g, h] = found;
  const w = [d * h - e * g, b * g - a * h, a * e - b * d] as const;
  const side = w[0] * corners[0][0] + w[1] * corners[0][1] + w[2];
  if (Math.abs(side) <= 1e-12) return null;
  return ([x, y]) => {
    const depth = w[0] * x + w[1] * y + w[2];
    // What is 1,000 times as far as the reference is as good as at the horizon.
    if (depth / side <= 1e-3) return null;
    const u = (e - f * h) * x + (c * h - b) * y + (b * f - c * e);
    const v = (f * g - d) * x + (a - c * g) * y + (c * d - a * f);
    return [(u / depth) * size[0], (v / depth) * size[1]];
  };
}

/** Whether four corners can be those of a rectangle: going round, convex, and with something between them. */
export function isQuad(corners: Quad): boolean {
  const turns = corners.map((corner, n) => cross(corner, at(corners, n + 1), at(corners, n + 2)));
  const convex = turns.every((turn) => turn > AREA_MIN / 2) || turns.every((turn) => turn < -AREA_MIN / 2);
  return convex && Math.abs(shoelace(corners)) > AREA_MIN;
}

/** Signed area of a polygon. */
export function shoelace(points: readonly Point[]): number {
  return points.reduce((sum, a, n) => sum + a[0] * at(points, n + 1)[1] - at(points, n + 1)[0] * a[1], 0) / 2;
}

/** Whether sides of a polygon cross. */
export function isCrossed(points: readonly Point[]): boolean {
  const n = points.length;
  const meet = (i: number, j: number) => {
    const [a, b, c, d] = [at(points, i), at(points, i + 1), at(points, j), at(points, j + 1)];
    return cross(a, b, c) * cross(a, b, d) < 0 && cross(c, d, a) * cross(c, d, b) < 0;
  };
  for (let i = 0; i < n; i += 1)
    for (let j = i + 2; j < n; j += 1) if ((i !== 0 || j + 1 !== n) && meet(i, j)) return true;
  return false;
}

type Measure = (corners: Quad, points: readonly Point[]) => number | null;

function placed(seen: Seen, corners: Quad, points: readonly Point[]): Point[] | null {
  const plane = planeOf(corners, seen.size);
  const places = plane && points.map(plane);
  return places?.every((place): place is Point => place !== null) ? (places as Point[]) : null;
}

/** Central differences of `measure` by each place, moved by its standard deviation, summed as independent errors are. */
function spread(seen: Seen, points: readonly Point[], measure: Measure): number | null {
  const [wide, high] = shapeOf(seen.frame);
  const moved = (list: readonly Point[], n: number, axis: 0 | 1, by: number) =>
    list.map((point, i): Point => {
      if (i !== n) return point;
      return axis === 0 ? [point[0] + by / wide, point[1]] : [point[0], point[1] + by / high];
    });
  let sum = 0;
  for (const axis of [0, 1] as const) {
    for (let n = 0; n < 4 + points.length; n += 1) {
      const side = (sign: number) =>
        n < 4
          ? measure(moved(seen.corners, n, axis, sign * seen.sigma) as unknown as Quad, points)
          : measure(seen.corners, moved(points, n - 4, axis, sign * BY_HAND));
      const [plus, minus] = [side(1), side(-1)];
      if (plus === null || minus === null) return null;
      sum += ((plus - minus) / 2) ** 2;
    }
  }
  return Math.sqrt(sum);
}

function measured(seen: Seen, points: readonly Point[], measure: Measure): Value | null {
  const value = measure(seen.corners, points);
  const error = value === null ? null : spread(seen, points, measure);
  if (value === null || error === null || !Number.isFinite(value + error)) return null;
  return { value, error: BAND * error };
}

/** The length of a line; `null` when it leaves the plane's visible side. */
export const lengthOf = (seen: Seen, points: readonly Point[]): Value | null =>
  measured(seen, points, (corners, ends) => {
    const places = placed(seen, corners, ends);
    if (!places) return null;
    return places.slice(1).reduce((sum, [x, y], n) => sum + Math.hypot(x - at(places, n)[0], y - at(places, n)[1]), 0);
  });

/** The area within a polygon; `null` when it leaves the plane's visible side. */
export const areaOf = (seen: Seen, points: readonly Point[]): Value | null =>
  measured(seen, points, (corners, polygon) => {
    const places = placed(seen, corners, polygon);
    return places && Math.abs(shoelace(places));
  });

/** `1 / f²` of a camera whose axis meets the picture in its middle, from the conditions that a rotation puts on the homography. */
function inverseSquare({ frame, size }: Seen, corners: Quad): number | null {
  const [wide, high] = shapeOf(frame);
  const found = projection(corners.map(([x, y]): Point => [(x - 0.5) * wide, (y - 0.5) * high]) as unknown as Quad);
  if (!found) return null;
  const [a, b, , d, e, , g, h] = found;
  const [u, v] = [[a / size[0], d / size[0], g / size[0]] as const, [b / size[1], e / size[1], h / size[1]] as const];
  const [skew, skewZ] = [2 * (u[0] * v[0] + u[1] * v[1]), 2 * u[2] * v[2]];
  const [more, moreZ] = [u[0] ** 2 + u[1] ** 2 - v[0] ** 2 - v[1] ** 2, u[2] ** 2 - v[2] ** 2];
  const den = skew ** 2 + more ** 2;
  return den > 0 ? -(skew * skewZ + more * moreZ) / den : null;
}

/** Focal lengths, by the longer side, that a phone or a webcam may have. */
const FOCALS = [0.4, 0.5, 0.6, 0.7, 0.8, 0.95, 1.2, 1.6];

/**
 * How far four corners are from those of a rectangle of this size in front of a usual camera: 0 for one that is, about the relative error of
 * its proportions otherwise.
 */
export function strangeness(corners: Quad, size: Point, frame: Frame): number {
  const [wide, high] = shapeOf(frame);
  const found = projection(corners.map(([x, y]): Point => [(x - 0.5) * wide, (y - 0.5) * high]) as unknown as Quad);
  if (!found) return Number.POSITIVE_INFINITY;
  const [a, b, , d, e, , g, h] = found;
  const each = FOCALS.map((f) => {
    const [ux, uy, uz] = [a / size[0] / f, d / size[0] / f, g / size[0]];
    const [vx, vy, vz] = [b / size[1] / f, e / size[1] / f, h / size[1]];
    const [u, v] = [Math.hypot(ux, uy, uz), Math.hypot(vx, vy, vz)];
    return Math.hypot((ux * vx + uy * vy + uz * vz) / (u * v), Math.log(u / v));
  });
  return Math.min(...each);
}

/** Whether the perspective of the reference shows a lens so wide that straight lines may be bent near the border. */
export function isWide(seen: Seen): boolean {
  const found = inverseSquare(seen, seen.corners);
  const error = spread(seen, [], (corners) => inverseSquare(seen, corners));
  return found !== null && error !== null && found - BAND * error > WIDE;
}
