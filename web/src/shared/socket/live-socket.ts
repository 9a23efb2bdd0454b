import type { Socket } from 'socket.io-client';
import { socketEvents } from '@/api/generated/events';

/** `connecting` before the first answer and for a moment after a loss; `offline` once the loss is worth telling. */
export type SocketState = 'connecting' | 'live' | 'offline';

export type SocketHandler = (payload: unknown) => void;

/** What is used of `socket.io-client`. */
type Io = (options: object) => Pick<Socket, 'on' | 'onAny' | 'connect' | 'disconnect' | 'id' | 'active'>;

export interface LiveSocketDeps {
  /** The client's code, loaded when it is first needed. */
  load: () => Promise<Io>;
  /** A token that lives, or `null` when the session has ended. */
  token: () => Promise<string | null>;
  /** Tells the server whose socket this is. */
  register: (userId: string, socketId: string) => Promise<unknown>;
  /** Asks whether the session still holds; ends it here when it does not. */
  verify: () => Promise<unknown>;
  /** A loss shorter than this is not told, milliseconds. */
  graceMs?: number;
  /** Waits after a refusal, milliseconds; the last one repeats. */
  waitsMs?: readonly number[];
}

const GRACE_MS = 2_500;
const WAITS_MS = [1_000, 2_000, 5_000, 15_000, 30_000];
/** A connection that held this long is no refusal; more tabs than the server allows would take turns at full speed. */
const SETTLED_MS = 60_000;

/**
 * The one socket of this tab. Holds who listens to what, so that pages come and go without touching
 * the connection. A lost connection is opened again by the library; after a refusal, or when the server closed it, the
 * session is asked about first, because that is how a session ends while a page is open.
 */
export class LiveSocket {
  private readonly handlers = new Map<string, Set<SocketHandler>>();
  private readonly syncs = new Set<() => void>();
  private readonly watchers = new Set<() => void>();
  private shown: SocketState = 'connecting';
  private stopCurrent: (() => void) | null = null;

  constructor(private readonly deps: LiveSocketDeps) {}

  /** Opens the connection for a user, closing that of another one. Answers how to close it. */
  start(userId: string): () => void {
    this.stopCurrent?.();
    const run = new Run(this.deps, userId, {
      event: (name, payload) => (name === socketEvents.sync ? this.sync() : this.dispatch(name, payload)),
      connected: () => this.sync(),
      state: (state) => this.setState(state),
    });
    const stop = () => {
      run.stop();
      if (this.stopCurrent !== stop) return;
      this.stopCurrent = null;
      this.setState('connecting');
    };
    this.stopCurrent = stop;
    void run.open();
    return stop;
  }

  state = (): SocketState => this.shown;

  /** Calls `handler` with the payload of each event of that name. Answers how to stop. */
  on(name: string, handler: SocketHandler): () => void {
    const known = this.handlers.get(name) ?? new Set();
    this.handlers.set(name, known.add(handler));
    return () => {
      known.delete(handler);
      if (known.size === 0) this.handlers.delete(name);
    };
  }

  /** Calls `handler` after each connection, the first one too, and whenever the server says that events were missed. */
  onSync(handler: () => void): () => void {
    this.syncs.add(handler);
    return () => this.syncs.delete(handler);
  }

  watch = (onChange: () => void): (() => void) => {
    this.watchers.add(onChange);
    return () => this.watchers.delete(onChange);
  };

  private sync(): void {
    for (const handler of [...this.syncs]) handler();
  }

  private dispatch(name: string, payload: unknown): void {
    for (const handler of [...(this.handlers.get(name) ?? [])]) handler(payload);
  }

  private setState(state: SocketState): void {
    if (state === this.shown) return;
    this.shown = state;
    for (const watcher of [...this.watchers]) watcher();
  }
}

interface Listener {
  event: (name: string, payload: unknown) => void;
  connected: () => void;
  state: (state: SocketState) => void;
}

/** The connection of one user, from log-in to log-out. After `stop` nothing is called any more. */
class Run {
  private stopped = false;
  private socket: ReturnType<Io> | null = null;
  private loss: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private settled: ReturnType<typeof setTimeout> | undefined;
  private refusals = 0;

  constructor(
    private readonly deps: LiveSocketDeps,
    private readonly userId: string,
    private readonly listener: Listener,
  ) {}

  async open(): Promise<void> {
    this.lost();
    // The client's code is a file of its own: a network that fails now may answer in a moment.
    const io = await this.deps.load().catch(() => null);
    if (this.stopped) return;
    if (!io) {
      this.later(() => void this.open());
      return;
    }
    const socket = io({
      path: '/socket.io',
      transports: ['websocket', 'polling'],
      // A proxy that lets no websocket through: the next try takes the other transport.
      tryAllTransports: true,
      multiplex: false,
      reconnectionDelayMax: 10_000,
      auth: (answer: (data: object) => void) => {
        // Without a token the server refuses, and the refusal asks about the session.
        const none = () => answer({});
        this.deps.token().then((token) => (token ? answer({ token }) : none()), none);
      },
    });
    this.socket = socket;
    socket.onAny((name: string, payload: unknown) => this.listener.event(name, payload));
    socket.on('connect', () => this.connected());
    socket.on('disconnect', (reason) => {
      this.lost();
      if (reason === 'io server disconnect') void this.refused();
    });
    socket.on('connect_error', () => {
      this.lost();
      // Inactive: the server answered and said no, so the library does not try again.
      if (!socket.active) void this.refused();
    });
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.loss);
    clearTimeout(this.retry);
    clearTimeout(this.settled);
    this.socket?.disconnect();
  }

  private connected(): void {
    const id = this.socket?.id;
    if (this.stopped || !id) return;
    clearTimeout(this.loss);
    this.loss = undefined;
    this.listener.state('live');
    // Without it events still come (the handshake says who one is); only presence does not count this tab.
    this.deps
      .register(this.userId, id)
      .catch((error: unknown) => console.warn('the socket could not be registered', error));
    clearTimeout(this.settled);
    this.settled = setTimeout(() => {
      this.refusals = 0;
    }, SETTLED_MS);
    this.listener.connected();
  }

  private lost(): void {
    clearTimeout(this.settled);
    if (this.stopped || this.loss !== undefined) return;
    this.listener.state('connecting');
    this.loss = setTimeout(() => this.listener.state('offline'), this.deps.graceMs ?? GRACE_MS);
  }

  private async refused(): Promise<void> {
    // A failure of the question itself is the network's; the next try asks again.
    await this.deps.verify().catch(() => undefined);
    this.later(() => this.socket?.connect());
  }

  private later(next: () => void): void {
    if (this.stopped) return;
    const waits = this.deps.waitsMs ?? WAITS_MS;
    clearTimeout(this.retry);
    this.retry = setTimeout(next, waits[Math.min(this.refusals, waits.length - 1)]);
    this.refusals += 1;
  }
}
