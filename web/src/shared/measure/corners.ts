/**
 * Finds the four corners of a thing of known proportions in a picture: regions that are brighter or darker than what is around
 * them, a quadrilateral about each, and its edges to a fraction of a pixel. Pure; runs in a worker (corners.worker.ts).
 */

import { type Frame, isQuad, type Point, type Quad, strangeness } from './geometry';
import { regionsOf } from './regions';

/** RGBA, as `getImageData` answers it. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** One channel. */
export interface Plane {
  values: Float32Array;
  width: number;
  height: number;
}

export interface Corners {
  /** Of the frame, from 0 to 1; the first two are the ends of a longer side. */
  corners: Quad;
  /** From 0 to 1: how well the edges were seen, how large it is, and how right its proportions are. */
  score: number;
}

/** Samples along an edge. */
const SAMPLES = 48;
/** Least part of the samples that lie on one line. */
const SUPPORT_MIN = 0.6;
/** Least step of brightness across an edge. */
const STEP_MIN = 9;
/** Relative error of the proportions at most: before the edges are found they are rough. */
const STRANGE_MAX = 0.25;
/** The same that a thing of the right proportions may well have. */
const STRANGE = 0.05;

/** The brightest channel: the blue band of a plate belongs to it as the white does. */
function brightest({ data, width, height }: Pixels): Plane {
  const values = new Float32Array(width * height);
  for (let n = 0; n < values.length; n += 1)
    values[n] = Math.max(data[4 * n] ?? 0, data[4 * n + 1] ?? 0, data[4 * n + 2] ?? 0);
  return { values, width, height };
}

/** A mean over three by three, which takes the noise of single pixels away. */
function smooth({ values, width, height }: Plane): Plane {
  const out = new Float32Array(values.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      let count = 0;
      for (let dy = -1; dy <= 1; dy += 1) {
        const row = y + dy;
        if (row < 0 || row >= height) continue;
        for (let dx = -1; dx <= 1; dx += 1) {
          const column = x + dx;
          if (column < 0 || column >= width) continue;
          sum += values[row * width + column] ?? 0;
          count += 1;
        }
      }
      out[y * width + x] = sum / count;
    }
  }
  return { values: out, width, height };
}

/** Half the size, each pixel the mean of four. */
function halved({ values, width, height }: Plane): Plane {
  const [w, h] = [width >> 1, height >> 1];
  const out = new Float32Array(w * h);
  for (let y = 0; y < h; y += 1) {
    for (let x = 0; x < w; x += 1) {
      const at = 2 * y * width + 2 * x;
      out[y * w + x] =
        ((values[at] ?? 0) + (values[at + 1] ?? 0) + (values[at + width] ?? 0) + (values[at + width + 1] ?? 0)) / 4;
    }
  }
  return { values: out, width: w, height: h };
}

/** Between pixels, whose middles are at halves. */
function sample({ values, width, height }: Plane, x: number, y: number): number {
  const [px, py] = [Math.min(Math.max(x - 0.5, 0), width - 1.001), Math.min(Math.max(y - 0.5, 0), height - 1.001)];
  const [x0, y0] = [Math.floor(px), Math.floor(py)];
  const [fx, fy] = [px - x0, py - y0];
  const at = y0 * width + x0;
  const [a, b, c, d] = [values[at] ?? 0, values[at + 1] ?? 0, values[at + width] ?? 0, values[at + width + 1] ?? 0];
  return (a * (1 - fx) + b * fx) * (1 - fy) + (c * (1 - fx) + d * fx) * fy;
}

/** A line as `normal · point = offset`. */
interface Line {
  nx: number;
  ny: number;
  offset: number;
}

/** Total least squares; points that lie apart are left out, twice. */
function fitted(points: readonly Point[]): { line: Line; kept: number } | null {
  let kept = points;
  let line: Line | null = null;
  for (let round = 0; round < 4 && kept.length >= 6; round += 1) {
    const n = kept.length;
    const [mx, my] = [kept.reduce((sum, p) => sum + p[0], 0) / n, kept.reduce((sum, p) => sum + p[1], 0) / n];
    let [xx, xy, yy] = [0, 0, 0];
    for (const [x, y] of kept) {
      xx += (x - mx) ** 2;
      xy += (x - mx) * (y - my);
      yy += (y - my) ** 2;
    }
    const angle = 0.5 * Math.atan2(2 * xy, xx - yy) + Math.PI / 2;
    const [nx, ny] = [Math.cos(angle), Math.sin(angle)];
    line = { nx, ny, offset: nx * mx + ny * my };
    const { offset } = line;
    const away = points.map(([x, y]) => Math.abs(nx * x + ny * y - offset));
    const middle = [...away].sort((a, b) => a - b)[away.length >> 1] ?? 0;
    const limit = Math.max(0.7, 2.5 * middle);
    kept = points.filter((_, i) => (away[i] ?? 0) <= limit);
  }
  return line && { line, kept: kept.length };
}

function crossing(a: Line, b: Line): Point | null {
  const den = a.nx * b.ny - a.ny * b.nx;
  if (Math.abs(den) < 0.05) return null;
  return [(a.offset * b.ny - b.offset * a.ny) / den, (a.nx * b.offset - b.nx * a.offset) / den];
}

