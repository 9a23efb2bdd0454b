/** Connected regions that are brighter or darker than a level, each with the quadrilateral about it. Pure. */

import type { Plane } from './corners';
import type { Point, Quad } from './geometry';

export interface Region {
  /** Clockwise on the screen, in pixels. */
  quad: Quad;
  bright: boolean;
}

/** Levels of brightness that are tried. */
const LEVELS = 14;
/** Part of the picture that a region takes, at least and at most. */
const SHARE_MIN = 0.0025;
const SHARE_MAX = 0.75;
/** Part of its hull that a region's quadrilateral takes. */
const SQUARE_MIN = 0.9;
/** Part of its hull that a region takes: the frame of the marker is hollow. */
const FILL_MIN = 0.35;

/** The region from `start` on; every pixel is visited once for each level. Row by row its leftmost and rightmost pixel. */
function grown(inside: Uint8Array, seen: Uint8Array, width: number, height: number, start: number, stack: Int32Array) {
  const left = new Map<number, number>();
  const right = new Map<number, number>();
  let count = 0;
  let touches = false;
  let top = 0;
  stack[top++] = start;
  seen[start] = 1;
  while (top > 0) {
    const at = stack[--top] as number;
    const y = Math.floor(at / width);
    const x = at - y * width;
    count += 1;
    if (x === 0 || y === 0 || x === width - 1 || y === height - 1) touches = true;
    if (x < (left.get(y) ?? width)) left.set(y, x);
    if (x > (right.get(y) ?? -1)) right.set(y, x);
    const visit = (next: number) => {
      if (inside[next] === 1 && seen[next] === 0) {
        seen[next] = 1;
        stack[top++] = next;
      }
    };
    if (x > 0) visit(at - 1);
    if (x < width - 1) visit(at + 1);
    if (y > 0) visit(at - width);
    if (y < height - 1) visit(at + width);
  }
  return { count, touches, left, right };
}

const turn = (o: Point, a: Point, b: Point) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

/** The convex hull (Andrew), clockwise on the screen. */
function hullOf(points: Point[]): Point[] {
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: readonly Point[]) => {
    const out: Point[] = [];
    for (const point of list) {
      while (out.length >= 2 && turn(out[out.length - 2] as Point, out[out.length - 1] as Point, point) <= 0) out.pop();
      out.push(point);
    }
    out.pop();
    return out;
  };
  return [...half(points), ...half([...points].reverse())];
}

const areaOf = (points: readonly Point[]) =>
  points.reduce((sum, [x, y], n) => {
    const [nx, ny] = points[(n + 1) % points.length] as Point;
    return sum + x * ny - nx * y;
  }, 0) / 2;

/** Every n-th, so that there are at most 40. */
function thinned(points: readonly Point[]): readonly Point[] {
  const step = Math.ceil(points.length / 40);
  return points.filter((_, n) => n % step === 0);
}

/** The largest quadrilateral with its corners on a hull. */
function largestQuad(hull: readonly Point[]): { quad: Quad; area: number } | null {
  const n = hull.length;
  let best: { quad: Quad; area: number } | null = null;
  for (let i = 0; i < n; i += 1) {
    for (let k = i + 2; k < n; k += 1) {
      const [a, c] = [hull[i] as Point, hull[k] as Point];
      let [farB, farD] = [0, 0];
      let [b, d]: [Point | null, Point | null] = [null, null];
      for (let j = i + 1; j < k; j += 1) {
        const far = Math.abs(turn(a, c, hull[j] as Point));
        if (far > farB) [farB, b] = [far, hull[j] as Point];
      }
      for (let j = k + 1; j < n + i; j += 1) {
        const far = Math.abs(turn(a, c, hull[j % n] as Point));
        if (far > farD) [farD, d] = [far, hull[j % n] as Point];
      }
      const area = (farB + farD) / 2;
      if (b && d && area > (best?.area ?? 0)) best = { quad: [a, b, c, d], area };
    }
  }
  return best;
}

/** Quadrilaterals about regions; the same thing may come at several levels. */
export function* regionsOf({ values, width, height }: Plane): Generator<Region> {
  const sorted = Float32Array.from(values).sort();
  const quantile = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  const [dark, light] = [quantile(0.02), quantile(0.98)];
  const inside = new Uint8Array(values.length);
  const seen = new Uint8Array(values.length);
  const stack = new Int32Array(values.length);
  for (let n = 1; n <= LEVELS; n += 1) {
    const level = dark + ((light - dark) * n) / (LEVELS + 1);
    for (const bright of [true, false]) {
      for (let at = 0; at < values.length; at += 1) inside[at] = (values[at] as number) > level === bright ? 1 : 0;
      seen.fill(0);
      for (let start = 0; start < values.length; start += 1) {
        if (inside[start] === 0 || seen[start] === 1) continue;
        const { count, touches, left, right } = grown(inside, seen, width, height, start, stack);
        const share = count / values.length;
        if (touches || share < SHARE_MIN || share > SHARE_MAX) continue;
        const outline: Point[] = [];
        for (const [y, x] of left) outline.push([x, y], [x, y + 1]);
        for (const [y, x] of right) outline.push([x + 1, y], [x + 1, y + 1]);
        const hull = hullOf(outline);
        const whole = areaOf(hull);
        const found = largestQuad(thinned(hull));
        if (found && found.area / whole >= SQUARE_MIN && count / whole >= FILL_MIN) yield { quad: found.quad, bright };
      }
    }
  }
}
