// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nuria, tokenWith } from '@/test/tokens';
import { Renewal } from './renewal';
import { SessionStore } from './session';

const NOW = 1_800_000_000_000;
const inSeconds = (seconds: number) => NOW / 1000 + seconds;
const renewed = tokenWith({ exp: inSeconds(3600), jti: 'new' });

/** One lock for all "tabs" of a test, as the browser's. */
function oneLock(): LockManager {
  let last: Promise<unknown> = Promise.resolve();
  let held = 0;
  type Run = (lock: Lock | null) => Promise<unknown>;
  const request = (name: string, options: LockOptions | Run, callback?: Run) => {
    const run = callback ?? (options as Run);
    if (callback && (options as LockOptions).ifAvailable && held > 0) return run(null);
    held += 1;
    const mine = last
      .then(() => run({ name, mode: 'exclusive' }))
      .finally(() => {
        held -= 1;
      });
    last = mine.catch(() => undefined);
    return mine;
  };
  return { request } as unknown as LockManager;
}

/** What a tab sees of the storage, with the writes of others arriving late. */
function slowView(): Storage & { arrive: () => void } {
  const seen = new Map(Object.entries({ ...window.localStorage }));
  return {
    getItem: (key: string) => seen.get(key) ?? null,
    setItem: (key: string, value: string) => {
      seen.set(key, value);
      window.localStorage.setItem(key, value);
    },
    arrive: () => {
      for (const [key, value] of Object.entries({ ...window.localStorage })) seen.set(key, value);
    },
  } as unknown as Storage & { arrive: () => void };
}

async function tab(lifeS: number, answer: () => Promise<Response>, locks?: LockManager) {
  const session = new SessionStore(window.localStorage, () => NOW);
  await session.save(tokenWith({ exp: inSeconds(lifeS) }), nuria, []);
  const fetch = vi.fn(answer);
  const renewal = new Renewal({ session, storage: window.localStorage, fetch, now: () => NOW, locks });
  return { session, renewal, fetch };
}

const ok = async () => Response.json({ token: renewed, exp: inSeconds(3600) });

beforeEach(() => window.localStorage.clear());

