import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadMeter } from '@/shared/forms/strength';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage, type } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { readUserName } from '../user-name';
import { RememberFormPage } from './RememberFormPage';
import { RememberPage } from './RememberPage';

let server: ReturnType<typeof fakeServer>;
const PASSWORD = 'marea-cobre-tejado-41';
const nothing = () => new Response(null, { status: 204 });

beforeAll(async () => {
  await useTexts();
  await loadMeter();
}, 60_000);
beforeEach(() => {
  if (session.current()) session.end('logout');
  server = fakeServer();
  server.answers['remember-email'] = nothing;
  server.answers['change-password'] = nothing;
  server.answers['verify-token'] = () => Response.json({ valid: true, kind: 'reset', exp: 0 });
});

describe('asking for a new password', () => {
  const show = () => showPage(RememberPage, '/remember', '/remember');

  it.each([
    [' nuria@example.es ', 'nuria@example.es', 'Le hemos enviado un correo con las instrucciones'],
    ['600 123 123', '+34600123123', 'Le hemos enviado un SMS con las instrucciones'],
  ])('%s: confirms it was sent, then the log-in', async (typed, sent, text) => {
    show();
    await screen.findByLabelText('Correo electrónico o teléfono');
    expect(screen.getByRole('img', { name: 'Atalaya' }), 'the brand').toBeTruthy();
    type('Correo electrónico o teléfono', typed);
    press('Enviar enlace');
    await screen.findByText(text);
    expect(server.to('remember-email')[0]?.body).toEqual({ email: sent });
    fireEvent.click(screen.getByRole('button', { name: 'Aceptar' }));
    await screen.findByText('at /login');
  });

  it.each([
    ['', 'Escriba su correo electrónico o su teléfono'],
    ['nuria@', 'Escriba un correo electrónico o un teléfono válido'],
    ['12', 'Escriba un correo electrónico o un teléfono válido'],
  ])('"%s" asks nobody', async (typed, text) => {
    show();
    await screen.findByLabelText('Correo electrónico o teléfono');
    type('Correo electrónico o teléfono', typed);
    press('Enviar enlace');
    await screen.findByText(text);
    expect(server.to('remember-email')).toEqual([]);
  });

  it('says when it failed and keeps the address', async () => {
    server.answers['remember-email'] = () => problem(429, 'TOO_MANY_REQUESTS');
    show();
    await screen.findByLabelText('Correo electrónico o teléfono');
    type('Correo electrónico o teléfono', 'nuria@example.es');
    press('Enviar enlace');
    await screen.findByText('No se ha podido enviar el correo de recuperación');
    expect((screen.getByLabelText('Correo electrónico o teléfono') as HTMLInputElement).value).toBe('nuria@example.es');
  });

  it('leads back', async () => {
    show();
    fireEvent.click(await screen.findByRole('link', { name: 'Volver a iniciar sesión' }));
    await screen.findByText('at /login');
  });
});

describe('a new password by a link', () => {
  const show = () => showPage(RememberFormPage, '/remember-form/$token', '/remember-form/tok');
  const fill = (password: string, repeat = password) => {
    type('Nueva contraseña', password);
    type('Repita la contraseña', repeat);
  };
  const shown = () => screen.findByLabelText('Nueva contraseña');

  it('changes it, ends the session of this browser and leads to the log-in', async () => {
    await session.save(tokenWith({ exp: Math.floor(Date.now() / 1000) + 3600 }), nuria, []);
    show();
    await shown();
    expect(screen.getByRole('img', { name: 'Atalaya' }), 'the brand').toBeTruthy();
    expect(server.to('verify-token')[0]?.body).toEqual({ activationToken: 'tok' });
    fill(PASSWORD);
    press('Actualizar contraseña');
    await screen.findByText('Contraseña actualizada');
    expect(server.to('change-password')[0]).toMatchObject({
      method: 'PUT',
      body: { change: { token: 'tok', password: PASSWORD } },
    });
    expect(session.current()).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Aceptar' }));
    await screen.findByText('at /login');
  });

  it.each([
    ['', '', 'Escriba una contraseña', 1],
    ['', '', 'Escriba otra vez la contraseña', 1],
    ['12345678', '12345678', 'Utilice una contraseña segura', 1],
    [PASSWORD, `${PASSWORD}x`, 'Las contraseñas no coinciden', 1],
  ])('"%s" and "%s": %s', async (password, repeat, text, times) => {
    show();
    await shown();
    fill(password, repeat);
    press('Actualizar contraseña');
    await waitFor(() => expect(screen.getAllByText(text)).toHaveLength(times));
    expect(server.to('change-password')).toEqual([]);
  });

  it.each([
    ['another kind', () => Response.json({ valid: true, kind: 'activation' })],
    ['no longer', () => Response.json({ valid: false })],
    ['nobody', () => problem(422, 'TOKEN_INVALID')],
  ])('a link of %s: an alert offers a new one, or the log-in', async (_what, answer) => {
    server.answers['verify-token'] = answer;
    const page = show();
    fireEvent.click(await screen.findByRole('button', { name: 'Pedir un enlace nuevo' }));
    await screen.findByText('at /remember');
    expect(page.where()).toBe('/remember');
    cleanup();
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Volver a iniciar sesión' }));
    await screen.findByText('at /login');
  });

  it('a link that could not be asked about is asked about again', async () => {
    const fine = server.answers['verify-token'] as () => Response;
    server.answers['verify-token'] = () => Promise.reject(new TypeError('Failed to fetch'));
    show();
    const retry = await screen.findByRole('button', { name: 'Reintentar' }, { timeout: 15_000 });
    server.answers['verify-token'] = fine;
    fireEvent.click(retry);
    await shown();
  });

  it('any other failure is said, then the log-in', async () => {
    server.answers['change-password'] = () => problem(429, 'TOO_MANY_REQUESTS');
    const page = show();
    await shown();
    fill(PASSWORD);
    press('Actualizar contraseña');
    await screen.findByText('No se ha podido actualizar la contraseña');
    expect(page.where()).toBe('/remember-form/tok');
    press('Aceptar');
    await screen.findByText('at /login');
  });

  it('a link that died meanwhile offers a new one too', async () => {
    server.answers['change-password'] = () => problem(422, 'TOKEN_USED');
    show();
    await shown();
    fill(PASSWORD);
    press('Actualizar contraseña');
    await screen.findByRole('button', { name: 'Pedir un enlace nuevo' });
  });

  const weak = { field: 'password', code: 'PASSWORD_WEAK', message: 'Utilice una contraseña segura' };
  it.each([
    ['as the code', () => problem(422, 'PASSWORD_WEAK')],
    ['about the field', () => problem(422, 'INVALID_FIELDS', [weak])],
  ])("the server's no to the password, %s, stands beside it", async (_how, answer) => {
    server.answers['change-password'] = answer;
    const page = show();
    await shown();
    fill(PASSWORD);
    press('Actualizar contraseña');
    await screen.findByText('Utilice una contraseña segura');
    expect(page.where()).toBe('/remember-form/tok');
    expect(screen.queryByText('No se ha podido actualizar la contraseña')).toBeNull();
  });
});

it('reads what a person writes to say who he is', () => {
  expect(readUserName('0034 600 123 123')?.value).toBe('+34600123123');
  expect(readUserName('+33 6 12 34 56 78')).toEqual({ kind: 'phone', value: '+33612345678' });
  expect(readUserName('a b@c.es')).toBeNull();
  expect(readUserName('nuria')).toBeNull();
});
