import type { DiffBlock, Pending } from './api';

/** Unchanged blocks kept beside a change, so that one reads it in its place. */
const AROUND = 1;

export type DiffPiece = { block: DiffBlock; key: number } | { skipped: DiffBlock[]; key: number };

/** The blocks of a comparison with long unchanged runs put aside. */
export function folded(blocks: readonly DiffBlock[]): DiffPiece[] {
  const near = blocks.map((_, place) =>
    blocks.slice(Math.max(0, place - AROUND), place + AROUND + 1).some(({ kind }) => kind !== 'same'),
  );
  const pieces: DiffPiece[] = [];
  for (const [key, block] of blocks.entries()) {
    const last = pieces.at(-1);
    if (near[key]) pieces.push({ block, key });
    else if (last && 'skipped' in last) last.skipped.push(block);
    else pieces.push({ skipped: [block], key });
  }
  // One block takes no more room than the line that would stand for it.
  return pieces.map((piece) =>
    'skipped' in piece && piece.skipped.length === 1 && piece.skipped[0]
      ? { block: piece.skipped[0], key: piece.key }
      : piece,
  );
}

export const isNothing = ({ pending, price }: Pending): boolean => pending.length === 0 && !price;

/** What was put off, for this visit of this person: the same things are not asked again before the next log-in. */
const LATER = 'termsLater';
const nameOf = (userId: string, { pending, price }: Pending) =>
  [userId, ...pending.map(({ legalId }) => legalId).sort(), price?._id ?? ''].join(' ');

export function putOff(userId: string, pending: Pending): void {
  try {
    window.sessionStorage.setItem(LATER, nameOf(userId, pending));
  } catch {
    // A closed storage remembers nothing; the dialog is then only closed.
  }
}

export function isPutOff(userId: string, pending: Pending): boolean {
  try {
    return window.sessionStorage.getItem(LATER) === nameOf(userId, pending);
  } catch {
    return false;
  }
}

/** With the end of a session. */
export function forgetPutOff(): void {
  try {
    window.sessionStorage.removeItem(LATER);
  } catch {
    // As above.
  }
}
