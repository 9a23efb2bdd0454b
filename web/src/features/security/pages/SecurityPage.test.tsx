import { notifications } from '@mantine/notifications';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/shared/session';
import { Providers, queryClient } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { SecurityPage } from './SecurityPage';

const calls: { method: string; path: string; body: unknown }[] = [];
let answers: Record<string, (body: Record<string, unknown>) => Response> = {};

const none = () => new Response(null, { status: 204 });
const problem = (status: number, code: string, errors: object[] = []) => Response.json({ code, errors }, { status });
const codes = Array.from({ length: 10 }, (_, i) => `abcd${i}-efgh${i}`);
const laptop = { _id: 'k1', name: 'Portátil', createdAt: '2026-11-01T10:00:00Z', lastUsedAt: null };
const device = (id: string, current: boolean, browser: string, os: string) => ({
  _id: id,
  current,
  browser,
  os,
  address: '192.0.2.7',
  createdAt: '2026-11-20T10:00:00Z',
  lastSeenAt: '2026-11-21T09:30:00Z',
  expiresAt: '2026-11-21T11:00:00Z',
});

async function open(user = nuria) {
  await session.save(tokenWith({ exp: Math.floor(Date.now() / 1000) + 3600 }), user, []);
  render(
    <Providers env="test">
      <SecurityPage />
    </Providers>,
  );
}

beforeAll(async () => {
  vi.stubGlobal('PublicKeyCredential', class {});
  await useTexts();
});
beforeEach(() => {
  queryClient.clear();
  notifications.clean();
  calls.length = 0;
  answers = {
    'GET /api/v1/passkeys': () => Response.json({ passkeys: [laptop] }),
    'GET /api/v1/sessions/u1': () =>
      Response.json({
        sessions: [
          device('s1', true, 'Chrome', 'Windows'),
          device('s2', false, 'Safari', 'iOS'),
          device('s3', false, '–', '–'),
        ],
      }),
    'GET /api/v1/2fa': () =>
      Response.json({ secret: 'JBSWY3DPEHPK3PXP', otpauthUrl: 'otpauth://totp/Atalaya:nuria?secret=JBSWY3DPEHPK3PXP' }),
  };
  window.fetch = vi.fn(async (input, init) => {
    const key = `${init?.method} ${input}`;
    const body = init?.body ? JSON.parse(String(init.body)) : undefined;
    calls.push({ method: init?.method ?? '', path: String(input), body });
    return answers[key]?.(body) ?? problem(404, 'NOT_FOUND');
  });
});

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const bodyOf = (path: string) => calls.find((call) => call.path === path && call.body)?.body;
const dialog = () => screen.findByRole('dialog');
async function typeCode(code: string) {
  await userEvent.click(screen.getByLabelText('Dígito 1 de 6'));
  await userEvent.paste(code);
}

// MYDATA-1
it('saves what is kept of the account, and says when it could not', async () => {
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => undefined;
  await open();
  fireEvent.click(button('Descargar mis datos'));
  await screen.findByText('No se han podido descargar los datos');
  answers['GET /api/v1/my-data?'] = () => Response.json({ account: {} });
  fireEvent.click(button('Descargar mis datos'));
  await waitFor(() => expect(calls.filter(({ path }) => path.startsWith('/api/v1/my-data'))).toHaveLength(2));
});

