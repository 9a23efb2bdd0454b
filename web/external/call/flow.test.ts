import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bytesSent, FLOW_MS, Flow, type Kind, type Sent, stalled } from './flow';
import { hint } from './lens';

const sent = (audio: number | null, video: number | null): Sent => ({ audio, video });

// CLIENT-54
describe('what stands still', () => {
  it.each<[string, Sent, Sent, Kind[]]>([
    ['both grow', sent(1, 1), sent(2, 2), []],
    ['the voice stands', sent(5, 1), sent(5, 2), ['audio']],
    ['both stand', sent(5, 5), sent(5, 5), ['audio', 'video']],
    ['nothing is due', sent(null, null), sent(null, null), []],
    ['the picture was paused meanwhile', sent(1, 7), sent(2, null), []],
  ])('%s', (_name, before, after, kinds) => expect(stalled(before, after)).toEqual(kinds));
});

describe('bytes of a track', () => {
  const stats = new Map([
    ['a', { type: 'outbound-rtp', bytesSent: 10 }],
    ['b', { type: 'outbound-rtp', bytesSent: 5 }],
    ['c', { type: 'media-source', frames: 3 }],
  ]);
  const local = (change: object = {}, sender: object = {}) =>
    ({
      isMuted: false,
      mediaStreamTrack: { muted: false, readyState: 'live' },
      sender: { track: {}, getStats: async () => stats, getParameters: () => ({ encodings: [] }), ...sender },
      ...change,
    }) as never;

  it.each<[string, object, object, number | null]>([
    ['layers add up', {}, {}, 15],
    ['muted by the person', { isMuted: true }, {}, null],
    ['silenced by the system', { mediaStreamTrack: { muted: true, readyState: 'live' } }, {}, null],
    ['ended', { mediaStreamTrack: { muted: false, readyState: 'ended' } }, {}, null],
    ['nobody looks', {}, { getParameters: () => ({ encodings: [{ active: false }, { active: false }] }) }, null],
    ['somebody looks at one layer', {}, { getParameters: () => ({ encodings: [{ active: false }, {}] }) }, 15],
    ['a still is being taken', {}, { track: null }, null],
    ['the browser does not say', {}, { getStats: () => Promise.reject(new Error('closed')) }, null],
  ])('%s', async (_name, change, sender, bytes) => expect(await bytesSent(local(change, sender))).toBe(bytes));
});

// CLIENT-54
describe('the proof after a recovery', () => {
  let bytes: Sent;
  let grows: Record<Kind, boolean>;
  let done: string[];
  let flow: Flow;
  beforeEach(() => {
    vi.useFakeTimers();
    bytes = sent(0, 0);
    grows = { audio: true, video: true };
    done = [];
    flow = new Flow({
      read: async () => {
        for (const kind of ['audio', 'video'] as const) if (grows[kind]) bytes[kind] = (bytes[kind] ?? 0) + 1;
        return { ...bytes };
      },
      republish: async (kind) => void done.push(kind),
      rejoin: () => void done.push('rejoin'),
      giveUp: () => void done.push('ladder'),
    });
  });
  afterEach(() => vi.useRealTimers());
  const pass = () => vi.advanceTimersByTimeAsync(2 * FLOW_MS);

  it('changes nothing while both grow', async () => {
    void flow.prove();
    await pass();
    expect(done).toEqual([]);
  });

  it('publishes anew what stands still, and is content when that helps', async () => {
    grows.audio = false;
    void flow.prove();
    await vi.advanceTimersByTimeAsync(FLOW_MS);
    expect(done).toEqual(['audio']);
    grows.audio = true;
    await pass();
    flow.connected();
    await pass();
    expect(done).toEqual(['audio']);
  });

  it('joins again, and then goes on by the ladder', async () => {
    grows.video = false;
    void flow.prove();
    await pass();
    expect(done).toEqual(['video', 'rejoin']);
    flow.connected();
    await pass();
    expect(done).toEqual(['video', 'rejoin', 'video', 'ladder']);
  });

  it('after a connection that helped begins at the first step', async () => {
    grows.video = false;
    void flow.prove();
    await pass();
    grows.video = true;
    flow.connected();
    await pass();
    grows.video = false;
    void flow.prove();
    await pass();
    expect(done).toEqual(['video', 'rejoin', 'video', 'rejoin']);
  });

  it('only the newest proof counts, and none after the end', async () => {
    grows.video = false;
    void flow.prove();
    void flow.prove();
    await vi.advanceTimersByTimeAsync(FLOW_MS);
    expect(done).toEqual(['video']);
    flow.stop();
    await pass();
    expect(done).toEqual(['video']);
  });
});

describe('the content hint', () => {
  // CLIENT-58
  it.each([
    ['camera2 0, facing back', undefined, 'detail'],
    ['', 'environment', 'detail'],
    ['Cámara frontal', undefined, 'motion'],
    ['', 'user', 'motion'],
    ['Integrated Webcam', undefined, 'motion'],
  ])('of %j facing %s is %s', (label, facingMode, expected) => {
    const track = { label, contentHint: '', getSettings: () => ({ facingMode }) };
    hint(track as unknown as MediaStreamTrack);
    expect(track.contentHint).toBe(expected);
  });

  // CLIENT-58
  it('of a browser without hints is left out', () => {
    const track = { label: 'Back Camera', getSettings: () => ({}) };
    hint(track as unknown as MediaStreamTrack);
    expect(track).not.toHaveProperty('contentHint');
  });
});
