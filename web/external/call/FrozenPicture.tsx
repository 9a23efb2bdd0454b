/** The frozen picture with its marks; loaded when a call is frozen first. */
import { useEffect, useRef } from 'preact/hooks';
import { Board } from '../../src/rtc/drawing/board';
import { DrawReader } from '../../src/rtc/drawing/channel';
import { type Mark, markOf } from '../../src/rtc/drawing/marks';
import { Sheet } from '../../src/rtc/drawing/sheet';
import { LivePicture } from '../../src/rtc/pointing/live-picture';
import { API } from '../api';
import { withKeys } from './Pictures';
import type { Pointing } from './pointing';

/** How often what nobody stored is looked for. Milliseconds. */
const SWEEP_MS = 3_000;

/** What lies on one frozen picture. */
export class FrozenBoard {
  private readonly board = new Board();
  private readonly reader = new DrawReader();
  /** Called when the marks are others. */
  onMarks: (marks: readonly Mark[]) => void = () => undefined;

  constructor(
    readonly mediaId: string,
    /** Of the picture in this page's memory. */
    readonly url: string,
  ) {}

  load(revision: number, marks: readonly unknown[]): void {
    if (
      this.board.load(
        revision,
        marks.map(markOf).filter((mark) => mark !== null),
      )
    )
      this.changed();
  }

  take(payload: Uint8Array, from: string | undefined): void {
    const message = this.reader.read(payload, from);
    if (message?.of !== this.mediaId) return;
    if ('mark' in message) this.board.put(message.mark, performance.now());
    else this.board.erase(message.erase, performance.now());
    this.changed();
  }

  get marks(): readonly Mark[] {
    return this.board.shown();
  }

  /** Takes off what nobody stored. */
  sweep(): void {
    if (this.board.sweep(performance.now())) this.changed();
  }

  dispose(): void {
    URL.revokeObjectURL(this.url);
  }

  private changed(): void {
    this.onMarks(this.marks);
  }
}

/** The picture into this page's memory. Throws when it does not come. */
export async function load(hash: string, clientKey: string, mediaId: string): Promise<FrozenBoard> {
  const init = { headers: { 'x-client-key': clientKey }, credentials: 'omit', cache: 'no-store' } as const;
  const response = await fetch(`${API}/${hash}/frozen-picture`, init);
  if (!response.ok) throw new Error(String(response.status));
  return new FrozenBoard(mediaId, URL.createObjectURL(await response.blob()));
}

interface FrozenPictureProps {
  board: FrozenBoard;
  label: string;
  pointing: Pointing;
  onScale: (scale: number) => void;
}

/** Whole, as the adjuster sees it; a finger points at it, and two enlarge it. */
export function FrozenPicture({ board, label, pointing, onScale }: FrozenPictureProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!frame.current) return;
    const sheet = new Sheet(frame.current);
    const picture = new LivePicture(frame.current, {
      fit: 'contain',
      mirrored: false,
      pointsBy: 'touch',
      send: pointing.send,
      look: (from) => (from === null ? { name: '', tone: 'client' } : { name: pointing.nameOf(from), tone: 'staff' }),
      onScale,
      onPointed: () => undefined,
      onPlaced: (placement) => sheet.place(placement),
    });
    pointing.picture = picture;
    const withoutKeys = withKeys(picture);
    board.onMarks = (marks) => sheet.show(marks);
    sheet.show(board.marks);
    const timer = setInterval(() => board.sweep(), SWEEP_MS);
    return () => {
      clearInterval(timer);
      withoutKeys();
      board.onMarks = () => undefined;
      pointing.picture = null;
      picture.dispose();
      sheet.dispose();
      onScale(1);
    };
  }, [board]);
  return (
    <div class="frame" ref={frame}>
      <div class="inner">
        <img class="own whole" src={board.url} alt={label} draggable={false} />
      </div>
    </div>
  );
}
