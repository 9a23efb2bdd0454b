/** The marks over a picture: one canvas for what lies there, drawn when it changes, never frame by frame. */
import './sheet.css';
import type { Placement } from '../pointing/place';
import { pictureIn } from '../pointing/place';
import type { Mark } from './marks';
import { paintMarks } from './paint';

export class Sheet {
  private readonly canvas = document.createElement('canvas');
  private marks: readonly Mark[] = [];
  private placement: Placement | null = null;
  private frame: number | null = null;

  constructor(host: HTMLElement) {
    this.canvas.className = 'at-sheet';
    this.canvas.ariaHidden = 'true';
    host.append(this.canvas);
  }

  show(marks: readonly Mark[]): void {
    this.marks = marks;
    this.wake();
  }

  place(placement: Placement | null): void {
    this.placement = placement;
    this.wake();
  }

  dispose(): void {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.canvas.remove();
  }

  private wake(): void {
    this.frame ??= requestAnimationFrame(this.draw);
  }

  private draw = (): void => {
    this.frame = null;
    const began = performance.now();
    const pen = this.canvas.getContext('2d');
    const { placement } = this;
    if (!pen) return;
    const density = Math.min(2, devicePixelRatio || 1);
    const box = placement?.box ?? { width: 0, height: 0 };
    const [width, height] = [Math.round(box.width * density), Math.round(box.height * density)];
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    pen.setTransform(density, 0, 0, density, 0, 0);
    pen.clearRect(0, 0, box.width, box.height);
    if (placement) paintMarks(pen, this.marks, pictureIn(placement));
    // For tests and benchmarks: what the last drawing cost, ms (DRAW-8), and how many marks it had.
    this.canvas.dataset.ms = (performance.now() - began).toFixed(2);
    this.canvas.dataset.marks = String(this.marks.length);
  };
}
