import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/shared/session';
import { Providers } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { LoginForm } from './LoginForm';

const calls: { path: string; body: Record<string, unknown> | undefined; bearer: string | null }[] = [];
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
  vi.stubGlobal('PublicKeyCredential', class {});
  Object.defineProperty(navigator, 'mediaDevices', { value: {}, configurable: true });
  await useTexts();
});
beforeEach(() => {
  calls.length = 0;
  if (session.current()) session.end('logout');
  answers = {
    '/api/v1/prelogin': () => Response.json({ users: [{ _id: 'only', company: null }] }),
    '/api/v1/login': entered,
  };
  window.fetch = vi.fn(async (input, init) => {
    const path = String(input);
    const bearer = new Headers(init?.headers).get('Authorization');
    calls.push({ path, body: init?.body ? JSON.parse(String(init.body)) : undefined, bearer });
    return answers[path]?.() ?? problem(404, 'NOT_FOUND');
  });
  render(
    <Providers env="test">
      <LoginForm />
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
    await waitFor(() => expect(session.current()?.user.name).toBe('Nuria'));
    expect(bodyOf('/api/v1/login')).toEqual({ userName: 'nuria@example.es', password: 'secreta', login: true });
  });

  it('logs in at once on Enter when the password is there already', async () => {
    type(user(), 'nuria@example.es');
    type(password(), 'secreta');
    fireEvent.keyDown(user(), { key: 'Enter' });
    await waitFor(() => expect(session.current()?.user.name).toBe('Nuria'));
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
    await waitFor(() => expect(session.current()?.user.name).toBe('Nuria'));
    expect(bodyOf('/api/v1/login')?.login).toBe('b');
  });

  it('proposes the company that logged in last, and sends what is chosen at last', async () => {
    answers['/api/v1/prelogin'] = () =>
      Response.json({
        users: [
          { _id: 'a', company: 'Levante', last: false },
          { _id: 'b', company: 'Levante', last: true },
        ],
      });
    type(user(), 'nuria@example.es');
    fireEvent.keyDown(user(), { key: 'Enter' });
    const company = await screen.findByPlaceholderText<HTMLInputElement>('Company');
    expect(company.value).toBe('Levante');
    await waitFor(() => expect(document.activeElement).toBe(password()));
    await userEvent.type(password(), 'secreta{Enter}');
    await waitFor(() => expect(session.current()).not.toBeNull());
    expect(bodyOf('/api/v1/login')?.login).toBe('b');
  });

  it('asks again who this is when another user name is typed', async () => {
    answers['/api/v1/prelogin'] = () => problem(422, 'LOGIN_INCORRECT');
    type(user(), 'nadie@example.es');
    fireEvent.keyDown(user(), { key: 'Enter' });
    await screen.findByRole('alert');
    type(user(), 'nuria@example.es');
    expect(screen.queryByRole('alert')).toBeNull();
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
    expect(session.current()).toBeNull();
    expect(window.localStorage.getItem('token')).toBeNull();
  });

  it('needs both fields before it asks anybody', async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Entrar' }));
    await screen.findByText('Escriba su correo electrónico o su teléfono');
    // The message of a failed log-in, too.
    screen.getByText('Usuario o contraseña incorrectos');
    type(user(), 'nuria@example.es');
    expect(screen.queryByText('Usuario o contraseña incorrectos')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Entrar' }));
    await screen.findByText('Escriba su contraseña');
    screen.getByText('Usuario o contraseña incorrectos');
    expect(calls).toEqual([]);
  });

  it('shows and hides the password', () => {
    expect(password().getAttribute('type')).toBe('password');
    fireEvent.click(screen.getByRole('button', { name: 'Mostrar contraseña' }));
    expect(password().getAttribute('type')).toBe('text');
    fireEvent.click(screen.getByRole('button', { name: 'Ocultar contraseña' }));
    expect(password().getAttribute('type')).toBe('password');
  });

  it('counts the lock down and lets try again at its end', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    answers['/api/v1/login'] = () => problem(429, 'LOGIN_LOCKED', { 'Retry-After': '3' });
    type(user(), 'nuria@example.es');
    type(password(), 'x');
    fireEvent.click(screen.getByRole('button', { name: 'Entrar' }));
    await screen.findByText(/en 00:0[23]\./);
    expect(screen.getByRole('button', { name: 'Entrar' })).toHaveProperty('disabled', true);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    await screen.findByText(/en 00:0[12]\./);
    await act(() => vi.advanceTimersByTimeAsync(3000));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByRole('button', { name: 'Entrar' })).toHaveProperty('disabled', false);
    vi.useRealTimers();
  });
});

