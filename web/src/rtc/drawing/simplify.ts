/** Fewer points for the same line: Ramer, Douglas and Peucker's way, with a tolerance that grows until they are few enough. */

/** A thousandth of the picture's longer side: not seen. */
export const TOLERANCE = 0.001;

/** How far a point lies from the stretch between two others, squared. */
function apart(points: readonly number[], at: number, from: number, to: number, aspect: number): number {
  const px = (points[at * 2] ?? 0) * aspect;
  const py = points[at * 2 + 1] ?? 0;
  const ax = (points[from * 2] ?? 0) * aspect;
  const ay = points[from * 2 + 1] ?? 0;
  const dx = (points[to * 2] ?? 0) * aspect - ax;
  const dy = (points[to * 2 + 1] ?? 0) - ay;
  const length = dx * dx + dy * dy;
  const along = length > 0 ? Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / length)) : 0;
  return (px - ax - along * dx) ** 2 + (py - ay - along * dy) ** 2;
}

/** Keeps the ends and whatever bends more than `tolerance`. Without recursion: a hand may draw thousands of points. */
function thinned(points: readonly number[], tolerance: number, aspect: number): number[] {
  const count = points.length / 2;
  const kept = new Uint8Array(count);
  kept[0] = 1;
  kept[count - 1] = 1;
  const open: [number, number][] = [[0, count - 1]];
  for (let range = open.pop(); range; range = open.pop()) {
    const [from, to] = range;
    let most = tolerance * tolerance;
    let bend = -1;
    for (let at = from + 1; at < to; at += 1) {
      const far = apart(points, at, from, to, aspect);
      if (far <= most) continue;
      most = far;
      bend = at;
    }
    if (bend < 0) continue;
    kept[bend] = 1;
    open.push([from, bend], [bend, to]);
  }
  return points.filter((_, index) => kept[index >> 1]);
}

/**
 * The line with at most `most` points. `points` are `x, y, …` of the frame; `aspect` its width by its height, so that the
 * tolerance is the same in both directions.
 */
export function simplified(points: readonly number[], aspect: number, most: number, tolerance = TOLERANCE): number[] {
  // A frame that lies is measured by its width, one that stands by its height.
  let limit = tolerance * Math.max(1, aspect);
  let line = points.length <= 4 ? [...points] : thinned(points, limit, aspect);
  while (line.length > most * 2) {
    limit *= 1.6;
    line = thinned(line, limit, aspect);
  }
  return line;
}
