// A `socket.io-client` for tests: `vi.mock('socket.io-client', () => import('@/test/fake-socket'))`.
type Handler = (...given: never[]) => void;

/** One connection as the tests see it: they play the server. */
export class FakeSocket {
  id: string | undefined;
  active = true;
  closed = false;
  private readonly handlers = new Map<string, Handler[]>();
  private any: ((name: string, payload: unknown) => void) | null = null;

  constructor(readonly options: { auth: (answer: (data: object) => void) => void }) {}

  on(name: string, handler: Handler) {
    this.handlers.set(name, [...(this.handlers.get(name) ?? []), handler]);
    return this;
  }
  onAny(handler: (name: string, payload: unknown) => void) {
    this.any = handler;
    return this;
  }
  /** How often the client opened it again by itself. */
  reconnects = 0;
  connect() {
    this.reconnects += 1;
    this.active = true;
    return this;
  }
  disconnect() {
    this.closed = true;
    this.active = false;
    return this;
  }

  /** The server lets it in. */
  accept(id = 's1') {
    this.id = id;
    this.tell('connect');
  }
  /** The server says no. */
  refuse() {
    this.active = false;
    this.tell('connect_error', Object.assign(new Error('refused'), { data: { code: 'UNAUTHENTICATED' } }));
  }
  /** The network goes, or the server closes. */
  drop(reason: 'transport close' | 'io server disconnect' = 'transport close') {
    this.id = undefined;
    this.active = reason === 'transport close';
    this.tell('disconnect', reason);
  }
  /** The server emits. */
  emit(name: string, payload: unknown = {}) {
    this.any?.(name, payload);
  }
  /** What the handshake carries. */
  auth = () => new Promise<object>((resolve) => this.options.auth(resolve));

  private tell(name: string, ...given: unknown[]) {
    for (const handler of this.handlers.get(name) ?? []) (handler as (...given: unknown[]) => void)(...given);
  }
}

/** The connections opened since the last `sockets.length = 0`, oldest first. */
export const sockets: FakeSocket[] = [];

export function io(options: FakeSocket['options']): FakeSocket {
  const socket = new FakeSocket(options);
  sockets.push(socket);
  return socket;
}
