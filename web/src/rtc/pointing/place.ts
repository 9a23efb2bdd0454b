/** Where a spot of a video's frame lies in the box that shows it, and back (CALL-46). */
import { type View, WHOLE } from '../../shared/lib/zoom';

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A spot of a frame: `x` and `y` from 0 (left, top) to 1, and the width of the frame by its height. */
export interface Spot extends Point {
  aspect: number;
}

/** How a picture lies in its box. Sizes and shifts in px. */
export interface Placement {
  box: Size;
  /** The frame as it is shown, so upright: a phone that is turned changes width and height. */
  frame: Size;
  /** `contain` leaves bars beside the picture, `cover` cuts it. */
  fit: 'contain' | 'cover';
  /** Left and right exchanged, as in a mirror. */
  mirrored: boolean;
  view: View;
}

export interface Rectangle extends Size {
  left: number;
  top: number;
}

/** Where the whole picture lies in the box, px from its top left corner. */
export function pictureIn({ box, frame, fit, view }: Placement): Rectangle {
  const choose = fit === 'contain' ? Math.min : Math.max;
  const factor = choose(box.width / frame.width, box.height / frame.height) * view.scale;
  const width = frame.width * factor;
  const height = frame.height * factor;
  return { width, height, left: (box.width - width) / 2 + view.x, top: (box.height - height) / 2 + view.y };
}

export const aspectOf = ({ width, height }: Size): number => width / height;

/** The spot under a place of the box, in px from its top left corner; null beside the picture. */
export function spotAt(placement: Placement, at: Point): Spot | null {
  const { left, top, width, height } = pictureIn(placement);
  const x = (at.x - left) / width;
  const y = (at.y - top) / height;
  if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) return null;
  return { x: placement.mirrored ? 1 - x : x, y, aspect: aspectOf(placement.frame) };
}

/** The spot under a place of the box, or the nearest of the picture. */
export function spotNear(placement: Placement, at: Point): Spot {
  const { left, top, width, height } = pictureIn(placement);
  const hold = (value: number) => Math.min(1, Math.max(0, value));
  const x = hold((at.x - left) / width);
  return { x: placement.mirrored ? 1 - x : x, y: hold((at.y - top) / height), aspect: aspectOf(placement.frame) };
}

/** Where a spot lies in the box, in px from its top left corner; outside of the box where the picture is cut. */
export function placeOf(placement: Placement, spot: Point): Point {
  const { left, top, width, height } = pictureIn(placement);
  return { x: left + (placement.mirrored ? 1 - spot.x : spot.x) * width, y: top + spot.y * height };
}

/** Frames of one camera may differ by a line or two; a turned phone, or another size for a photo, differs by far more. */
const SAME_SHAPE = 1.15;

/** Whether a spot of one frame is the same spot of the other. While a phone is turned it is not. */
export const isSameShape = (a: number, b: number): boolean => Math.max(a, b) / Math.min(a, b) < SAME_SHAPE;

/** The view with the picture's edges at most at the box's: what is shown of an enlarged picture has no bars to spare. */
export function heldView(placement: Placement): View {
  const { view, box } = placement;
  if (view.scale === 1) return WHOLE;
  const { width, height } = pictureIn(placement);
  const hold = (shift: number, size: number, room: number) => {
    const most = Math.max(0, (size - room) / 2);
    return Math.min(most, Math.max(-most, shift));
  };
  return { scale: view.scale, x: hold(view.x, width, box.width), y: hold(view.y, height, box.height) };
}

/** A place drawn back into the box, and the way it lies outside: degrees clockwise from the right; null inside. */
export function atEdge(box: Size, { x, y }: Point, margin: number): Point & { turn: number | null } {
  if (x >= 0 && y >= 0 && x <= box.width && y <= box.height) return { x, y, turn: null };
  const hold = (value: number, size: number) => Math.min(size - margin, Math.max(margin, value));
  const inside = { x: hold(x, box.width), y: hold(y, box.height) };
  return { ...inside, turn: (Math.atan2(y - inside.y, x - inside.x) * 180) / Math.PI };
}
