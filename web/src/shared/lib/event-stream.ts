import { ApiError, networkError } from '@/api/errors';
import { type ServerSentEvent, SseParser } from './sse';

interface EventStreamDeps {
  /** Opens the stream, with the bearer; throws `ApiError`. */
  open: (signal: AbortSignal) => Promise<Response>;
  onEvent: (event: ServerSentEvent) => void;
  /** Each time the stream is open: what was missed in between is asked for here. */
  onOpen?: () => void;
  /** Waits between tries, milliseconds; the last one repeats. */
  waitsMs?: number[];
}

const WAITS_MS = [1_000, 2_000, 5_000, 15_000, 30_000];

/**
 * Reads a stream of server-sent events and opens it again whenever it ends, with growing waits. A refusal (4xx) other
 * than 429 is final. Answers how to stop; after that nothing is called and no connection stays open.
 */
export function followEvents({ open, onEvent, onOpen, waitsMs = WAITS_MS }: EventStreamDeps): () => void {
  const stopped = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;

  const read = async () => {
    const response = await open(stopped.signal);
    const reader = response.body?.getReader();
    if (!reader) throw networkError();
    if (stopped.signal.aborted) return;
    onOpen?.();
    const parser = new SseParser();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || stopped.signal.aborted) return;
      tries = 0;
      for (const event of parser.feed(decoder.decode(value, { stream: true }))) onEvent(event);
    }
  };
  const connect = async () => {
    try {
      await read();
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) return;
    }
    if (stopped.signal.aborted) return;
    timer = setTimeout(() => void connect(), waitsMs[Math.min(tries, waitsMs.length - 1)] ?? 1_000);
    tries += 1;
  };

  void connect();
  return () => {
    stopped.abort();
    clearTimeout(timer);
  };
}
