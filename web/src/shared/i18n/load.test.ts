// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { i18n } from './i18n';
import { firstLanguage, followProfile, loadLanguage, storedLanguage } from './load';

const fetched = vi.fn<typeof fetch>();

beforeEach(async () => {
  fetched.mockReset();
  window.fetch = fetched;
  document.documentElement.lang = 'es';
  // biome-ignore lint/suspicious/noDocumentCookie: the code under test writes this cookie.
  document.cookie = 'lang=; max-age=0; path=/';
  await i18n.changeLanguage('es');
});

const answer = (body: unknown, status = 200) => fetched.mockResolvedValue(Response.json(body, { status }));

describe('language', () => {
  it('is Spanish without a cookie', () => {
    expect(storedLanguage()).toBe('es');
  });

  it('loads without a token, then sets texts, html lang and cookie', async () => {
    window.localStorage.setItem('token', 'x.y.z');
    answer({ LANGUAGE_CODE: 'en', NAMESPACE: { login: { title: 'Log in' } } });
    await loadLanguage('en');
    const [path, init] = fetched.mock.calls[0] ?? [];
    expect(path).toBe('/platform-language');
    expect(init?.headers).not.toHaveProperty('Authorization');
    expect(init?.body).toBe('{"languageCode":"en"}');
    expect(i18n.t('login.title' as never)).toBe('Log in');
    expect(document.documentElement.lang).toBe('en');
    expect(storedLanguage()).toBe('en');
  });

  it('is the profile’s where nobody chose one in this browser, without a cookie', async () => {
    expect([firstLanguage('ca'), firstLanguage(undefined)]).toEqual(['ca', 'es']);
    answer({ LANGUAGE_CODE: 'ca', NAMESPACE: { login: { title: 'Inicia la sessió' } } });
    await followProfile('ca');
    expect([document.documentElement.lang, document.cookie.includes('lang=')]).toEqual(['ca', false]);
    answer({ LANGUAGE_CODE: 'en', NAMESPACE: { login: { title: 'Log in' } } });
    await loadLanguage('en');
    fetched.mockClear();
    await followProfile('ca');
    expect([fetched.mock.calls.length, document.documentElement.lang, firstLanguage('ca')]).toEqual([0, 'en', 'en']);
  });

  it.each([{ NAMESPACE: {} }, { LANGUAGE_CODE: 'en' }, {}, null])('refuses the answer %j', async (body) => {
    answer(body);
    await expect(loadLanguage('en')).rejects.toThrow('Error: No se ha podido cargar el idioma');
    expect(document.documentElement.lang).toBe('es');
  });

  it('says so literally when the call fails', async () => {
    answer({ code: 'X' }, 500);
    await expect(loadLanguage('en')).rejects.toThrow('Error al cargar el idioma');
    fetched.mockRejectedValue(new TypeError('offline'));
    await expect(loadLanguage('en', 'Error al cambiar el idioma')).rejects.toThrow('Error al cambiar el idioma');
    expect(storedLanguage()).toBe('es');
  });
});
