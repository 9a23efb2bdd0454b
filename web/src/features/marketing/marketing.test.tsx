import { modals } from '@mantine/modals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import { operation } from '@/api/operation';
import { Providers, queryClient } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { ConsentSwitch } from './components/ConsentSwitch';
import { leave } from './leave';
import { MarketingPage } from './pages/MarketingPage';

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<typeof import('@tanstack/react-router')>()),
  useParams: () => ({ token: 'tok' }),
}));
vi.mock('@/api/operation', () => ({ operation: vi.fn() }));
vi.mock('./leave', () => ({ leave: vi.fn() }));
vi.mock('@/shared/language/LanguageMenu', () => ({ LanguageMenu: () => null }));
const call = vi.mocked(operation);
const left = vi.mocked(leave);

const link = {
  email: 'ana@cliente.es',
  permission: 'YES',
  company: 'Atalaya S.L.',
  businessUrl: 'https://negocio.example/',
  searchUrl: 'https://buscador.example/',
  language: 'es',
  textVersion: '2026-11',
  expiresAt: '2027-11-22T00:00:00Z',
};

/** What the server answers, by address; an error is thrown. */
let answers: Record<string, unknown>;

beforeAll(() => useTexts());
beforeEach(() => {
  // A language was chosen: the message's own is not loaded.
  // biome-ignore lint/suspicious/noDocumentCookie: what the browser holds.
  document.cookie = 'lang=es; path=/';
  queryClient.clear();
  left.mockReset();
  call.mockReset().mockImplementation((async (_method: string, path: string) => {
    const answer = answers[path];
    if (answer instanceof Error) throw answer;
    return answer;
  }) as never);
});
afterEach(() => act(() => modals.closeAll()));

const show = (page: ReactNode) => render(<Providers env="test">{page}</Providers>);
const recorded = () => call.mock.calls.filter(([, path]) => String(path) === '/api/v1/marketing-response');

describe('the page of a link', () => {
  it('records a yes only when the thanks are confirmed, with the link as bearer, and goes on', async () => {
    answers = {
      '/api/v1/marketing-token': link,
      '/api/v1/marketing-response': { redirectUrl: link.businessUrl },
    };
    show(<MarketingPage />);
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('Gracias. Recibirá nuestras comunicaciones.');
    expect(dialog.textContent).toContain('ana@cliente.es');
    expect(recorded()).toEqual([]);
    fireEvent.click([...dialog.querySelectorAll('button')].find((one) => one.textContent === 'Confirmar') as Element);
    await waitFor(() => expect(left).toHaveBeenCalledWith('https://negocio.example/'));
    expect(recorded()[0]?.[2]).toMatchObject({
      anonymous: true,
      headers: { Authorization: 'Bearer tok' },
      body: { email: 'ana@cliente.es', allow: 'YES' },
    });
    expect(recorded()).toHaveLength(1);
  });

  it('records nothing when the dialog is closed otherwise', async () => {
    answers = { '/api/v1/marketing-token': link };
    show(<MarketingPage />);
    const dialog = await screen.findByRole('dialog');
    fireEvent.click([...dialog.querySelectorAll('button')].find((one) => one.textContent === 'Cancelar') as Element);
    expect(await screen.findByText('Confirme su suscripción')).toBeTruthy();
    expect([recorded().length, left.mock.calls.length]).toEqual([0, 0]);
  });

  it('records a no at once and goes to the search engine after its notice', async () => {
    answers = {
      '/api/v1/marketing-token': { ...link, permission: 'NO' },
      '/api/v1/marketing-response': { redirectUrl: link.searchUrl },
    };
    show(<MarketingPage />);
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('Se ha dado de baja. No recibirá más comunicaciones comerciales.');
    expect(recorded()[0]?.[2]).toMatchObject({ body: { allow: 'NO' } });
    expect(left).not.toHaveBeenCalled();
    fireEvent.click([...dialog.querySelectorAll('button')].find((one) => one.textContent === 'Aceptar') as Element);
    await waitFor(() => expect(left).toHaveBeenCalledWith('https://buscador.example/'));
  });

  it("shows the server's message when it fails", async () => {
    answers = {
      '/api/v1/marketing-token': new ApiError({ code: 'NEW_CODE', status: 422, message: 'El enlace ya no sirve' }),
    };
    show(<MarketingPage />);
    expect(await screen.findByText('El enlace ya no sirve')).toBeTruthy();
    expect(screen.queryByText('Reintentar')).toBeNull();
  });
});

describe('the switch of the profile', () => {
  const own = { allow: 'NO', email: 'ana@cliente.es', pending: false, suppressed: false, at: null, source: null };

  it('sends the yes and shows what the server made of it', async () => {
    answers = { '/api/v1/marketing-consent': own };
    show(<ConsentSwitch />);
    await waitFor(() => expect((screen.getByRole('switch') as HTMLInputElement).disabled).toBe(false));
    const box = screen.getByRole('switch') as HTMLInputElement;
    expect(box.checked).toBe(false);
    answers = { '/api/v1/marketing-consent': { ...own, allow: 'NO', pending: true } };
    fireEvent.click(box);
    expect(await screen.findByText('Le hemos escrito a ana@cliente.es. Confírmelo en ese mensaje.')).toBeTruthy();
    expect(call.mock.calls.at(-1)?.[2]).toEqual({ body: { allow: 'YES' } });
  });

  it('cannot be turned on without an address', async () => {
    answers = { '/api/v1/marketing-consent': { ...own, email: null } };
    show(<ConsentSwitch />);
    expect(await screen.findByText('Su cuenta no tiene correo electrónico.')).toBeTruthy();
    expect((screen.getByRole('switch') as HTMLInputElement).disabled).toBe(true);
  });
});
