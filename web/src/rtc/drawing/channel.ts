/**
 * What hands draw while they draw it (DRAW-6): topic `atalaya.draw`, UTF-8 JSON, reliable, to everybody in the room. It is
 * only a foretaste: what counts is what the server has stored, and everybody reads that when it changes.
 */
import { senderOf } from '../core/messages';
import { objectOf, Rate } from '../core/received';
import { isMarkId, MARKS_MAX, type Mark, markOf } from './marks';

export { DRAW_TOPIC } from './topic';

/** Longest message that is read, bytes: a line of 500 points has some 7,000. */
export const DRAW_BYTES_MAX = 12_000;
/** Messages of one sender that are read in any second. */
export const DRAWS_A_SECOND = 40;

export type DrawMessage = { of: string } & ({ mark: Mark } | { erase: string[] });

export function encodeDraw(message: DrawMessage): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(message));
}

/** Null for anything that is not a well-formed message. Never throws. */
export function decodeDraw(payload: Uint8Array): DrawMessage | null {
  const raw = objectOf(payload, DRAW_BYTES_MAX);
  if (!raw) return null;
  const { of, mark, erase } = raw;
  if (typeof of !== 'string') return null;
  if (Array.isArray(erase)) {
    return erase.length <= MARKS_MAX && erase.every(isMarkId) ? { of, erase } : null;
  }
  const drawn = markOf(mark);
  return drawn && { of, mark: drawn };
}

/** Reads what arrives on the topic, from members of staff only: the client shows drawings and makes none. */
export class DrawReader {
  private readonly rate = new Rate(DRAWS_A_SECOND);

  constructor(private readonly now: () => number = () => performance.now()) {}

  read(payload: Uint8Array, from: string | undefined): DrawMessage | null {
    if (from === undefined || senderOf(from) !== 'staff') return null;
    return this.rate.passes(from, this.now()) ? decodeDraw(payload) : null;
  }
}
