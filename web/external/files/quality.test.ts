import { describe, expect, it } from 'vitest';
import { detail, type Grey, judge, light, middle, SHARP, type Verdict } from './quality';

const W = 256;
const H = 192;

function grey(of: (x: number, y: number) => number): Grey {
  const pixels = new Uint8Array(W * H);
  for (let y = 0; y < H; y++) {
    for (let x = 0; x < W; x++) pixels[y * W + x] = Math.max(0, Math.min(255, Math.round(of(x, y))));
  }
  return { pixels, width: W, height: H };
}

/** Mean of the pixels around, `by` in each direction: what a lens out of focus or a shaking hand does. */
function blurred(source: Grey, byX: number, byY: number): Grey {
  return grey((x, y) => {
    let sum = 0;
    let count = 0;
    for (let dy = -byY; dy <= byY; dy++) {
      for (let dx = -byX; dx <= byX; dx++) {
        const px = Math.max(0, Math.min(W - 1, x + dx));
        const py = Math.max(0, Math.min(H - 1, y + dy));
        sum += source.pixels[py * W + px] ?? 0;
        count++;
      }
    }
    return sum / count;
  });
}

const checks = grey((x, y) => (((x >> 4) + (y >> 4)) % 2 ? 190 : 70));
/** Smooth paint with one scratch. */
const scratch = grey((x, y) => (Math.abs(x - 60 - y / 3) < 1.5 && y > 40 && y < 120 ? 230 : 90 + x / 5));
/** A printed page: mostly white. */
const page = grey((x, y) => (x % 9 < 2 && y % 12 < 7 ? 30 : 255));
const shining = grey((x, y) => (x > 90 && x < 170 && y > 70 && y < 120 && x % 9 < 3 ? 220 : 8));
const noise = (strength: number) => grey((x, y) => 12 + (((x * 7919 + y * 104729) % 97) / 97) * strength);
const edgesOnly = grey((x, y) => (x < 40 || x > 215 ? (((x >> 2) + (y >> 2)) % 2 ? 200 : 60) : 120));

// FILES-25
describe('a picture', () => {
  it.each<[string, Grey, boolean, number, Verdict]>([
    ['with edges', checks, false, 4000, 'good'],
    ['of smooth paint with a scratch', scratch, true, 4000, 'good'],
    ['of a printed page', page, false, 4000, 'good'],
    ['out of focus', blurred(checks, 8, 8), false, 4000, 'moved'],
    [
      'of a hand that shook sideways',
      blurred(
        grey((x) => ((x >> 4) % 2 ? 190 : 70)),
        10,
        0,
      ),
      false,
      4000,
      'moved',
    ],
    ['of a black room', noise(10), false, 4000, 'dark'],
    ['of a black room, with the noise of the sensor', noise(24), false, 4000, 'dark'],
    ['of shining numbers at night', shining, true, 4000, 'good'],
    ['of a lamp at night', shining, false, 4000, 'dark'],
    ['into the sun', grey((x, y) => 252 + ((x + y) % 2)), false, 4000, 'bright'],
    ['of nothing', grey(() => 128), false, 4000, 'moved'],
    ['of a thing too far away', edgesOnly, true, 4000, 'far'],
    ['of a scene, sharp at its edges', edgesOnly, false, 4000, 'good'],
    ['from a messenger', checks, false, 480, 'small'],
  ])('%s', (_, picture, close, longSide, verdict) => {
    expect(judge(picture, { close, longSide })).toBe(verdict);
  });

  it('loses detail with every bit of blur', () => {
    const found = [0, 1, 2, 4, 8].map((by) => detail(blurred(checks, by, by)));
    for (let i = 1; i < found.length; i++) expect(found[i]).toBeLessThan(found[i - 1] ?? 0);
    expect(found[0]).toBeGreaterThan(SHARP * 10);
  });

  it('has light', () => {
    expect(light(grey(() => 100))).toEqual({ mean: 100, lit: 0, blown: 0 });
    expect(light(grey((x) => (x < W / 2 ? 255 : 0)))).toEqual({ mean: 127.5, lit: 0.5, blown: 0.5 });
  });

  it('has a middle', () => {
    const part = middle(grey((x, y) => (x >= 64 && x < 192 && y >= 48 && y < 144 ? 200 : 0)));
    expect([part.width, part.height]).toEqual([128, 96]);
    expect(part.pixels.every((value) => value === 200)).toBe(true);
  });
});
