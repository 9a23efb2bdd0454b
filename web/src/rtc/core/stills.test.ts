import { describe, expect, it } from 'vitest';
import { ask, expire, pending, progress, STILL_SILENCE_MS } from './stills';

describe('stills', () => {
  const start = ask([], 's1', 'client:1', 0);

  it('never runs backwards and leaves the strip when its picture arrives', () => {
    let stills = progress(start, { t: 'still-progress', id: 's1', state: 'uploading', percent: 43 }, 'client:1', 10);
    stills = progress(stills, { t: 'still-progress', id: 's1', state: 'uploading', percent: 20 }, 'client:1', 20);
    expect(stills[0]?.percent).toBe(43);
    stills = progress(
      stills,
      { t: 'still-progress', id: 's1', state: 'uploading', percent: 90, mediaId: 'm1' },
      'client:1',
      30,
    );
    expect(pending(stills, new Set())).toHaveLength(1);
    expect(pending(stills, new Set(['m1']))).toHaveLength(0);
  });

  it('ignores progress of a still nobody asked for', () => {
    expect(progress(start, { t: 'still-progress', id: 'other', state: 'done', percent: 100 }, 'client:1', 1)).toEqual(
      start,
    );
  });

  // CALL-42
  it('believes only the device that was asked', () => {
    const done = { t: 'still-progress', id: 's1', state: 'done', percent: 100 } as const;
    expect(progress(start, done, 'client:2', 1)).toEqual(start);
    expect(progress(start, done, 'client:1', 1)[0]?.state).toBe('done');
  });

  // CALL-21
  it('fails after silence, with the reason, and stays visible', () => {
    const stale = expire(start, STILL_SILENCE_MS + 1);
    expect(stale[0]).toMatchObject({ state: 'failed', reason: 'STILL_SILENT' });
    expect(pending(stale, new Set())).toHaveLength(1);
    expect(expire(start, 5)).toBe(start);
  });
});
