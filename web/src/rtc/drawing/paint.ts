/**
 * Draws marks on a canvas: every line twice, its dark casing and its ink, so that it stands out from any picture. The
 * server's SVG has the same measures (`crates/records/src/drawings/svg.rs`): thousandths of the frame's longer side.
 */
import { INKS, type Mark, placeAt } from './marks';

export const INK = 4.5;
export const CASING = 8.5;
export const CASING_COLOR = '#0b0b0b';
export const TEXT_SIZE = 34;
/** A long text is smaller, so that it ends within the frame. */
export const TEXT_SIZE_LEAST = 14;
const NUMBER_SIZE = 28;
export const DISC = 22;
const HEAD = 30;
const HEAD_TURN = Math.PI / 7;
/** A text that begins further right goes to the left. */
export const TEXT_LEFT = 0.7;
/** On a small screen lines of a few thousandths would be too thin to see. Texts and numbers keep their place. Px. */
const UNIT_MIN = 0.6;
const FONT = '600 {size}px Inter, Arial, sans-serif';

/** Where the frame lies on the canvas. Px. */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

type Pen = CanvasRenderingContext2D;

/** The line of a pen, an arrow or an ellipse, ready to be stroked. */
function outline(pen: Pen, mark: Mark, width: number, height: number, unit: number): void {
  pen.beginPath();
  const first = placeAt(mark, 0, width, height);
  const last = placeAt(mark, 1, width, height);
  if (mark.kind === 'ellipse') {
    const radius = { x: Math.abs(last.x - first.x) / 2, y: Math.abs(last.y - first.y) / 2 };
    pen.ellipse((first.x + last.x) / 2, (first.y + last.y) / 2, radius.x, radius.y, 0, 0, 2 * Math.PI);
    return;
  }
  pen.moveTo(first.x, first.y);
  if (mark.kind === 'arrow') {
    pen.lineTo(last.x, last.y);
    const way = Math.atan2(last.y - first.y, last.x - first.x);
    const length = Math.min(HEAD * unit, Math.hypot(last.x - first.x, last.y - first.y) / 2);
    for (const turn of [way + Math.PI - HEAD_TURN, way + Math.PI + HEAD_TURN]) {
      pen.moveTo(last.x, last.y);
      pen.lineTo(last.x + length * Math.cos(turn), last.y + length * Math.sin(turn));
    }
    return;
  }
  const { points } = mark;
  for (let at = 2; at < points.length; at += 2) pen.lineTo((points[at] ?? 0) * width, (points[at + 1] ?? 0) * height);
}

/** Thousandths of the longer side. `room`: how much of it the text has. */
export function textSize(text: string, room: number): number {
  return Math.min(TEXT_SIZE, Math.max(TEXT_SIZE_LEAST, room / (0.6 * [...text].length)));
}

function paintText(pen: Pen, mark: Mark, width: number, height: number, unit: number): void {
  const { x, y } = placeAt(mark, 0, width, height);
  const text = mark.text ?? '';
  const isLeft = (mark.points[0] ?? 0) > TEXT_LEFT;
  const size = textSize(text, (isLeft ? x : width - x) / unit) * unit;
  pen.font = FONT.replace('{size}', String(size));
  pen.textAlign = isLeft ? 'right' : 'left';
  pen.lineWidth = (CASING - INK + 3) * unit;
  pen.strokeText(text, x, y + 0.36 * size);
  pen.fillText(text, x, y + 0.36 * size);
}

function paintNumber(pen: Pen, mark: Mark, width: number, height: number, unit: number): void {
  const { x, y } = placeAt(mark, 0, width, height);
  pen.beginPath();
  pen.arc(x, y, DISC * unit, 0, 2 * Math.PI);
  pen.lineWidth = 5 * unit;
  pen.stroke();
  pen.fill();
  pen.font = FONT.replace('{size}', String(NUMBER_SIZE * unit));
  pen.textAlign = 'center';
  pen.fillStyle = CASING_COLOR;
  pen.fillText(String(mark.number ?? ''), x, y + 0.36 * NUMBER_SIZE * unit);
}

export function paintMark(pen: Pen, mark: Mark, { left, top, width, height }: Frame): void {
  const unit = Math.max(width, height) / 1000;
  const line = Math.max(UNIT_MIN, unit);
  pen.save();
  pen.translate(left, top);
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  pen.strokeStyle = CASING_COLOR;
  pen.fillStyle = INKS[mark.tone];
  if (mark.kind === 'text') paintText(pen, mark, width, height, unit);
  else if (mark.kind === 'number') paintNumber(pen, mark, width, height, unit);
  else {
    outline(pen, mark, width, height, unit);
    pen.lineWidth = CASING * line;
    pen.stroke();
    pen.strokeStyle = INKS[mark.tone];
    pen.lineWidth = INK * line;
    pen.stroke();
  }
  pen.restore();
}

export function paintMarks(pen: Pen, marks: readonly Mark[], frame: Frame): void {
  for (const mark of marks) paintMark(pen, mark, frame);
}
