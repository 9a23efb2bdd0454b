import { expect, it } from 'vitest';
import { findCorners, type Pixels } from './corners';
import { FOUND, lengthOf, type Point, planeOf, type Quad } from './geometry';
import { REFERENCE_NAMES, REFERENCES, type Reference } from './references';
import { type Camera, chance, normal, rectangle, seenBy } from './synthetic';

type Color = readonly [number, number, number];
const WHITE: Color = [236, 236, 230];
const BLACK: Color = [28, 28, 30];
const BLUE: Color = [20, 50, 150];

/** What is printed where on a thing; millimetres from its upper left corner. */
const PAINT: Record<Reference, (x: number, y: number) => Color> = {
  // A Spanish plate: blue band, border, seven characters.
  plate: (x, y) => {
    if (x < 42) return BLUE;
    const letter = (x - 60) / 64;
    const inLetter = x > 60 && x < 500 && letter % 1 < 0.62 && y > 16 && y < 94;
    return inLetter && (letter % 1 < 0.14 || letter % 1 > 0.48 || Math.abs(y - 55) < 8) ? BLACK : WHITE;
  },
  card: (x, y) => {
    if (x > 10 && x < 22 && y > 18 && y < 28) return [210, 180, 90];
    return y > 36 && y < 41 && x > 10 && x < 70 && x % 6 < 3 ? [200, 205, 220] : [30 + x * 0.3, 60, 110 + y * 0.6];
  },
  a4: (x, y) => (x > 25 && x < 260 && y > 30 && y < 180 && y % 8 < 2.4 && (x * 7 + y * 3) % 11 < 7 ? BLACK : WHITE),
  marker: (x, y) => {
    const white = x > 20 && x < 130 && y > 20 && y < 130 && Math.hypot(x - 75, y - 75) > 8;
    return white ? WHITE : BLACK;
  },
};
/** What is around: the paint of a car, a table, the sheet that the marker is printed on. */
const GROUND: Record<Reference, Color> = {
  plate: [62, 64, 68],
  card: [205, 198, 185],
  a4: [96, 84, 70],
  marker: WHITE,
};

/** A picture of it: shaded, blurred, noisy, with other things about. */
function drawn(camera: Camera, reference: Reference, next: () => number): { pixels: Pixels; corners: Quad } {
  const { width, height } = camera.frame;
  const size = REFERENCES[reference];
  const corners = rectangle(size).map((corner) => seenBy(camera, corner)) as unknown as Quad;
  const place = planeOf(corners, size);
  if (!place) throw new Error('no plane');
  const things = Array.from({ length: 9 }, () => ({
    x: next(),
    y: next(),
    r: 0.01 + 0.03 * next(),
    tone: 40 * (next() - 0.5),
  }));
  const [slantX, slantY] = [30 * (next() - 0.5), 30 * (next() - 0.5)];
  const fine = new Float32Array(width * height * 3);
  const colorAt = (x: number, y: number): Color => {
    const at = place([x, y]);
    if (at && at[0] >= 0 && at[1] >= 0 && at[0] <= size[0] && at[1] <= size[1]) return PAINT[reference](at[0], at[1]);
    const [r, g, b] = GROUND[reference];
    const more = things.reduce((sum, one) => sum + (Math.hypot(x - one.x, y - one.y) < one.r ? one.tone : 0), 0);
    return [r + more, g + more, b + more];
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      for (let n = 0; n < 4; n += 1) {
        const [r, g, b] = colorAt((x + (n % 2) / 2 + 1 / 4) / width, (y + (n >> 1) / 2 + 1 / 4) / height);
        const at = 3 * (y * width + x);
        fine[at] = (fine[at] ?? 0) + r / 4;
        fine[at + 1] = (fine[at + 1] ?? 0) + g / 4;
        fine[at + 2] = (fine[at + 2] ?? 0) + b / 4;
      }
    }
  }
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const light = slantX * (x / width - 0.5) + slantY * (y / height - 0.5);
      for (let c = 0; c < 3; c += 1) {
        // A lens that is a little out of focus.
        let sum = 0;
        for (let dy = -1; dy <= 1; dy += 1)
          for (let dx = -1; dx <= 1; dx += 1) {
            const [px, py] = [Math.min(Math.max(x + dx, 0), width - 1), Math.min(Math.max(y + dy, 0), height - 1)];
            sum += (fine[3 * (py * width + px) + c] ?? 0) * (dx === 0 ? 2 : 1) * (dy === 0 ? 2 : 1);
          }
        data[4 * (y * width + x) + c] = sum / 16 + light + 4 * normal(next);
      }
      data[4 * (y * width + x) + 3] = 255;
    }
  }
  return { pixels: { data, width, height }, corners };
}

