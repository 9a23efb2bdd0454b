import { expect, it } from 'vitest';
import vectors from '../../../../vectors/measures.json';
import {
  areaOf,
  BY_HAND,
  FOUND,
  isCrossed,
  isQuad,
  isWide,
  lengthOf,
  type Point,
  type Quad,
  type Seen,
} from './geometry';
import { REFERENCES, type Reference } from './references';
import { type Camera, chance, normal, rectangle, seenBy } from './synthetic';

const frame = { width: 1280, height: 720 };
const flat: Seen = {
  corners: [
    [0.3, 0.4],
    [0.7, 0.4],
    [0.7, 0.55],
    [0.3, 0.55],
  ],
  size: REFERENCES.plate,
  sigma: BY_HAND,
  frame,
};

const paired = (list: readonly number[]): Point[] =>
  Array.from({ length: list.length / 2 }, (_, n) => [list[2 * n] ?? 0, list[2 * n + 1] ?? 0]);

// MEASURE-2
it.each<[string, Point, Point, number]>([
  ['its upper side', [0.3, 0.4], [0.7, 0.4], 520],
  ['its lower side', [0.3, 0.55], [0.7, 0.55], 520],
  ['half of it', [0.4, 0.5], [0.6, 0.5], 260],
  ['its height', [0.5, 0.4], [0.5, 0.55], 110],
  ['nothing', [0.5, 0.5], [0.5, 0.5], 0],
])('a plate from the front is a scale: %s', (_name, from, to, expected) =>
  expect(lengthOf(flat, [from, to])?.value).toBeCloseTo(expected, 9),
);

// MEASURE-2
it('the area of the reference is its own, and of a triangle half', () => {
  expect(areaOf(flat, flat.corners)?.value).toBeCloseTo(57_200, 6);
  expect(areaOf(flat, flat.corners.slice(0, 3))?.value).toBeCloseTo(28_600, 6);
});

// MEASURE-4
it.each<[string, readonly number[]]>([
  ['crossed', [0.1, 0.1, 0.9, 0.9, 0.9, 0.1, 0.1, 0.9]],
  ['three in a line', [0.1, 0.1, 0.5, 0.1, 0.9, 0.1, 0.5, 0.5]],
  ['one place', [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]],
  ['a dart', [0.1, 0.1, 0.9, 0.1, 0.3, 0.2, 0.1, 0.9]],
])('corners that are %s are those of no rectangle', (_name, corners) =>
  expect(isQuad(paired(corners) as unknown as Quad)).toBe(false),
);

// MEASURE-4
it('beyond the horizon nothing is measured', () => {
  const corners = paired([0.45, 0.4, 0.55, 0.4, 0.7, 0.7, 0.3, 0.7]) as unknown as Quad;
  const steep = { ...flat, corners };
  expect(lengthOf(steep, paired([0.5, 0.5, 0.5, 0.6]))?.value).toBeGreaterThan(0);
  expect(lengthOf(steep, paired([0.5, 0.5, 0.5, 0.1]))).toBeNull();
});

// MEASURE-4
it.each<[readonly number[], boolean]>([
  [[0, 0, 1, 1, 1, 0, 0, 1], true],
  [[0, 0, 1, 0, 1, 1, 0, 1], false],
  [[0, 0, 1, 0, 0.5, 1], false],
  [[0, 0, 1, 0, 1, 1, 0.5, -0.5, 0, 1], true],
])('sides of %j cross: %s', (points, expected) => expect(isCrossed(paired(points))).toBe(expected));

// MEASURE-3
it('the band grows with the distance from the reference and shrinks with better corners', () => {
  const error = (sigma: number, y: number) =>
    lengthOf({ ...flat, sigma }, [
      [0.4, y],
      [0.6, y],
    ])?.error ?? 0;
  expect(error(BY_HAND, 0.95)).toBeGreaterThan(2 * error(BY_HAND, 0.45));
  expect(error(FOUND, 0.95)).toBeLessThan(error(BY_HAND, 0.95));
});

// MEASURE-2, MEASURE-3, MEASURE-5
it.each(vectors.map((one) => [one.name, one] as const))('the same values as the server: %s', (_name, one) => {
  const corners = paired(one.plane.corners) as unknown as Quad;
  const size = REFERENCES[one.plane.reference as Reference];
  const seen: Seen = { corners, size, sigma: one.plane.found ? FOUND : BY_HAND, frame: one };
  expect(isWide(seen)).toBe(one.wide);
  one.plane.shapes.forEach((shape, n) => {
    const value = (shape.kind === 'area' ? areaOf : lengthOf)(seen, paired(shape.points));
    expect(value?.value).toBeCloseTo(one.values[n]?.value ?? Number.NaN, 0);
    expect(value?.error).toBeCloseTo(one.values[n]?.error ?? Number.NaN, 0);
  });
});

