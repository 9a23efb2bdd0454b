import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/shared/session';
import { nuria, tokenWith } from '@/test/tokens';
import { api, logout } from './client';

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
    const errors = [{ field: 'phoneNumber', code: 'PHONE_INVALID', message: 'El teléfono no es válido' }];
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

  it.each([401, 402])('ends the session on %d', async (status) => {
    fetched.mockResolvedValue(problem(status, 'SESSION_ENDED'));
    await expect(api.get('/api/v1/x')).rejects.toMatchObject({ status });
    expect(session.current()).toBeNull();
  });

  it('a refusal of an old token does not end the newer session', async () => {
    fetched.mockImplementation(async () => {
      session.adopt(tokenWith({ exp: inAnHour(), jti: 'newer' }));
      return problem(401, 'SESSION_ENDED');
    });
    await expect(api.get('/api/v1/x')).rejects.toMatchObject({ status: 401 });
    expect(session.current()).not.toBeNull();
  });

  it('says NETWORK when nobody answers, and hides the internal text', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(api.get('/api/v1/x')).rejects.toMatchObject({ code: 'NETWORK', status: 0, message: '' });
  });

  it('logs out here even when the server cannot be told', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    await logout();
    expect(session.current()).toBeNull();
    expect(window.localStorage.getItem('token')).toBeNull();
  });
});
