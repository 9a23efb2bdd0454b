import { expect, it, vi } from 'vitest';
import { inOneTab } from './one-tab';

/** Web Locks as far as one name goes. */
function fakeLocks(): LockManager {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: (_name: string, options: LockOptions, hold: () => Promise<void>) => {
      const turn = last.then(() => {
        if (options.signal?.aborted) throw new DOMException('aborted', 'AbortError');
        return hold();
      });
      last = turn.catch(() => {});
      return turn;
    },
    query: vi.fn(),
  } as unknown as LockManager;
}
const soon = () => new Promise((done) => setTimeout(done));

it('runs in one tab, and in the next when that one goes', async () => {
  const locks = fakeLocks();
  const stops = [vi.fn(), vi.fn(), vi.fn()];
  const starts = stops.map((stop) => vi.fn(() => stop));
  const ends = starts.map((start) => inOneTab('stream', start, locks));
  await soon();
  expect(starts.map((start) => start.mock.calls.length)).toEqual([1, 0, 0]);
  ends[1]?.();
  ends[0]?.();
  await soon();
  expect(stops[0]).toHaveBeenCalledOnce();
  expect(starts.map((start) => start.mock.calls.length)).toEqual([1, 0, 1]);
});

it('runs everywhere where there are no locks', () => {
  const stop = vi.fn();
  vi.stubGlobal('navigator', {});
  const end = inOneTab('stream', () => stop);
  vi.unstubAllGlobals();
  end();
  expect(stop).toHaveBeenCalledOnce();
});
