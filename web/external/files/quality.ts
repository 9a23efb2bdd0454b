/**
 * Is the picture good enough to see a dent? Light first (noise in the dark looks like detail), then sharpness: the
 * variance of the Laplacian in tiles, of which only the sharpest count, because smooth paint has no edges by itself.
 */
import { sharpness } from '../call/frames';

export interface Grey {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/** `far`: the surroundings are sharp, what stands in the middle is not. */
export type Verdict = 'good' | 'dark' | 'bright' | 'moved' | 'far' | 'small';

/** Long side of the picture that is judged, in pixels: blur that is not seen at this size does no harm. */
export const JUDGED = 1024;
/** Pixels of the original's long side below which a plate cannot be read. */
const SMALL = 640;
const DARK_MEAN = 38;
const LIT_SHARE = 0.02;
const BRIGHT_SHARE = 0.45;
const TILES = 8;
/** Variance of the Laplacian (0 to 255 grey). Sharp tiles have hundreds; a hand that shook leaves less than this. */
export const SHARP = 60;

/** `mean` 0 to 255; `lit` and `blown`: shares of pixels that can be seen well, and that are only white. */
export function light(grey: Grey): { mean: number; lit: number; blown: number } {
  let sum = 0;
  let lit = 0;
  let blown = 0;
  for (const value of grey.pixels) {
    sum += value;
    if (value >= 110) lit++;
    if (value >= 250) blown++;
  }
  const count = grey.pixels.length || 1;
  return { mean: sum / count, lit: lit / count, blown: blown / count };
}

function cut({ pixels, width }: Grey, x: number, y: number, w: number, h: number): Grey {
  const part = new Uint8Array(w * h);
  for (let row = 0; row < h; row++)
    part.set(pixels.subarray((y + row) * width + x, (y + row) * width + x + w), row * w);
  return { pixels: part, width: w, height: h };
}

/** Sharpness of the sharpest tiles: the mean of the best tenth. */
export function detail(grey: Grey): number {
  const w = Math.floor(grey.width / TILES);
  const h = Math.floor(grey.height / TILES);
  if (w < 4 || h < 4) return sharpness(grey.pixels, grey.width, grey.height);
  const found: number[] = [];
  for (let y = 0; y < TILES; y++) {
    for (let x = 0; x < TILES; x++) found.push(sharpness(cut(grey, x * w, y * h, w, h).pixels, w, h));
  }
  const best = found.sort((a, b) => b - a).slice(0, Math.ceil(found.length / 10));
  return best.reduce((sum, value) => sum + value, 0) / best.length;
}

/** The middle half, where a frame on the screen asks for the damage, the plate or the number. */
export function middle(grey: Grey): Grey {
  const w = Math.floor(grey.width / 2);
  const h = Math.floor(grey.height / 2);
  return cut(grey, Math.floor(w / 2), Math.floor(h / 2), w, h);
}

/** `close`: the shot is about something near, so the middle has to be sharp. `longSide`: of the original, in pixels. */
export function judge(grey: Grey, { close, longSide }: { close: boolean; longSide: number }): Verdict {
  if (longSide < SMALL) return 'small';
  const { mean, lit, blown } = light(grey);
  // The numbers of a dashboard shine in the dark: there black surroundings do no harm.
  const shines = close && lit > LIT_SHARE;
  if (mean < DARK_MEAN && !shines) return 'dark';
  if (detail(grey) < SHARP) return blown > BRIGHT_SHARE ? 'bright' : 'moved';
  if (close && detail(middle(grey)) < SHARP) return 'far';
  return 'good';
}

/** Live hint of the camera: too little light to try. */
export const isDark = (grey: Grey): boolean => light(grey).mean < DARK_MEAN;