describe('second step', () => {
  const reach = async () => {
    answers['/api/v1/login'] = () =>
      Response.json({ login: false, user: { _id: 'u1', has2fa: true }, token: 'pending.token.x' });
    type(user(), 'nuria@example.es');
    type(password(), 'secreta');
    fireEvent.click(screen.getByRole('button', { name: 'Entrar' }));
    await screen.findByRole('heading', { name: 'Verificación en dos pasos' });
  };
  const digit = (n: number) => screen.getByLabelText(`Dígito ${n} de 6`);

  it('takes six digits, sent when the last one is there, with the pending token', async () => {
    answers['/api/v1/verify2fa'] = entered;
    await reach();
    expect(digit(1).getAttribute('autocomplete')).toBe('one-time-code');
    expect(digit(1).getAttribute('inputmode')).toBe('numeric');
    expect(window.localStorage.getItem('token')).toBeNull();
    await userEvent.click(digit(1));
    await userEvent.paste('123456');
    await waitFor(() => expect(session.current()?.user.name).toBe('Nuria'));
    const call = calls.find(({ path }) => path === '/api/v1/verify2fa');
    expect(call?.body).toMatchObject({ userId: 'u1', token: '123456' });
    expect(call?.bearer).toBe('Bearer pending.token.x');
  });

  it('demands a code', async () => {
    await reach();
    await userEvent.type(digit(1), '12{Enter}');
    // 'enter authenticator code'. Once as the step's help, once as the message.
    expect(await screen.findAllByText('Introduzca el código de su aplicación de autenticación')).toHaveLength(2);
    fireEvent.click(screen.getByText('Usar un código de recuperación'));
    fireEvent.click(screen.getByRole('button', { name: 'Verificar' }));
    await screen.findByText('Escriba un código de recuperación');
    expect(bodyOf('/api/v1/verify2fa')).toBeUndefined();
  });

  it('takes a recovery code instead', async () => {
    answers['/api/v1/verify2fa'] = entered;
    await reach();
    fireEvent.click(screen.getByText('Usar un código de recuperación'));
    await userEvent.type(screen.getByLabelText('Código de recuperación'), ' abcd-1234 {Enter}');
    await waitFor(() => expect(session.current()).not.toBeNull());
    expect(bodyOf('/api/v1/verify2fa')?.token).toBe('abcd-1234');
  });

  it.each([
    ['a wrong code', () => problem(422, 'CODE_INVALID'), 'Código no válido'],
    ['a code that comes too late', () => problem(422, 'LOGIN_EXPIRED'), 'El tiempo para el código ha terminado'],
    ['too many', () => problem(429, 'LOGIN_LOCKED', { 'Retry-After': '60' }), 'Demasiados intentos'],
  ])('goes back to the first step after %s, logged out and with the password gone', async (_name, answer, text) => {
    answers['/api/v1/verify2fa'] = answer;
    await reach();
    await userEvent.click(digit(1));
    await userEvent.paste('000000');
    expect((await screen.findByRole('alert')).textContent).toContain(text);
    await screen.findByRole('heading', { name: 'Iniciar sesión' });
    expect(user()).toHaveProperty('value', 'nuria@example.es');
    expect(password()).toHaveProperty('value', '');
    expect(window.localStorage.getItem('token')).toBeNull();
  });

  it('stays on the step when the server was not reached', async () => {
    answers['/api/v1/verify2fa'] = () => {
      throw new TypeError('Failed to fetch');
    };
    await reach();
    await userEvent.click(digit(1));
    await userEvent.paste('123456');
    await screen.findByRole('alert');
    screen.getByRole('heading', { name: 'Verificación en dos pasos' });
    fireEvent.click(screen.getByText('Usar otra cuenta'));
    await screen.findByRole('heading', { name: 'Iniciar sesión' });
  });
});

describe('passkey', () => {
  const bytes = (text: string) => new TextEncoder().encode(text).buffer;
  const credential = {
    id: 'AQI',
    rawId: new Uint8Array([1, 2]).buffer,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    getClientExtensionResults: () => ({}),
    response: {
      clientDataJSON: bytes('{}'),
      authenticatorData: bytes('a'),
      signature: bytes('s'),
      userHandle: bytes('u'),
    },
  };
  const ask = vi.fn<(options: CredentialRequestOptions) => Promise<unknown>>();
  const button = () => screen.getByRole('button', { name: 'Entrar con llave de acceso' });

  beforeEach(() => {
    ask.mockReset();
    Object.defineProperty(navigator, 'credentials', { value: { get: ask }, configurable: true });
    answers['/api/v1/passkey-login-options'] = () =>
      Response.json({ ceremony: 'c1', publicKey: { challenge: '_-8', rpId: 'localhost', allowCredentials: [] } });
    answers['/api/v1/passkey-login'] = entered;
  });

  it('logs in with what the device proves', async () => {
    ask.mockResolvedValue(credential);
    fireEvent.click(button());
    await waitFor(() => expect(session.current()?.user.name).toBe('Nuria'));
    expect(new Uint8Array(ask.mock.calls[0]?.[0].publicKey?.challenge as ArrayBuffer)).toEqual(
      new Uint8Array([255, 239]),
    );
    expect(bodyOf('/api/v1/passkey-login')).toMatchObject({
      ceremony: 'c1',
      credential: { id: 'AQI', rawId: 'AQI', type: 'public-key', response: { signature: 'cw', userHandle: 'dQ' } },
    });
  });

  it('says so quietly when the person closed the dialog', async () => {
    ask.mockRejectedValue(new DOMException('no', 'NotAllowedError'));
    fireEvent.click(button());
    await screen.findByText('No se ha usado ninguna llave de acceso');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(bodyOf('/api/v1/passkey-login')).toBeUndefined();
  });

  it('says when the server does not know it', async () => {
    ask.mockResolvedValue(credential);
    answers['/api/v1/passkey-login'] = () => problem(422, 'PASSKEY_UNKNOWN');
    fireEvent.click(button());
    expect((await screen.findByRole('alert')).textContent).toContain('La llave de acceso no sirve para esta cuenta');
    expect(session.current()).toBeNull();
  });
});