/** A camera as an adjuster's client holds it: the reference takes a fifth of the longer side or more, up to 40° off. */
function camera(next: () => number, reference: Reference, focal: number): Camera {
  const part = 0.2 + 0.25 * next();
  return {
    frame: next() < 0.5 ? frame : { width: 1080, height: 1920 },
    focal,
    tilt: (next() * 40 * Math.PI) / 180,
    axis: next() * 2 * Math.PI,
    roll: (next() - 0.5) * 0.6,
    distance: (REFERENCES[reference][0] * focal) / part,
    centre: [0.35 + 0.3 * next(), 0.35 + 0.3 * next()],
  };
}

interface Tally {
  lengths: number[];
  areas: number[];
  inBand: number;
  all: number;
}

/** Values measured by places that are as exact as a hand is, or the edges are, against what they are. */
function tally(reference: Reference, sigma: number, views: number): Tally {
  const next = chance(20 + reference.length);
  const told: Tally = { lengths: [], areas: [], inBand: 0, all: 0 };
  const size = REFERENCES[reference];
  const longer = size[0];
  while (told.all < views * 2) {
    const view = camera(next, reference, 0.67 + 0.4 * next());
    const scale = Math.max(view.frame.width, view.frame.height);
    const shaken = (point: Point, by: number): Point => {
      const [x, y] = seenBy(view, point);
      return [x + (normal(next) * by * scale) / view.frame.width, y + (normal(next) * by * scale) / view.frame.height];
    };
    const corners = rectangle(size).map((corner) => shaken(corner, sigma)) as unknown as Quad;
    // A damage as long as the reference, around it: within its length, beside it.
    const [cx, cy] = [(next() - 0.5) * longer * 0.4, (next() - 0.5) * size[1]];
    const turn = next() * Math.PI;
    const half = longer * (0.3 + 0.2 * next());
    const line: Point[] = [
      [cx - half * Math.cos(turn), cy - half * Math.sin(turn)],
      [cx + half * Math.cos(turn), cy + half * Math.sin(turn)],
    ];
    const side = 1.6 * half;
    const patch = rectangle([side, side]).map(([x, y]): Point => [x + cx, y + cy]);
    const inside = [...line, ...patch].every((point) => seenBy(view, point).every((place) => place > 0 && place < 1));
    if (!inside) continue;
    const seen: Seen = { corners, size, sigma, frame: view.frame };
    const length = lengthOf(
      seen,
      line.map((point) => shaken(point, BY_HAND)),
    );
    const area = areaOf(
      seen,
      patch.map((point) => shaken(point, BY_HAND)),
    );
    if (!length || !area) throw new Error('a view up to 40° off is measured');
    for (const [found, real, list] of [
      [length, 2 * half, told.lengths],
      [area, side * side, told.areas],
    ] as const) {
      list.push(Math.abs(found.value - real) / real);
      told.all += 1;
      if (Math.abs(found.value - real) <= found.error) told.inBand += 1;
    }
  }
  return told;
}

const quantile = (list: readonly number[], part: number) =>
  [...list].sort((a, b) => a - b)[Math.floor(part * (list.length - 1))] ?? Number.NaN;

// MEASURE-2, MEASURE-3
it.each<[Reference, string, number]>([
  ['plate', 'found', FOUND],
  ['card', 'found', FOUND],
  ['a4', 'found', FOUND],
  ['marker', 'found', FOUND],
  ['card', 'by hand', BY_HAND],
  ['a4', 'by hand', BY_HAND],
  ['marker', 'by hand', BY_HAND],
])('%s, corners %s: 400 views up to 40° off', (reference, how, sigma) => {
  const { lengths, areas, inBand, all } = tally(reference, sigma, 400);
  const row = [
    quantile(lengths, 0.5),
    quantile(lengths, 0.95),
    quantile(lengths, 1),
    quantile(areas, 0.95),
    quantile(areas, 1),
    inBand / all,
  ];
  console.info(`measure ${reference} ${how}: ${row.map((value) => (value * 100).toFixed(2)).join(' % · ')} %`);
  expect(quantile(lengths, 1)).toBeLessThanOrEqual(0.05);
  expect(quantile(areas, 1)).toBeLessThanOrEqual(0.05);
  expect(inBand / all).toBeGreaterThan(0.9);
});

// MEASURE-5
it('a wide lens is named, a usual one never', () => {
  const next = chance(5);
  let wide = 0;
  for (let n = 0; n < 300; n += 1) {
    const usual = camera(next, 'a4', 0.67 + 0.5 * next());
    const seen = (view: Camera): Seen => ({
      corners: rectangle(REFERENCES.a4).map((corner) => seenBy(view, corner)) as unknown as Quad,
      size: REFERENCES.a4,
      sigma: FOUND,
      frame: view.frame,
    });
    expect(isWide(seen(usual))).toBe(false);
    const ultra = { ...camera(next, 'a4', 0.36), tilt: 0.6 };
    if (isWide(seen(ultra))) wide += 1;
  }
  expect(wide).toBeGreaterThan(150);
});
