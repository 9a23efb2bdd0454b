/** Looks for corners away from the main thread, which a large picture would hold up for tenths of a second. */

import { type Corners, findCorners, type Pixels } from './corners';
import type { Point } from './geometry';

export interface CornerJob {
  pixels: Pixels;
  size: Point;
  near?: Point;
}
export type CornerNews = { found: Corners | null };

self.onmessage = ({ data: { pixels, size, near } }: MessageEvent<CornerJob>) => {
  self.postMessage({ found: findCorners(pixels, size, near) } satisfies CornerNews);
};