describe('password', () => {
  const path = '/api/v1/change-password-perfil/u1';
  const old = () => screen.getByLabelText('Contraseña actual');
  async function fill(password: string, repeat = password) {
    fireEvent.change(old(), { target: { value: 'la vieja' } });
    fireEvent.change(screen.getByLabelText('Contraseña nueva'), { target: { value: password } });
    fireEvent.change(screen.getByLabelText('Repita la contraseña'), { target: { value: repeat } });
    fireEvent.click(button('Cambiar contraseña'));
  }

  it('is changed with the old one, and the fields are empty again', async () => {
    answers[`PUT ${path}`] = none;
    answers['GET /api/v1/passkeys'] = () => Response.json({ passkeys: [] });
    await open();
    await fill('faro-niebla-cormorán-7');
    await screen.findByText('Contraseña cambiada');
    expect(bodyOf(path)).toEqual({
      params: { oldPassword: 'la vieja', password: 'faro-niebla-cormorán-7', removePasskeys: false },
    });
    expect(old()).toHaveProperty('value', '');
  });

  // RECOVER-5
  it.each([
    ['Cambiar y quitarlas', true],
    ['Cambiar y conservarlas', false],
  ])('asks what becomes of the passkeys: %s', async (label, removePasskeys) => {
    answers[`PUT ${path}`] = none;
    await open();
    await screen.findByText('Portátil');
    await fill('faro-niebla-cormorán-7');
    await screen.findByText('¿Quitar también las llaves de acceso?');
    expect(bodyOf(path)).toBeUndefined();
    fireEvent.click(button(label));
    await screen.findByText('Contraseña cambiada');
    expect(bodyOf(path)).toMatchObject({ params: { removePasskeys } });
  });

  it.each([
    ['12345678', '12345678', 'Utilice una contraseña segura'],
    ['faro-niebla-cormorán-7', 'otra', 'Las contraseñas no coinciden'],
  ])('%s, %s is not sent', async (password, repeat, text) => {
    await open();
    await fill(password, repeat);
    await screen.findByText(text);
    expect(bodyOf(path)).toBeUndefined();
  });

  it('puts the refusal beside the old one and keeps what was typed', async () => {
    answers[`PUT ${path}`] = () =>
      problem(422, 'INVALID_FIELDS', [
        { field: 'oldPassword', code: 'PASSWORD_WRONG', message: 'No es su contraseña' },
      ]);
    answers['GET /api/v1/passkeys'] = () => Response.json({ passkeys: [] });
    await open();
    await fill('faro-niebla-cormorán-7');
    await waitFor(() => expect(old().getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getByLabelText('Contraseña nueva')).toHaveProperty('value', 'faro-niebla-cormorán-7');
  });

  it('demands the old one', async () => {
    await open();
    fireEvent.click(button('Cambiar contraseña'));
    await screen.findByText('Escriba su contraseña actual');
    await screen.findByText('Escriba una contraseña');
    await screen.findByText('Escriba otra vez la contraseña');
  });
});

describe('second factor', () => {
  it('is turned on with a code, shows ten codes this once, and ends only when they are kept', async () => {
    answers['POST /api/v1/verify2fa'] = (body) =>
      body.token === '123456' ? Response.json({ recoveryCodes: codes }) : problem(422, 'CODE_INVALID');
    await open();
    fireEvent.click(button('Activar'));
    await screen.findByText('JBSW Y3DP EHPK 3PXP');
    expect(document.querySelector('svg[role="img"] title')?.textContent).toBe(
      'Código QR para la aplicación de autenticación',
    );
    await typeCode('999999');
    await screen.findByText('Código no válido');
    expect(session.current()?.user.has2fa).toBe(false);
    await waitFor(() => expect(screen.getByLabelText('Dígito 6 de 6')).toHaveProperty('value', ''));
    await typeCode('123456');
    const list = await screen.findByRole('list', { name: 'Códigos de recuperación' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(codes);
    expect(calls.filter(({ path }) => path === '/api/v1/verify2fa').at(-1)?.body).toEqual({
      userId: 'u1',
      token: '123456',
      secret: 'JBSWY3DPEHPK3PXP',
    });
    await waitFor(() => expect(session.current()?.user.has2fa).toBe(true));
    for (const name of ['Copiar', 'Descargar', 'Imprimir']) button(name);
    expect(button('Terminar')).toHaveProperty('disabled', true);
    fireEvent.click(screen.getByLabelText('He guardado los códigos en un lugar seguro'));
    fireEvent.click(button('Terminar'));
    await waitFor(() => expect(screen.queryByText(codes[0] ?? '')).toBeNull());
    screen.getByText('Activada');
  });

  it('offers a retry when it cannot begin', async () => {
    const fine = answers['GET /api/v1/2fa'];
    answers['GET /api/v1/2fa'] = () => problem(503, 'DATABASE_UNAVAILABLE');
    await open();
    fireEvent.click(button('Activar'));
    await screen.findByText('No se ha podido empezar');
    answers['GET /api/v1/2fa'] = fine ?? none;
    fireEvent.click(within(await dialog()).getByRole('button', { name: 'Reintentar' }));
    await screen.findByText('JBSW Y3DP EHPK 3PXP');
  });

  it('is turned off with a code, or a recovery code', async () => {
    answers['POST /api/v1/disable2fa'] = (body) =>
      body.token === 'abcd0-efgh0' ? none() : problem(422, 'CODE_INVALID');
    await open({ ...nuria, has2fa: true });
    fireEvent.click(button('Desactivar'));
    const asked = within(await dialog());
    fireEvent.click(asked.getByRole('button', { name: 'Desactivar' }));
    await screen.findByText('Introduzca el código de su aplicación de autenticación');
    fireEvent.click(asked.getByText('Usar un código de recuperación'));
    await userEvent.type(asked.getByLabelText('Código de recuperación'), 'nada{Enter}');
    await screen.findByText('Código no válido');
    await waitFor(() => expect(asked.getByLabelText('Código de recuperación')).toHaveProperty('value', ''));
    await userEvent.type(asked.getByLabelText('Código de recuperación'), 'abcd0-efgh0{Enter}');
    await waitFor(() => expect(session.current()?.user.has2fa).toBe(false));
    screen.getByText('Desactivada');
  });

  it('makes new recovery codes with a code', async () => {
    answers['POST /api/v1/recovery-codes'] = () => Response.json({ recoveryCodes: codes });
    await open({ ...nuria, has2fa: true });
    fireEvent.click(button('Nuevos códigos de recuperación'));
    await dialog();
    await typeCode('123456');
    fireEvent.click(button('Crear códigos'));
    await screen.findByText('abcd9-efgh9');
    expect(bodyOf('/api/v1/recovery-codes')).toEqual({ token: '123456' });
  });
});

describe('passkeys', () => {
  it('are listed and removed after a question', async () => {
    answers['POST /api/v1/passkey-delete/k1'] = () => {
      answers['GET /api/v1/passkeys'] = () => Response.json({ passkeys: [] });
      return none();
    };
    await open();
    await screen.findByText('Portátil');
    screen.getByText('Creada el 1 nov 2026 · Sin usar');
    fireEvent.click(button('Eliminar la llave Portátil'));
    expect(bodyOf('/api/v1/passkey-delete/k1')).toBeUndefined();
    fireEvent.click(within(await dialog()).getByRole('button', { name: 'Eliminar' }));
    await screen.findByText('Todavía no tiene llaves de acceso.');
  });

  it('are added with a name', async () => {
    const bytes = (text: string) => new TextEncoder().encode(text).buffer;
    const create = vi.fn(async (_options: CredentialCreationOptions) => ({
      id: 'AQI',
      rawId: new Uint8Array([1, 2]).buffer,
      type: 'public-key',
      getClientExtensionResults: () => ({}),
      response: { clientDataJSON: bytes('{}'), attestationObject: bytes('o'), getTransports: () => ['internal'] },
    }));
    Object.defineProperty(navigator, 'credentials', { value: { create }, configurable: true });
    answers['POST /api/v1/passkey-options'] = () =>
      Response.json({ challenge: 'AAEC', user: { id: 'dTE', name: 'n', displayName: 'N' }, excludeCredentials: [] });
    answers['POST /api/v1/passkeys'] = () => Response.json({ passkey: laptop });
    await open();
    fireEvent.click(button('Añadir llave'));
    const asked = within(await dialog());
    fireEvent.click(asked.getByRole('button', { name: 'Crear llave' }));
    await screen.findByText('Escriba el nombre');
    await userEvent.type(asked.getByLabelText('Nombre de la llave'), 'Móvil{Enter}');
    await screen.findByText('Llave de acceso añadida');
    expect(new Uint8Array(create.mock.calls[0]?.[0].publicKey?.challenge as ArrayBuffer)).toEqual(
      new Uint8Array([0, 1, 2]),
    );
    expect(bodyOf('/api/v1/passkeys')).toMatchObject({
      name: 'Móvil',
      credential: { id: 'AQI', response: { attestationObject: 'bw', transports: ['internal'] } },
    });
  });

  it.each([
    ['InvalidStateError', 'Este dispositivo ya tiene una llave de su cuenta.'],
    ['NotAllowedError', 'El navegador no ha completado la operación. Inténtelo de nuevo.'],
  ])('says what happened on %s', async (name, text) => {
    const create = () => Promise.reject(new DOMException('x', name));
    Object.defineProperty(navigator, 'credentials', { value: { create }, configurable: true });
    answers['POST /api/v1/passkey-options'] = () =>
      Response.json({ challenge: 'AAEC', user: { id: 'dTE', name: 'n', displayName: 'N' } });
    await open();
    fireEvent.click(button('Añadir llave'));
    await userEvent.type(within(await dialog()).getByLabelText('Nombre de la llave'), 'Móvil{Enter}');
    await screen.findByText(text);
    expect(bodyOf('/api/v1/passkeys')).toBeUndefined();
  });
});

describe('devices', () => {
  it('names this one, and ends one', async () => {
    answers['POST /api/v1/session-end/s2'] = none;
    await open();
    const own = (await screen.findByText('Este dispositivo')).closest('li');
    expect(own?.textContent).toContain('Chrome en Windows');
    expect(own && within(own).queryByRole('button')).toBeNull();
    screen.getByText('Dispositivo desconocido');
    fireEvent.click(button('Cerrar sesión de Safari en iOS'));
    await screen.findByText('Sesión cerrada');
  });

  it('ends all others after a question', async () => {
    answers['POST /api/v1/sessions-end/u1'] = none;
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Cerrar las demás' }));
    const asked = within(await dialog());
    fireEvent.click(asked.getByRole('button', { name: 'Cerrar las demás' }));
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/v1/sessions-end/u1')).toBe(true));
  });

  it('ends all after a question, and then this one', async () => {
    answers['POST /api/v1/sessions-end/u1'] = none;
    answers['POST /api/v1/logout'] = none;
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Cerrar todas las sesiones' }));
    const asked = within(await dialog());
    expect(calls.some(({ path }) => path === '/api/v1/sessions-end/u1')).toBe(false);
    // What the router would do: leave the page of the account that is gone.
    const leave = session.subscribe((current) => current || cleanup());
    fireEvent.click(asked.getByRole('button', { name: 'Cerrar todas las sesiones' }));
    await waitFor(() => expect(session.current()).toBeNull());
    leave();
    const ended = calls.map(({ path }) => path).filter((path) => /sessions-end|logout/.test(path));
    expect(ended).toEqual(['/api/v1/sessions-end/u1', '/api/v1/logout']);
  });

  it('stays when the others could not be ended', async () => {
    answers['POST /api/v1/sessions-end/u1'] = () => problem(503, 'DATABASE_UNAVAILABLE');
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Cerrar todas las sesiones' }));
    fireEvent.click(within(await dialog()).getByRole('button', { name: 'Cerrar todas las sesiones' }));
    await screen.findByText('No se ha podido cerrar la sesión');
    expect(session.current()).not.toBeNull();
    expect(calls.some(({ path }) => path === '/api/v1/logout')).toBe(false);
  });

  it('says that they could not be loaded, and tries again', async () => {
    const fine = answers['GET /api/v1/sessions/u1'];
    answers['GET /api/v1/sessions/u1'] = () => problem(403, 'ROLE_NOT_ALLOWED');
    await open();
    const alert = (await screen.findByText('No se han podido cargar sus dispositivos')).closest('[role="alert"]');
    answers['GET /api/v1/sessions/u1'] = fine ?? none;
    fireEvent.click(within(alert as HTMLElement).getByRole('button', { name: 'Reintentar' }));
    await screen.findByText('Chrome en Windows');
  });
});
