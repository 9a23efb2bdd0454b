import { ApiError, networkError } from '@/api/errors';
import { SseParser } from '@/shared/lib/sse';
import { applyEvent, emptyFeed, type FeedEvent, type FeedState } from './feed-state';

/** `retrying`: what is shown may be old. `failed`: refused for good (`error` says why). `ended`: the conference closed. */
export type FeedStatus = 'connecting' | 'live' | 'retrying' | 'failed' | 'ended';

export interface Feed extends FeedState {
  status: FeedStatus;
  error: ApiError | null;
}

interface FeedDeps {
  /** Opens the stream; throws `ApiError`. */
  open: (signal: AbortSignal) => Promise<Response>;
  /** After this long without a byte the stream counts as dead. Milliseconds. */
  silenceMs?: number;
  /** Waits between tries, milliseconds; the last one repeats. */
  waitsMs?: number[];
}

const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
const SILENCE_MS = 45_000;

/**
 * Follows one conference: reads its event stream, reconnects for ever with growing waits, and keeps the merged state.
 * Each connection starts with a snapshot, so nothing is lost in between.
 * Invariant: after `stop()` no listener is called and no connection stays open.
 */
export class ConferenceFeed {
  private feed: Feed = { ...emptyFeed, status: 'connecting', error: null };
  private readonly listeners = new Set<() => void>();
  private readonly eventListeners = new Set<(event: FeedEvent) => void>();
  private connection: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private tries = 0;
  private stopped = true;

  constructor(private readonly deps: FeedDeps) {}

  current(): Feed {
    return this.feed;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Every event as it comes, for what must happen once (a sound, a toast). */
  onEvent(listener: (event: FeedEvent) => void): () => void {
    this.eventListeners.add(listener);
    return () => this.eventListeners.delete(listener);
  }

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    void this.connect();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.connection?.abort();
    this.connection = null;
  }

  /** Tries again at once: the network came back, or a person asked. */
  retryNow(): void {
    if (this.stopped || this.feed.status === 'live' || this.feed.status === 'ended') return;
    clearTimeout(this.timer);
    this.connection?.abort();
    this.tries = 0;
    void this.connect();
  }

  private async connect(): Promise<void> {
    const connection = new AbortController();
    this.connection = connection;
    try {
      const response = await this.deps.open(connection.signal);
      await this.read(response, connection);
      this.lost(connection, null);
    } catch (error) {
      this.lost(connection, error instanceof ApiError ? error : networkError());
    }
  }

  private async read(response: Response, connection: AbortController): Promise<void> {
    const reader = response.body?.getReader();
    if (!reader) throw networkError();
    const parser = new SseParser();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await this.withinSilence(reader.read(), connection);
      if (done || this.connection !== connection) return;
      for (const { event, data } of parser.feed(decoder.decode(value, { stream: true }))) this.take(event, data);
    }
  }

  private async withinSilence<V>(reading: Promise<V>, connection: AbortController): Promise<V> {
    const timer = setTimeout(() => connection.abort(), this.deps.silenceMs ?? SILENCE_MS);
    try {
      return await reading;
    } finally {
      clearTimeout(timer);
    }
  }

  private take(event: string, data: string): void {
    const message = readEvent(event, data);
    if (!message) return;
    this.tries = 0;
    const state = applyEvent(this.feed, message);
    const closed = state.details?.conference.closed === true;
    this.show({ ...this.feed, ...state, status: closed ? 'ended' : 'live', error: null });
    for (const listener of this.eventListeners) listener(message);
  }

  private lost(connection: AbortController, error: ApiError | null): void {
    if (this.stopped || this.connection !== connection) return;
    if (this.feed.status === 'ended') return;
    if (error && error.status >= 400 && error.status < 500 && error.status !== 429) {
      this.show({ ...this.feed, status: 'failed', error });
      return;
    }
    const waits = this.deps.waitsMs ?? WAITS_MS;
    const wait = waits[Math.min(this.tries, waits.length - 1)] ?? 1_000;
    this.tries += 1;
    this.show({ ...this.feed, status: this.feed.details ? 'retrying' : 'connecting', error });
    this.timer = setTimeout(() => void this.connect(), wait);
  }

  private show(feed: Feed): void {
    this.feed = feed;
    for (const listener of this.listeners) listener();
  }
}

function readEvent(event: string, data: string): FeedEvent | null {
  try {
    return { event, data: JSON.parse(data || '{}') } as FeedEvent;
  } catch {
    // A torn event: the next snapshot repairs what it said.
    return null;
  }
}
