import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeSocket } from '@/test/fake-socket';
import { LiveSocket } from './live-socket';

let sockets: FakeSocket[];
const deps = () => ({
  load: async () => (options: object) => {
    const socket = new FakeSocket(options as FakeSocket['options']);
    sockets.push(socket);
    return socket as never;
  },
  token: vi.fn(async (): Promise<string | null> => 'token-1'),
  register: vi.fn(async () => {}),
  verify: vi.fn(async () => {}),
  graceMs: 1_000,
  waitsMs: [100, 400],
});

let given: ReturnType<typeof deps>;
let live: LiveSocket;
let stop: () => void;
async function opened(): Promise<FakeSocket> {
  stop = live.start('u1');
  await vi.advanceTimersByTimeAsync(0);
  return sockets.at(-1) as FakeSocket;
}

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  given = deps();
  live = new LiveSocket(given);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('the socket of a tab', () => {
  it('shows its token at each handshake, the renewed one too', async () => {
    const socket = await opened();
    expect(await socket.auth()).toEqual({ token: 'token-1' });
    given.token.mockResolvedValue('token-2');
    expect(await socket.auth()).toEqual({ token: 'token-2' });
    given.token.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await socket.auth()).toEqual({});
  });

  it('registers itself and asks for a new count on every connection', async () => {
    const sync = vi.fn();
    live.onSync(sync);
    const socket = await opened();
    expect(sync).not.toHaveBeenCalled();
    socket.accept('s1');
    socket.drop();
    socket.accept('s2');
    socket.emit('sync');
    expect(given.register.mock.calls).toEqual([
      ['u1', 's1'],
      ['u1', 's2'],
    ]);
    // The third time the server said that it lost something.
    expect(sync).toHaveBeenCalledTimes(3);
  });

  it('lives on when the registration fails', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    given.register.mockRejectedValue(new Error('404'));
    const socket = await opened();
    socket.accept();
    await vi.advanceTimersByTimeAsync(0);
    expect(live.state()).toBe('live');
    expect(sockets).toHaveLength(1);
  });

  it('hands each event to who listens to that name, over a change of the connection', async () => {
    const heard = vi.fn();
    const off = live.on('videocallIn_c1', heard);
    const socket = await opened();
    socket.accept();
    socket.emit('videocallIn_c1', { _id: 'r1' });
    socket.emit('videocallIn_c2', { _id: 'r2' });
    off();
    socket.emit('videocallIn_c1', { _id: 'r3' });
    expect(heard.mock.calls).toEqual([[{ _id: 'r1' }]]);
  });

  it('tells a loss only when it lasts', async () => {
    const socket = await opened();
    socket.accept();
    expect(live.state()).toBe('live');
    socket.drop();
    await vi.advanceTimersByTimeAsync(900);
    expect(live.state()).toBe('connecting');
    socket.accept();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(live.state()).toBe('live');
    socket.drop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(live.state()).toBe('offline');
  });

  it('leaves a lost network to the library', async () => {
    const socket = await opened();
    socket.accept();
    socket.drop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(given.verify).not.toHaveBeenCalled();
    expect(socket.reconnects).toBe(0);
  });

  it.each(['refuse', 'drop'] as const)(
    'asks about the session after the server said no (%s), then tries again',
    async (how) => {
      const socket = await opened();
      if (how === 'drop') socket.accept();
      const sayNo = () => (how === 'drop' ? socket.drop('io server disconnect') : socket.refuse());
      sayNo();
      await vi.advanceTimersByTimeAsync(100);
      expect([given.verify.mock.calls.length, socket.reconnects]).toEqual([1, 1]);
      // The second time it waits longer, also when the question itself fails.
      given.verify.mockRejectedValue(new TypeError('Failed to fetch'));
      sayNo();
      await vi.advanceTimersByTimeAsync(399);
      expect([given.verify.mock.calls.length, socket.reconnects]).toEqual([2, 1]);
      await vi.advanceTimersByTimeAsync(1);
      expect(socket.reconnects).toBe(2);
    },
  );

  it('ends with the session', async () => {
    const heard = vi.fn();
    const sync = vi.fn();
    live.on('x', heard);
    live.onSync(sync);
    const socket = await opened();
    socket.accept();
    // As the shell does when `verify` ended the session.
    given.verify.mockImplementation(async () => stop());
    socket.drop('io server disconnect');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(socket.closed).toBe(true);
    expect(socket.reconnects).toBe(0);
  });

  it('opens another one for another account', async () => {
    const first = await opened();
    first.accept();
    live.start('u2');
    await vi.advanceTimersByTimeAsync(0);
    expect(first.closed).toBe(true);
    // The old one's way out closes nothing of the new one.
    stop();
    const second = sockets.at(-1) as FakeSocket;
    second.accept('s2');
    expect(live.state()).toBe('live');
    expect(given.register).toHaveBeenLastCalledWith('u2', 's2');
    stop = live.start('u2');
  });

  it('loads its code again when that failed', async () => {
    const { load } = given;
    given.load = vi.fn(load).mockRejectedValueOnce(new TypeError('chunk'));
    live = new LiveSocket(given);
    await opened();
    expect(sockets).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(100);
    expect(sockets).toHaveLength(1);
  });
});
