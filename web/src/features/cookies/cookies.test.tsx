import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { adviceSeen, rememberAdvice } from '@/shared/lib/browser';
import { askAgain, choose, consentState, isDenied, resetConsent, storedChoice } from '@/shared/lib/consent';
import { Providers } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { ConsentBanner } from './components/ConsentBanner';
import { cookiesKept, lifeText, othersKept } from './model';
import { CookiesPage } from './pages/CookiesPage';

vi.mock('@/api/operation', () => ({
  operation: vi.fn(async (_method: string, path: string) =>
    path === '/api/v1/get-links' ? { contactEmail: 'hola@atalaya.example' } : [],
  ),
}));

const set = (cookie: string) => {
  // biome-ignore lint/suspicious/noDocumentCookie: what the browser holds is what is tested.
  document.cookie = cookie;
};

beforeAll(() => useTexts());
beforeEach(() => {
  for (const part of document.cookie.split('; ')) set(`${part.split('=')[0]}=; max-age=0; path=/`);
  act(resetConsent);
});

const banner = () => screen.queryByRole('region', { name: 'Aviso de cookies' });
const show = () =>
  render(
    <Providers env="test">
      <ConsentBanner />
    </Providers>,
  );

describe('the banner', () => {
  it('asks once; both answers weigh the same', () => {
    show();
    const asked = within(banner() as HTMLElement);
    expect(asked.getByRole('link', { name: /Más información/ }).getAttribute('href')).toBe('/cookies');
    const [no, yes] = asked.getAllByRole('button');
    expect([no?.textContent, yes?.textContent]).toEqual(['Rechazar', 'Aceptar']);
    expect(no?.className).toBe(yes?.className);
    expect(no?.getAttribute('style')).toBe(yes?.getAttribute('style'));
    fireEvent.click(yes as HTMLElement);
    expect(banner()).toBeNull();
    expect(document.cookie).toBe('cookieconsent_status=allow');
  });

  it('removes every cookie that scripts see on a no, and keeps the no', () => {
    set('lang=en; path=/');
    set('browser_advice=seen; path=/');
    set('XSRF-TOKEN=abc; path=/');
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Rechazar' }));
    expect(document.cookie).toBe('cookieconsent_status=deny');
    expect(isDenied()).toBe(true);
    rememberAdvice();
    expect(adviceSeen()).toBe(false);
  });

  it('comes back when the choice is to be changed, with the focus', () => {
    choose('allow');
    show();
    expect(banner()).toBeNull();
    act(askAgain);
    expect(consentState()).toBe('again');
    expect(document.activeElement).toBe(banner());
    fireEvent.click(screen.getByRole('button', { name: 'Rechazar' }));
    expect([banner(), storedChoice()]).toEqual([null, 'deny']);
  });

  it('takes nothing else for an answer', () => {
    set('cookieconsent_status=maybe; path=/');
    set('xcookieconsent_status=allow; path=/');
    expect(storedChoice()).toBeNull();
  });
});

describe('the policy', () => {
  it('lists what the server keeps, with a reason and a time for each', async () => {
    choose('deny');
    const { container } = render(
      <Providers env="test">
        <CookiesPage />
      </Providers>,
    );
    const rows = [...container.querySelectorAll('tbody tr')].map((row) => row.textContent ?? '');
    for (const name of ['cookieconsent_status', 'lang', 'XSRF-TOKEN', 'atalaya_media', 'hasSeenNewFeautures']) {
      expect(rows.find((row) => row.startsWith(name))).toBeTruthy();
    }
    expect(rows.join('\n')).not.toMatch(/cookies\.[a-z]|(kind|life|place|purpose)_|undefined/);
    expect(rows).toHaveLength(cookiesKept().length + othersKept().length);
    expect(screen.getByText('Ha rechazado las cookies.')).toBeTruthy();
    fireEvent.click(screen.getByText('Cambiar preferencias'));
    expect(consentState()).toBe('again');
    expect(await screen.findByText('hola@atalaya.example')).toBeTruthy();
  });

  it('says how long in words', () => {
    const of = (name: string) => cookiesKept().find((item) => item.name === name) as ReturnType<typeof cookiesKept>[0];
    const say = (name: string) =>
      lifeText(((key: string, o?: { count: number }) => `${key} ${o?.count ?? ''}`.trim()) as never, of(name));
    expect([say('lang'), say('XSRF-TOKEN'), say('atalaya_media')]).toEqual([
      'cookies.months 12',
      'cookies.life_closing',
      'cookies.hours 1',
    ]);
  });
});
