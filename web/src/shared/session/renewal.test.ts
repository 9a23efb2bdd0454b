import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nuria, tokenWith } from '@/test/tokens';
import { Renewal } from './renewal';
import { SessionStore } from './session';

const NOW = 1_800_000_000_000;
const inSeconds = (seconds: number) => NOW / 1000 + seconds;
const renewed = tokenWith({ exp: inSeconds(3600), jti: 'new' });

/** One lock for all "tabs" of a test, as the browser's. */
function oneLock(): LockManager {
  let last: Promise<unknown> = Promise.resolve();
  const request = (_name: string, run: () => Promise<unknown>) => {
    const mine = last.then(run, run);
    last = mine.catch(() => undefined);
    return mine;
  };
  return { request } as unknown as LockManager;
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

  it('keeps a token that still lives when the network is down', async () => {
    const { renewal, session } = await tab(10, () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await renewal.freshToken()).toBe(session.current()?.token);
  });
});
