/** How a picture is enlarged within its frame: pure sums of places in px from the frame's centre. */

export interface View {
  /** 1 = whole picture. */
  scale: number;
  /** Shift of the picture's centre in px. */
  x: number;
  y: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
export const MAX_SCALE = 8;
/** What a double click or a double tap enlarges to. */
export const DOUBLE_FACTOR = 2.5;

/** The middle of two fingers and how far apart they are, in px. */
export interface Pinch {
  x: number;
  y: number;
  distance: number;
}

export const pinchOf = (a: { x: number; y: number }, b: { x: number; y: number }): Pinch => ({
  x: (a.x + b.x) / 2,
  y: (a.y + b.y) / 2,
  distance: Math.hypot(a.x - b.x, a.y - b.y),
});

/** What two fingers do: spread zooms about their middle, moving together pans. Places are from the frame's centre. */
export function pinched(view: View, from: Pinch, to: Pinch, width: number, height: number): View {
  const factor = from.distance > 0 ? to.distance / from.distance : 1;
  const zoomed = zoomAt(view, factor, from.x, from.y);
  return zoomed.scale === 1 ? WHOLE : pan(zoomed, to.x - from.x, to.y - from.y, width, height);
}

/** How much one notch of a wheel, or one step of a touch pad, zooms. `deltaY` in px. */
export const wheelFactor = (deltaY: number): number => Math.exp(-Math.min(100, Math.max(-100, deltaY)) * 0.0018);

/** Zooms by `factor` keeping the point (`px`, `py`, from the centre, in px) where it is; 1 puts the picture back. */
export function zoomAt(view: View, factor: number, px = 0, py = 0): View {
  const scale = Math.min(MAX_SCALE, Math.max(1, view.scale * factor));
  if (scale === 1) return WHOLE;
  const ratio = scale / view.scale;
  return { scale, x: px - (px - view.x) * ratio, y: py - (py - view.y) * ratio };
}

/** Moves the picture, keeping its middle within the frame of `width` × `height` px. */
export function pan(view: View, dx: number, dy: number, width: number, height: number): View {
  const limit = (value: number, size: number) => {
    const max = (size * (view.scale - 1)) / 2;
    return Math.min(max, Math.max(-max, value));
  };
  return { ...view, x: limit(view.x + dx, width), y: limit(view.y + dy, height) };
}
