// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/shared/session';
import { nuria, tokenWith } from '@/test/tokens';
import { api, logout } from './client';
import { askProofsBy } from './proof';

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;
const fetched = vi.fn<typeof fetch>();

function problem(status: number, code: string, extra: object = {}, headers: Record<string, string> = {}) {
  return Response.json({ title: 'x', code, detail: 'Un texto', requestId: 'r1', ...extra }, { status, headers });
}

beforeEach(async () => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  window.fetch = fetched;
  await session.save(tokenWith({ exp: inAnHour() }), nuria, []);
});
afterEach(() => vi.unstubAllGlobals());

const sentHeaders = () => fetched.mock.calls[0]?.[1]?.headers as Record<string, string>;

describe('client', () => {
  it('sends bearer, language and JSON', async () => {
    fetched.mockResolvedValue(Response.json({ a: 1 }));
    expect(await api.post('/api/v1/x', { b: 2 })).toEqual({ a: 1 });
    expect(sentHeaders()).toMatchObject({
      Authorization: `Bearer ${session.current()?.token}`,
      'Accept-Language': 'es',
      'Content-Type': 'application/json',
    });
    expect(fetched.mock.calls[0]?.[1]?.body).toBe('{"b":2}');
  });

  it('lets the browser name the type of a form', async () => {
    fetched.mockResolvedValue(new Response(null, { status: 204 }));
    expect(await api.post('/api/v1/x', new FormData())).toBeUndefined();
    expect(sentHeaders()).not.toHaveProperty('Content-Type');
  });

  it('sends no token when anonymous', async () => {
    fetched.mockResolvedValue(Response.json({}));
    await api.post('/api/v1/prelogin', {}, { anonymous: true });
    expect(sentHeaders()).not.toHaveProperty('Authorization');
  });

  it('reads a problem with its fields, id and wait', async () => {
    const errors = [
      {
        field: 'phoneNumber',
        code: 'PHONE_INVALID',
        message: 'El teléfono no es válido. Escriba todas sus cifras; si no es de España, con el prefijo.',
      },
    ];
    fetched.mockResolvedValue(problem(422, 'INVALID_FIELDS', { errors }, { 'Retry-After': '30' }));
    await expect(api.get('/api/v1/x')).rejects.toMatchObject({
      code: 'INVALID_FIELDS',
      status: 422,
      requestId: 'r1',
      errors,
      retryAfterS: 30,
    });
    expect(session.current()).not.toBeNull();
  });

  // PROOF-4
  it('makes a call again once its fresh proof was given, and asks once for calls at the same time', async () => {
    let proved = false;
    fetched.mockImplementation(async () => (proved ? Response.json({ a: 1 }) : problem(403, 'FRESH_PROOF_REQUIRED')));
    const ask = vi.fn(async () => {
      await Promise.resolve();
      proved = true;
      return true;
    });
    const stop = askProofsBy(ask);
    const both = await Promise.all([api.post('/api/v1/x', { b: 2 }), api.get('/api/v1/y')]);
    expect(both).toEqual([{ a: 1 }, { a: 1 }]);
    expect(ask).toHaveBeenCalledOnce();
    expect(fetched.mock.calls[2]?.[1]?.body).toBe('{"b":2}');
    stop();
    proved = false;
    await expect(api.get('/api/v1/x')).rejects.toMatchObject({ code: 'FRESH_PROOF_REQUIRED', status: 403 });
  });

  it('gives up when the proof is not given', async () => {
    fetched.mockResolvedValue(problem(403, 'FRESH_PROOF_REQUIRED'));
    const stop = askProofsBy(async () => false);
    await expect(api.get('/api/v1/x')).rejects.toMatchObject({ code: 'FRESH_PROOF_REQUIRED' });
    expect(fetched).toHaveBeenCalledOnce();
    stop();
  });

  it.each([401, 402])('ends the session on %d', async (status) => {
    fetched.mockResolvedValue(problem(status, 'SESSION_ENDED'));
    await expect(api.get('/api/v1/x')).rejects.toMatchObject({ status });
    expect(session.current()).toBeNull();
  });

  it('sends a request again whose token another tab renewed meanwhile', async () => {
    const newer = tokenWith({ exp: inAnHour(), jti: 'newer' });
    fetched.mockImplementationOnce(async () => {
      window.localStorage.setItem('token', newer);
      return problem(401, 'SESSION_ENDED');
    });
    fetched.mockResolvedValueOnce(Response.json({ a: 1 }));
    expect(await api.post('/api/v1/x', { b: 2 })).toEqual({ a: 1 });
    const again = fetched.mock.calls[1]?.[1];
    expect(again?.headers).toMatchObject({ Authorization: `Bearer ${newer}` });
    expect(again?.body).toBe('{"b":2}');
    expect(session.current()?.token).toBe(newer);
  });

  it('ends the session when the newer token is refused too', async () => {
    fetched.mockImplementation(async () => {
      session.adopt(tokenWith({ exp: inAnHour(), jti: 'newer' }));
      return problem(401, 'SESSION_ENDED');
    });
    await expect(api.get('/api/v1/x')).rejects.toMatchObject({ status: 401 });
    expect(fetched).toHaveBeenCalledTimes(2);
    expect(session.current()).toBeNull();
  });

  it('a stale refusal never ends the log-in of another account, nor is sent under its name', async () => {
    const other = tokenWith({ exp: inAnHour(), jti: 'other', sk: 'another-key' });
    fetched.mockImplementation(async () => {
      await session.save(other, { ...nuria, _id: 'u2' }, []);
      return problem(401, 'SESSION_ENDED');
    });
    await expect(api.get('/api/v1/x')).rejects.toMatchObject({ status: 401 });
    expect(fetched).toHaveBeenCalledOnce();
    expect(window.localStorage.getItem('token')).toBe(other);
  });

  it('renews a token under 900 seconds first, then sends the request with the new one', async () => {
    const renewed = tokenWith({ exp: inAnHour(), jti: 'renewed' });
    await session.save(tokenWith({ exp: inAnHour() - 3600 + 899 }), nuria, []);
    fetched.mockResolvedValueOnce(Response.json({ token: renewed, exp: inAnHour() }));
    fetched.mockResolvedValueOnce(Response.json({ a: 1 }));
    expect(await api.get('/api/v1/x')).toEqual({ a: 1 });
    expect(fetched.mock.calls.map(([url]) => url)).toEqual(['/api/v1/renewToken', '/api/v1/x']);
    expect(fetched.mock.calls[1]?.[1]?.headers).toMatchObject({ Authorization: `Bearer ${renewed}` });
  });

  it('passes the error of a failed renewal on, logged out', async () => {
    await session.save(tokenWith({ exp: inAnHour() - 3600 + 10 }), nuria, []);
    fetched.mockResolvedValue(problem(401, 'SESSION_EXPIRED'));
    await expect(api.get('/api/v1/x')).rejects.toMatchObject({ code: 'SESSION_EXPIRED' });
    expect(fetched).toHaveBeenCalledOnce();
    expect(session.current()).toBeNull();
  });

  it('says NETWORK when nobody answers, and hides the internal text', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(api.get('/api/v1/x')).rejects.toMatchObject({ code: 'NETWORK', status: 0, message: '' });
  });

  it('says NETWORK when an answer is cut off, and the session stays', async () => {
    const cut = new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('network error')) }));
    fetched.mockResolvedValue(cut);
    await expect(api.get('/api/v1/x')).rejects.toMatchObject({ code: 'NETWORK', status: 0 });
    expect(session.current()).not.toBeNull();
  });

  it('logs out here even when the server cannot be told', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    await logout();
    expect(session.current()).toBeNull();
    expect(window.localStorage.getItem('token')).toBeNull();
  });
});
