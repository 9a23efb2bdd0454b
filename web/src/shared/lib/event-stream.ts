import { ApiError, networkError } from '@/api/errors';
import { type ServerSentEvent, SseParser } from './sse';

interface EventStreamDeps {
  /** Opens the stream, with the bearer; throws `ApiError`. */
  open: (signal: AbortSignal) => Promise<Response>;
  onEvent: (event: ServerSentEvent) => void;
  /** After this long without a byte the stream counts as dead, milliseconds; the server says at least that it lives. */
  silenceMs?: number;
  /** Waits between tries, milliseconds; the last one repeats. */
  waitsMs?: number[];
}

const SILENCE_MS = 30_000;
const WAITS_MS = [1_000, 2_000, 5_000, 15_000, 30_000];

/**
 * Reads a stream of server-sent events and opens it again whenever it ends, with growing waits. A refusal (4xx) other
 * than 429 is final. Answers how to stop; after that nothing is called and no connection stays open.
 */
export function followEvents(deps: EventStreamDeps): () => void {
  const { open, onEvent, silenceMs = SILENCE_MS, waitsMs = WAITS_MS } = deps;
  const stopped = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;

  const read = async () => {
    const connection = new AbortController();
    const cut = () => connection.abort();
    stopped.signal.addEventListener('abort', cut);
    let silence = setTimeout(cut, silenceMs);
    try {
      const response = await open(connection.signal);
      const reader = response.body?.getReader();
      if (!reader) throw networkError();
      const parser = new SseParser();
      const decoder = new TextDecoder();
      for (;;) {
        const { done, value } = await reader.read();
        if (done || stopped.signal.aborted) return;
        clearTimeout(silence);
        silence = setTimeout(cut, silenceMs);
        tries = 0;
        for (const event of parser.feed(decoder.decode(value, { stream: true }))) onEvent(event);
      }
    } finally {
      clearTimeout(silence);
      stopped.signal.removeEventListener('abort', cut);
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
