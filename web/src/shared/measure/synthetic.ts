/** Cameras and pictures for tests: seeded, so that a failure can be repeated. */

import type { Frame, Point, Quad } from './geometry';

/** Numbers from 0 to 1 (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A normal deviate (Box and Muller). */
export const normal = (next: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

export interface Camera {
  frame: Frame;
  /** By the longer side. */
  focal: number;
  /** Radians: how far the plane is turned away, about which axis in it, and how the camera is rolled. */
  tilt: number;
  axis: number;
  roll: number;
  /** Millimetres to the plane's origin, and where that is in the picture, from 0 to 1. */
  distance: number;
  centre: Point;
}

/** Where a point of the plane (millimetres) is in the picture, from 0 to 1. */
export function seenBy(camera: Camera, [x, y]: Point): Point {
  const { frame, focal, tilt, axis, roll, distance, centre } = camera;
  const longer = Math.max(frame.width, frame.height);
  // Rodrigues: about an axis that lies in the plane.
  const [ax, ay] = [Math.cos(axis), Math.sin(axis)];
  const along = ax * x + ay * y;
  const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
  const [tx, ty, tz] = [x * cos + ax * along * (1 - cos), y * cos + ay * along * (1 - cos), (ax * y - ay * x) * sin];
  const [rx, ry] = [tx * Math.cos(roll) - ty * Math.sin(roll), tx * Math.sin(roll) + ty * Math.cos(roll)];
  const depth = distance + tz;
  // The plane's origin is moved sideways so that it is seen where it is wanted.
  const [ox, oy] = [
    (((centre[0] - 0.5) * frame.width) / longer / focal) * distance,
    (((centre[1] - 0.5) * frame.height) / longer / focal) * distance,
  ];
  return [
    0.5 + (((rx + ox) / depth) * focal * longer) / frame.width,
    0.5 + (((ry + oy) / depth) * focal * longer) / frame.height,
  ];
}

/** The corners of a rectangle about the plane's origin. */
export const rectangle = ([width, height]: Point): Quad => [
  [-width / 2, -height / 2],
  [width / 2, -height / 2],
  [width / 2, height / 2],
  [-width / 2, height / 2],
];
