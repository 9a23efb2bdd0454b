import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError, networkError } from '@/api/errors';
import { followEvents } from './event-stream';
import type { ServerSentEvent } from './sse';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const streamOf = (text: string) => new Response(text);

it('hands out events, and opens again when the stream ends', async () => {
  const seen: ServerSentEvent[] = [];
  const open = vi
    .fn()
    .mockResolvedValueOnce(streamOf('event: unblockMenu\ndata: {"state":"blocked"}\n\n'))
    .mockRejectedValueOnce(networkError())
    .mockResolvedValueOnce(streamOf(': alive\n\nevent: unblockMenu\ndata: {"state":"unblocked"}\n\n'))
    .mockReturnValue(new Promise(() => {}));
  const stop = followEvents({ open, onEvent: (event) => seen.push(event), waitsMs: [100] });
  await vi.advanceTimersByTimeAsync(50);
  expect(seen.map((event) => [event.event, event.data])).toEqual([['unblockMenu', '{"state":"blocked"}']]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen.map((event) => event.data)).toEqual(['{"state":"blocked"}', '{"state":"unblocked"}']);
  expect(open).toHaveBeenCalledTimes(4);
  stop();
});

it('gives up a stream that says nothing any more, and opens another', async () => {
  const signals: AbortSignal[] = [];
  const open = vi.fn((signal: AbortSignal) => {
    signals.push(signal);
    const body = new ReadableStream({ start: (stream) => signal.addEventListener('abort', () => stream.error('cut')) });
    return Promise.resolve(new Response(body));
  });
  const stop = followEvents({ open, onEvent: () => {}, silenceMs: 50, waitsMs: [10] });
  await vi.advanceTimersByTimeAsync(45);
  expect(open).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(30);
  expect(open).toHaveBeenCalledTimes(2);
  expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
  stop();
});

it('takes a refusal as final', async () => {
  const open = vi.fn().mockRejectedValue(new ApiError({ code: 'SESSION_ENDED', status: 401, message: '' }));
  followEvents({ open, onEvent: () => {}, waitsMs: [10] });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(open).toHaveBeenCalledTimes(1);
});

it('stops for good', async () => {
  const open = vi.fn().mockRejectedValue(networkError());
  const stop = followEvents({ open, onEvent: () => {}, waitsMs: [10] });
  await vi.advanceTimersByTimeAsync(25);
  const calls = open.mock.calls.length;
  stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(open).toHaveBeenCalledTimes(calls);
});