function camera(next: () => number): Camera {
  return {
    frame: { width: 640, height: 480 },
    focal: 0.7 + 0.3 * next(),
    tilt: (next() * 40 * Math.PI) / 180,
    axis: next() * 2 * Math.PI,
    roll: (next() - 0.5) * 0.5,
    distance: 0,
    centre: [0.4 + 0.2 * next(), 0.4 + 0.2 * next()],
  };
}

/** The same corners, begun at any of them. */
function apart(found: Quad, real: Quad, width: number, height: number): number {
  const each = [0, 1, 2, 3].map((shift) =>
    Math.max(
      ...real.map(([x, y], n) => {
        const [fx, fy] = found[(n + shift) % 4] as Point;
        return Math.hypot((fx - x) * width, (fy - y) * height);
      }),
    ),
  );
  return Math.min(...each);
}

const VIEWS = 8;
/** Drawing a picture takes longer than looking for a thing in it. */
const TIME_MS = 60_000;

// MEASURE-12, MEASURE-2
it.each(REFERENCE_NAMES)(
  'finds a %s in drawn pictures up to 40° off, and measures with it',
  (reference) => {
    const next = chance(77 + reference.length);
    const size = REFERENCES[reference];
    const errors: number[] = [];
    const values: number[] = [];
    let missed = 0;
    for (let n = 0; n < VIEWS; n += 1) {
      const view = camera(next);
      view.distance = (size[0] * view.focal) / (0.35 + 0.2 * next());
      const { pixels, corners } = drawn(view, reference, next);
      const found = findCorners(pixels, size);
      if (!found) {
        missed += 1;
        continue;
      }
      errors.push(apart(found.corners, corners, pixels.width, pixels.height));
      // As long as its longer side, through its middle.
      const half = size[0] / 2;
      const line = [seenBy(view, [-half, 0]), seenBy(view, [half, size[1] / 8])];
      const value = lengthOf({ corners: found.corners, size, sigma: FOUND, frame: pixels }, line);
      const real = Math.hypot(2 * half, size[1] / 8);
      values.push(value ? Math.abs(value.value - real) / real : 1);
    }
    const worst = Math.max(...errors);
    const rms = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
    const told = `${missed} missed, corners ${rms.toFixed(2)} px (worst ${worst.toFixed(2)})`;
    console.info(`corners ${reference}: ${told}, lengths worst ${(100 * Math.max(...values)).toFixed(2)} %`);
    expect(missed).toBe(0);
    expect(worst).toBeLessThan(1.5);
    expect(Math.max(...values)).toBeLessThanOrEqual(0.05);
  },
  TIME_MS,
);

// MEASURE-12
it('says that there is nothing rather than anything', () => {
  const next = chance(3);
  const [width, height] = [320, 240];
  const data = new Uint8ClampedArray(width * height * 4).map((_, n) => (n % 4 === 3 ? 255 : 120 + 10 * normal(next)));
  for (const reference of REFERENCE_NAMES) {
    expect(findCorners({ data, width, height }, REFERENCES[reference])).toBeNull();
  }
});

// MEASURE-12
it('looks where a hand pointed', { timeout: TIME_MS }, () => {
  const view = { ...camera(chance(9)), tilt: 0.3, distance: 700 };
  const { pixels, corners } = drawn(view, 'a4', chance(4));
  const middle: Point = [(corners[0][0] + corners[2][0]) / 2, (corners[0][1] + corners[2][1]) / 2];
  expect(findCorners(pixels, REFERENCES.a4, middle)).not.toBeNull();
  expect(findCorners(pixels, REFERENCES.a4, [0.01, 0.01])).toBeNull();
});
