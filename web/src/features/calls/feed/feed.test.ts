import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, networkError } from '@/api/errors';
import type { ChatMessage } from '@/api/types';
import { SseParser } from '@/shared/lib/sse';
import { waitingDetails } from '@/test/waiting';
import { ConferenceFeed } from './feed';
import { applyEvent, emptyFeed, type FeedEvent } from './feed-state';

const snapshot = (): FeedEvent => ({ event: 'snapshot', data: waitingDetails() });
const wire = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** A stream that the test writes into. */
function stream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(c) {
      controller = c;
    },
  });
  return {
    response: new Response(body),
    write: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
  };
}

const feeds: ConferenceFeed[] = [];
function follow(open: (signal: AbortSignal) => Promise<Response>, silenceMs?: number) {
  const feed = new ConferenceFeed({ open, waitsMs: [1], silenceMs });
  feeds.push(feed);
  feed.start();
  return feed;
}
afterEach(() => {
  for (const feed of feeds.splice(0)) feed.stop();
});

describe('event stream parser', () => {
  it('puts events together over any cut, whatever the line ends', () => {
    const text = ': hello\n\nevent: a\r\ndata: {"x":\r\ndata: 1}\r\n\r\nid: 7\ndata:y\n\nevent: cut\nda';
    const parser = new SseParser();
    const events = [...text].flatMap((char) => parser.feed(char));
    expect(events).toEqual([
      { event: 'a', data: '{"x":\n1}', id: null },
      { event: 'message', data: 'y', id: '7' },
    ]);
  });
});

describe('feed state', () => {
  it('ignores events before the first snapshot and unknown ones', () => {
    expect(applyEvent(emptyFeed, { event: 'closed', data: {} })).toBe(emptyFeed);
    const state = applyEvent(emptyFeed, snapshot());
    expect(applyEvent(state, { event: 'later-version' } as never)).toBe(state);
  });

  it('replaces by id and keeps tracks in the order of the chain', () => {
    let state = applyEvent(emptyFeed, snapshot());
    const track = { _id: 't2', seq: 2, type: 'LEGAL_ACCEPTED', actor: 'client', at: '', data: null };
    state = applyEvent(state, { event: 'track', data: track });
    state = applyEvent(state, { event: 'track', data: { ...track, _id: 't1', seq: 1 } });
    state = applyEvent(state, { event: 'track', data: track });
    expect(state.details?.tracks.map((entry) => entry.seq)).toEqual([1, 2]);
    const message = waitingDetails().messages[0];
    if (message) state = applyEvent(state, { event: 'message', data: { ...message, state: 'delivered' } });
    expect(state.details?.messages).toMatchObject([{ state: 'delivered' }]);
  });

  it('keeps what came live over a new snapshot', () => {
    let state = applyEvent(emptyFeed, snapshot());
    const said = { _id: 'c1', from: 'client', name: 'Carmen', text: 'hola', phrase: null, at: '' };
    const chat: ChatMessage = { ...said, kind: 'client' };
    state = applyEvent(state, { event: 'chat', data: chat });
    expect(applyEvent(state, snapshot()).chat).toEqual([chat]);
  });
});

describe('feed', () => {
  it('is live with the snapshot, reconnects when the stream ends, and says so meanwhile', async () => {
    const [first, second] = [stream(), stream()];
    const open = vi.fn().mockResolvedValueOnce(first.response).mockResolvedValueOnce(second.response);
    const feed = follow(open);
    const seen: string[] = [];
    feed.subscribe(() => seen.push(feed.current().status));
    first.write(wire('snapshot', waitingDetails()));
    await vi.waitFor(() => expect(feed.current().status).toBe('live'));
    first.end();
    await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(2));
    expect(seen).toContain('retrying');
    second.write(wire('snapshot', waitingDetails({ opened: { state: 'done' } })));
    await vi.waitFor(() => expect(feed.current().status).toBe('live'));
    expect(feed.current().details?.progress.steps[2]?.state).toBe('done');
  });

  it('retries a dead network for ever, and stops at a refusal', async () => {
    const open = vi
      .fn<(signal: AbortSignal) => Promise<Response>>()
      .mockRejectedValueOnce(networkError())
      .mockRejectedValueOnce(new ApiError({ code: 'UNAVAILABLE', status: 503, message: '' }))
      .mockRejectedValue(new ApiError({ code: 'NOT_FOUND', status: 404, message: '' }));
    const feed = follow(open);
    await vi.waitFor(() => expect(feed.current().status).toBe('failed'));
    expect(feed.current().error?.code).toBe('NOT_FOUND');
    expect(open).toHaveBeenCalledTimes(3);
  });

  it('gives up a silent stream', async () => {
    const open = vi.fn((signal: AbortSignal) => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
      });
      return Promise.resolve(new Response(body));
    });
    follow(open, 5);
    await vi.waitFor(() => expect(open.mock.calls.length).toBeGreaterThan(1));
  });

  it('ends with the conference and does not come back', async () => {
    const only = stream();
    const open = vi.fn().mockResolvedValue(only.response);
    const feed = follow(open);
    only.write(wire('snapshot', waitingDetails()) + wire('closed', {}));
    await vi.waitFor(() => expect(feed.current().status).toBe('ended'));
    only.end();
    await new Promise((done) => setTimeout(done, 20));
    expect(open).toHaveBeenCalledOnce();
  });

  it('survives a torn event and tells each listener once per event', async () => {
    const only = stream();
    const feed = follow(vi.fn().mockResolvedValue(only.response));
    const heard: string[] = [];
    feed.onEvent((event) => heard.push(event.event));
    only.write(`event: progress\ndata: {"steps":\n\n${wire('snapshot', waitingDetails())}`);
    await vi.waitFor(() => expect(feed.current().status).toBe('live'));
    expect(heard).toEqual(['snapshot']);
  });
});
