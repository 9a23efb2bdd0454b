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

it('hands out events, says when it is open, and opens again when the stream ends', async () => {
  const seen: ServerSentEvent[] = [];
  const onOpen = vi.fn();
  const open = vi
    .fn()
    .mockResolvedValueOnce(streamOf('event: unblockMenu\ndata: {"state":"blocked"}\n\n'))
    .mockRejectedValueOnce(networkError())
    .mockResolvedValueOnce(streamOf(': alive\n\nevent: unblockMenu\ndata: {"state":"unblocked"}\n\n'))
    .mockReturnValue(new Promise(() => {}));
  const stop = followEvents({ open, onOpen, onEvent: (event) => seen.push(event), waitsMs: [100] });
  await vi.advanceTimersByTimeAsync(50);
  expect(seen.map((event) => [event.event, event.data])).toEqual([['unblockMenu', '{"state":"blocked"}']]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen.map((event) => event.data)).toEqual(['{"state":"blocked"}', '{"state":"unblocked"}']);
  expect(open).toHaveBeenCalledTimes(4);
  expect(onOpen).toHaveBeenCalledTimes(2);
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
  expect(open.mock.calls[0]?.[0].aborted).toBe(true);
});