describe('renewal', () => {
  it('leaves a token alone that lives 900 seconds or longer', async () => {
    const { renewal, fetch } = await tab(900, ok);
    await renewal.freshToken();
    expect(fetch).not.toHaveBeenCalled();
  });

  it('renews under 900 seconds, with the header, and hands out the new token', async () => {
    const { renewal, fetch, session } = await tab(899, ok);
    expect(await renewal.freshToken()).toBe(renewed);
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      '/api/v1/renewToken',
      expect.objectContaining({ headers: expect.objectContaining({ 'X-Renew-Token': 'true' }) }),
    );
    expect(window.localStorage.getItem('token')).toBe(renewed);
    expect(session.current()?.user).toEqual(nuria);
  });

  it('asks once for many requests of one tab', async () => {
    const { renewal, fetch } = await tab(10, ok);
    const tokens = await Promise.all([renewal.freshToken(), renewal.freshToken(), renewal.freshToken()]);
    expect(new Set(tokens)).toEqual(new Set([renewed]));
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('asks once over two tabs: the second takes what the first stored', async () => {
    const locks = oneLock();
    const first = await tab(10, ok, locks);
    const second = await tab(10, ok, locks);
    const tokens = await Promise.all([first.renewal.freshToken(), second.renewal.freshToken()]);
    expect(tokens).toEqual([renewed, renewed]);
    expect(first.fetch.mock.calls.length + second.fetch.mock.calls.length).toBe(1);
  });

  it('waits for the token that another tab stored to arrive here', async () => {
    const locks = oneLock();
    const first = await tab(10, ok, locks);
    const view = slowView();
    const session = new SessionStore(view, () => NOW);
    await session.load();
    const fetch = vi.fn(ok);
    const second = new Renewal({ session, storage: view, fetch, now: () => NOW, locks });
    const both = Promise.all([first.renewal.freshToken(), second.freshToken()]);
    setTimeout(view.arrive, 500);
    expect(await both).toEqual([renewed, renewed]);
    expect(first.fetch).toHaveBeenCalledOnce();
    expect(fetch).not.toHaveBeenCalled();
  });

  it('renews itself when the tab that held the lock could not', async () => {
    const locks = oneLock();
    const first = await tab(10, () => Promise.reject(new TypeError('Failed to fetch')), locks);
    const second = await tab(10, ok, locks);
    const [, token] = await Promise.all([first.renewal.freshToken(), second.renewal.freshToken()]);
    expect(token).toBe(renewed);
    expect(second.fetch).toHaveBeenCalledOnce();
  });

  it('logs out when the server refuses, and passes the error on', async () => {
    const { renewal, session } = await tab(10, async () => Response.json({ code: 'SESSION_EXPIRED' }, { status: 401 }));
    await expect(renewal.freshToken()).rejects.toMatchObject({ code: 'SESSION_EXPIRED' });
    expect(session.current()).toBeNull();
  });

  it('logs out when the answer is not a token', async () => {
    const { renewal, session } = await tab(10, async () => Response.json({ token: 'nonsense' }));
    await expect(renewal.freshToken()).rejects.toMatchObject({ code: 'SESSION_INVALID' });
    expect(session.current()).toBeNull();
  });

  it('keeps a token that still lives when the answer is cut off', async () => {
    const cut = async () => new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('cut')) }));
    const { renewal, session } = await tab(10, cut);
    expect(await renewal.freshToken()).toBe(session.current()?.token);
  });

  it('keeps a token that still lives when the network is down', async () => {
    const { renewal, session } = await tab(10, () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await renewal.freshToken()).toBe(session.current()?.token);
  });

  it('knows that another tab logged out', async () => {
    const { renewal, session, fetch } = await tab(3600, ok);
    window.localStorage.removeItem('token');
    expect(await renewal.freshToken()).toBeNull();
    expect(session.current()).toBeNull();
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('renewal by timer', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW }));
  afterEach(() => void vi.useRealTimers());

  async function openTab(lifeS: number, answer: () => Promise<Response>) {
    const session = new SessionStore(window.localStorage, Date.now);
    await session.save(tokenWith({ exp: inSeconds(lifeS) }), nuria, []);
    const fetch = vi.fn(answer);
    const renewal = new Renewal({ session, storage: window.localStorage, fetch, now: Date.now });
    return { session, fetch, stop: renewal.start() };
  }

  it('renews on the way without any request, and goes on with the new token', async () => {
    const answers = [3600 * 2, 3600 * 3].map((exp, i) => tokenWith({ exp: inSeconds(exp), jti: `j${i}` }));
    const { session, fetch, stop } = await openTab(3600, async () => Response.json({ token: answers.shift() }));
    await vi.advanceTimersByTimeAsync((3600 - 900) * 1000 - 1000);
    expect(fetch).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(3000);
    expect(fetch).toHaveBeenCalledOnce();
    expect(session.current()?.claims.jti).toBe('j0');
    await vi.advanceTimersByTimeAsync(3600 * 1000);
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(session.current()?.claims.jti).toBe('j1');
    stop();
  });

  it('tries again every half minute while the network is down', async () => {
    let down = true;
    const answer = async () => {
      if (down) throw new TypeError('Failed to fetch');
      return ok();
    };
    const { session, fetch, stop } = await openTab(899, answer);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(fetch).toHaveBeenCalledTimes(3);
    down = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(session.current()?.claims.jti).toBe('new');
    stop();
  });

  it('asks nothing after it was stopped, nor after a logout', async () => {
    const { session, fetch, stop } = await openTab(1000, ok);
    session.end('logout');
    await vi.advanceTimersByTimeAsync(600_000);
    stop();
    expect(fetch).not.toHaveBeenCalled();
  });
});
