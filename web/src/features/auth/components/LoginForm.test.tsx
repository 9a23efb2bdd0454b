import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Providers } from '@/app/providers';
import { session } from '@/shared/session';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { LoginForm } from './LoginForm';

const onEntered = vi.fn();
const calls: { path: string; body: Record<string, unknown> }[] = [];
let answers: Record<string, () => Response> = {};

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ code }, { status, headers });
const entered = () =>
  Response.json({
    login: true,
    token: tokenWith({ exp: Math.floor(Date.now() / 1000) + 3600 }),
    exp: 0,
    user: nuria,
    menu: [],
  });

beforeAll(async () => {
  // A browser that can do calls.
  vi.stubGlobal('RTCPeerConnection', class {});
  Object.defineProperty(navigator, 'mediaDevices', { value: {}, configurable: true });
  await useTexts();
});
beforeEach(() => {
  onEntered.mockReset();
  calls.length = 0;
  if (session.current()) session.end('logout');
  answers = {
    '/api/v1/prelogin': () => Response.json({ users: [{ _id: 'only', company: null }] }),
    '/api/v1/login': entered,
  };
  window.fetch = vi.fn(async (input, init) => {
    const path = String(input);
    calls.push({ path, body: JSON.parse(String(init?.body)) });
    return answers[path]?.() ?? problem(404, 'NOT_FOUND');
  });
  render(
    <Providers env="test">
      <LoginForm onEntered={onEntered} />
    </Providers>,
  );
});

const user = () => screen.getByLabelText('Correo electrónico o teléfono');
const password = () => screen.getByLabelText('Contraseña');
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const bodyOf = (path: string) => calls.find((call) => call.path === path)?.body;

describe('log-in', () => {
  it('asks who this is on Enter, then goes to the password, then logs the only account in', async () => {
    type(user(), ' nuria@example.es ');
    fireEvent.keyDown(user(), { key: 'Enter' });
    await waitFor(() => expect(document.activeElement).toBe(password()));
    expect(bodyOf('/api/v1/prelogin')).toEqual({ userName: 'nuria@example.es' });
    await userEvent.type(password(), 'secreta{Enter}');
    await waitFor(() => expect(onEntered).toHaveBeenCalledOnce());
    expect(bodyOf('/api/v1/login')).toEqual({ userName: 'nuria@example.es', password: 'secreta', login: true });
    expect(session.current()?.user.name).toBe('Nuria');
  });

  it('logs in at once on Enter when the password is there already', async () => {
    type(user(), 'nuria@example.es');
    type(password(), 'secreta');
    fireEvent.keyDown(user(), { key: 'Enter' });
    await waitFor(() => expect(onEntered).toHaveBeenCalledOnce());
  });

  it('lets choose among several companies and sends the chosen account', async () => {
    answers['/api/v1/prelogin'] = () =>
      Response.json({
        users: [
          { _id: 'a', company: 'Peritaciones Levante' },
          { _id: 'b', company: 'Mutua Tramontana' },
        ],
      });
    type(user(), 'nuria@example.es');
    type(password(), 'secreta');
    fireEvent.click(screen.getByRole('button', { name: 'Entrar' }));
    const company = await screen.findByPlaceholderText('Company');
    expect(bodyOf('/api/v1/login')).toBeUndefined();
    fireEvent.click(screen.getByRole('button', { name: 'Entrar' }));
    await screen.findByText('Elija una empresa');
    await userEvent.click(company);
    await userEvent.click(await screen.findByText('Mutua Tramontana'));
    fireEvent.click(screen.getByRole('button', { name: 'Entrar' }));
    await waitFor(() => expect(onEntered).toHaveBeenCalledOnce());
    expect(bodyOf('/api/v1/login')?.login).toBe('b');
  });

  it.each([
    ['an unknown user', '/api/v1/prelogin', () => problem(422, 'LOGIN_INCORRECT'), 'Usuario o contraseña incorrectos'],
    ['a wrong password', '/api/v1/login', () => problem(422, 'LOGIN_INCORRECT'), 'Usuario o contraseña incorrectos'],
    ['an inactive account', '/api/v1/login', () => problem(403, 'ACCOUNT_INACTIVE'), 'Su cuenta no está activa'],
    ['a lock', '/api/v1/login', () => problem(429, 'LOGIN_LOCKED', { 'Retry-After': '125' }), /en 02:0[45]\./],
    ['a broken server', '/api/v1/login', () => problem(500, 'INTERNAL'), 'Se ha producido un error'],
  ])('says what is wrong with %s and stores no session', async (_name, path, answer, text) => {
    answers[path] = answer;
    type(user(), 'nuria@example.es');
    type(password(), 'x');
    fireEvent.click(screen.getByRole('button', { name: 'Entrar' }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toMatch(text);
    expect(onEntered).not.toHaveBeenCalled();
    expect(window.localStorage.getItem('token')).toBeNull();
  });

  it('needs both fields before it asks anybody', async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Entrar' }));
    await screen.findByText('Escriba su correo electrónico o su teléfono');
    type(user(), 'nuria@example.es');
    fireEvent.click(screen.getByRole('button', { name: 'Entrar' }));
    await screen.findByText('Escriba su contraseña');
    expect(calls).toEqual([]);
  });

  it('shows and hides the password', () => {
    expect(password().getAttribute('type')).toBe('password');
    fireEvent.click(screen.getByRole('button', { name: 'Mostrar contraseña' }));
    expect(password().getAttribute('type')).toBe('text');
    fireEvent.click(screen.getByRole('button', { name: 'Ocultar contraseña' }));
    expect(password().getAttribute('type')).toBe('password');
  });
});
