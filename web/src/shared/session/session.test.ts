// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nuria, tokenWith } from '@/test/tokens';
import { readClaims } from './claims';
import { SessionStore } from './session';
import { open, seal } from './vault';

const NOW = 1_800_000_000_000;
const inSeconds = (seconds: number) => NOW / 1000 + seconds;
const menu = [{ name: 'shell.newVideocall', url: '/vp-form' }];
const store = (now = NOW) => new SessionStore(window.localStorage, () => now);

beforeEach(() => window.localStorage.clear());

describe('claims', () => {
  it('reads a token with characters outside ASCII', () => {
    expect(readClaims(tokenWith({ sub: 'ñ', exp: 5 }))).toMatchObject({ sub: 'ñ', exp: 5, sk: 'key-material' });
  });

  it.each([null, '', 'abc', 'a.b', 'a.b.c', 'a.b.c.d', `x.${btoa('"text"')}.y`, tokenWith({ sk: '' })])(
    'refuses %s',
    (token) => {
      expect(readClaims(token)).toBeNull();
    },
  );
});

describe('vault', () => {
  it('opens what it sealed, and never writes it in the clear', async () => {
    const sealed = await seal('sk', 'user', nuria);
    expect(atob(sealed)).not.toContain('Nuria');
    expect(await open('sk', 'user', sealed)).toEqual(nuria);
  });

  it('fails with another key, under another name, and after one changed byte', async () => {
    const sealed = await seal('sk', 'user', nuria);
    const bytes = atob(sealed).split('');
    bytes[20] = String.fromCharCode((bytes[20]?.charCodeAt(0) ?? 0) ^ 1);
    await expect(open('other', 'user', sealed)).rejects.toThrow();
    await expect(open('sk', 'menu', sealed)).rejects.toThrow();
    await expect(open('sk', 'user', btoa(bytes.join('')))).rejects.toThrow();
  });
});

describe('session store', () => {
  it('comes back after a reload', async () => {
    const token = tokenWith({ exp: inSeconds(3600) });
    await store().save(token, nuria, menu);
    expect(await store().load()).toMatchObject({ token, user: nuria, menu });
  });

  it('logs out when an entry was tampered with', async () => {
    await store().save(tokenWith({ exp: inSeconds(3600) }), nuria, menu);
    window.localStorage.setItem('menu', window.localStorage.getItem('user') ?? '');
    const ended = vi.fn();
    const fresh = store();
    fresh.subscribe(ended);
    expect(await fresh.load()).toBeNull();
    expect(ended).toHaveBeenCalledWith(null, 'damaged');
    expect(window.localStorage.getItem('token')).toBeNull();
  });

  it.each(['no.token', tokenWith({ exp: inSeconds(-1) })])('ends a malformed or expired token: %s', async (token) => {
    window.localStorage.setItem('token', token);
    expect(await store().load()).toBeNull();
    expect(window.localStorage.getItem('token')).toBeNull();
  });

  it('never answers a session past its end', async () => {
    let now = NOW;
    const sessions = new SessionStore(window.localStorage, () => now);
    await sessions.save(tokenWith({ exp: inSeconds(60) }), nuria, menu);
    expect(sessions.current()).not.toBeNull();
    now += 60_000;
    expect(sessions.current()).toBeNull();
  });

  it('clears the storage at logout but for the four that stay', async () => {
    const sessions = store();
    await sessions.save(tokenWith({ exp: inSeconds(3600) }), nuria, menu);
    for (const key of ['theme', 'hasSeenNewFeautures', 'clickedOnNews', 'muteNotifications', 'anything']) {
      window.localStorage.setItem(key, 'x');
    }
    sessions.end('logout');
    expect(Object.keys(window.localStorage).sort()).toEqual([
      'clickedOnNews',
      'hasSeenNewFeautures',
      'muteNotifications',
      'theme',
    ]);
  });

  it('two tabs that end together still keep the four', async () => {
    await store().save(tokenWith({ exp: inSeconds(3600) }), nuria, menu);
    window.localStorage.setItem('muteNotifications', 'true');
    // The other tab hears of the first removal while this one is still at it.
    const here = store();
    const other = store();
    await other.load();
    const remove = vi.spyOn(Storage.prototype, 'removeItem').mockImplementationOnce(function (this: Storage, key) {
      remove.mockRestore();
      this.removeItem(key);
      other.end('other-tab');
    });
    here.end('logout');
    expect(Object.entries(window.localStorage)).toEqual([['muteNotifications', 'true']]);
  });

  it('keeps user and menu over a renewal, because the key stays', async () => {
    const sessions = store();
    await sessions.save(tokenWith({ exp: inSeconds(60) }), nuria, menu);
    const renewed = tokenWith({ exp: inSeconds(3600), jti: 'j2' });
    sessions.adopt(renewed);
    expect(sessions.current()?.token).toBe(renewed);
    expect(await store().load()).toMatchObject({ token: renewed, user: nuria });
  });

  it('ends when another tab removed the token, and follows its renewal', async () => {
    const sessions = store();
    await sessions.save(tokenWith({ exp: inSeconds(60) }), nuria, menu);
    const stop = sessions.watch(window);
    const tell = (key: string | null) =>
      window.dispatchEvent(Object.assign(new Event('storage'), { key, storageArea: window.localStorage }));

    const renewed = tokenWith({ exp: inSeconds(3600), jti: 'j2' });
    window.localStorage.setItem('token', renewed);
    tell('token');
    expect(sessions.current()?.token).toBe(renewed);

    const ended = vi.fn();
    sessions.subscribe(ended);
    window.localStorage.removeItem('token');
    tell('token');
    expect(ended).toHaveBeenCalledExactlyOnceWith(null, 'other-tab');
    stop();
  });

  it.each(['user', 'menu'])('clears a %s left without a token', async (key) => {
    window.localStorage.setItem(key, 'leftover');
    window.localStorage.setItem('theme', 'light');
    expect(await store().load()).toBeNull();
    expect(Object.keys(window.localStorage)).toEqual(['theme']);
  });

  it('follows a log-in, a renewal and a logout that it was not told of', async () => {
    const here = store();
    const other = store();
    const heard = vi.fn();
    here.subscribe(heard);
    await other.save(tokenWith({ exp: inSeconds(60) }), nuria, menu);
    here.follow();
    await vi.waitFor(() => expect(here.current()?.user).toEqual(nuria));
    expect(heard).toHaveBeenLastCalledWith(expect.objectContaining({ user: nuria }), null);
    const renewed = tokenWith({ exp: inSeconds(3600), jti: 'j2' });
    other.adopt(renewed);
    here.follow();
    expect(here.current()?.token).toBe(renewed);
    other.end('logout');
    here.follow();
    expect(heard).toHaveBeenLastCalledWith(null, 'other-tab');
  });

  it('logs out when the stored token became malformed', async () => {
    const sessions = store();
    await sessions.save(tokenWith({ exp: inSeconds(60) }), nuria, menu);
    window.localStorage.setItem('token', 'tampered');
    sessions.follow();
    expect(sessions.current()).toBeNull();
    expect(window.localStorage.length).toBe(0);
  });

  it('changes to the account that another tab logged in', async () => {
    const here = store();
    await here.save(tokenWith({ exp: inSeconds(60) }), nuria, menu);
    await store().save(tokenWith({ exp: inSeconds(60), sub: 'u2', sk: 'another' }), { ...nuria, _id: 'u2' }, []);
    here.follow();
    await vi.waitFor(() => expect(here.current()?.user._id).toBe('u2'));
    expect(here.current()?.menu).toEqual([]);
  });
});