interface Edge {
  line: Line;
  support: number;
  step: number;
}

/** The edge near a side: where the brightness changes most across it, `rising` outwards or not. */
function edgeNear(plane: Plane, from: Point, to: Point, reach: number, rising: boolean): Edge | null {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (length < 8) return null;
  // Outwards, because corners go round clockwise on the screen.
  const [nx, ny] = [dy / length, -dx / length];
  const points: Point[] = [];
  let steps = 0;
  for (let n = 0; n < SAMPLES; n += 1) {
    // Ends are rounded, and belong to two edges.
    const part = 0.07 + (0.86 * (n + 0.5)) / SAMPLES;
    const [x, y] = [from[0] + dx * part, from[1] + dy * part];
    const slope = (away: number) => {
      const change =
        sample(plane, x + nx * (away + 1), y + ny * (away + 1)) -
        sample(plane, x + nx * (away - 1), y + ny * (away - 1));
      return rising ? change : -change;
    };
    let best = 0;
    let where = 0;
    for (let away = -reach; away <= reach; away += 0.5) {
      const change = slope(away);
      if (change > best) [best, where] = [change, away];
    }
    if (best < STEP_MIN) continue;
    const [before, after] = [slope(where - 0.5), slope(where + 0.5)];
    const bend = before - 2 * best + after;
    const shift = bend < -1e-6 ? Math.min(0.5, Math.max(-0.5, (0.25 * (before - after)) / bend)) : 0;
    points.push([x + nx * (where + shift), y + ny * (where + shift)]);
    steps += best;
  }
  const fit = fitted(points);
  return fit && { line: fit.line, support: fit.kept / SAMPLES, step: steps / points.length };
}

/** The quadrilateral with its sides on the edges, and how well they were seen. */
function refined(plane: Plane, rough: Quad, rising: boolean): { corners: Quad; score: number } | null {
  let corners = rough;
  let score = 0;
  const side = Math.min(...rough.map((corner, n) => distance(corner, rough[(n + 1) % 4] ?? corner)));
  for (const reach of [Math.min(9, Math.max(3, side * 0.12)), 3, 1.5]) {
    const edges: Edge[] = [];
    for (let n = 0; n < 4; n += 1) {
      const edge = edgeNear(plane, corners[n] as Point, corners[(n + 1) % 4] as Point, reach, rising);
      if (!edge || edge.support < SUPPORT_MIN) return null;
      edges.push(edge);
    }
    const found = edges.map((edge, n) => crossing((edges[(n + 3) % 4] as Edge).line, edge.line));
    if (!found.every((corner): corner is Point => corner !== null)) return null;
    corners = found as unknown as Quad;
    score =
      Math.min(...edges.map((edge) => edge.support)) * Math.min(1, Math.min(...edges.map((edge) => edge.step)) / 30);
  }
  return { corners, score };
}

const distance = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Begun at an end of a longer side, as perspective would have it; `null` when the proportions are those of something else. */
function oriented(corners: Quad, size: Point, frame: Frame): { corners: Quad; strange: number } | null {
  const [a, b, c, d] = corners.map(([x, y]): Point => [x / frame.width, y / frame.height]) as unknown as Quad;
  const each = [[a, b, c, d] as Quad, [b, c, d, a] as Quad].map((quad) => ({
    corners: quad,
    strange: strangeness(quad, size, frame),
  }));
  const best = each.reduce((one, other) => (other.strange < one.strange ? other : one));
  return best.strange < STRANGE_MAX ? best : null;
}

function contains(corners: Quad, [x, y]: Point): boolean {
  return corners.every((from, n) => {
    const to = corners[(n + 1) % 4] as Point;
    return (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]) >= 0;
  });
}

/**
 * The best seen quadrilateral of the proportions of `size` (longer and shorter side), or `null`. `near` is a place of the frame, from 0 to
 * 1, that lies in it.
 */
export function findCorners(pixels: Pixels, size: Point, near?: Point): Corners | null {
  const plane = smooth(brightest(pixels));
  const small = halved(plane);
  const { width, height } = pixels;
  let best: Corners | null = null;
  for (const { quad, bright } of regionsOf(small)) {
    const doubled = quad.map(([x, y]): Point => [2 * x, 2 * y]) as unknown as Quad;
    if (!oriented(doubled, size, pixels)) continue;
    if (near && !contains(doubled, [near[0] * width, near[1] * height])) continue;
    const found = refined(plane, doubled, !bright);
    const turned = found && oriented(found.corners, size, pixels);
    if (!found || !turned) continue;
    const { corners, strange } = turned;
    const within = corners.every(([x, y]) => x >= 0 && x <= 1 && y >= 0 && y <= 1);
    if (!within || !isQuad(corners)) continue;
    // Of two that are seen alike the larger one is the thing, and not what is printed on it.
    const share = distance(found.corners[0], found.corners[2]) / Math.hypot(width, height);
    const score = found.score * share * Math.exp(-((strange / STRANGE) ** 2));
    if (!best || score > best.score) best = { corners, score };
  }
  return best;
}
