import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadMeter } from '@/shared/forms/strength';
import { session } from '@/shared/session';
import { fakeServer, LEGAL, press, problem, showPage, type } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { UserActivationPage } from './UserActivationPage';

let server: ReturnType<typeof fakeServer>;
const PASSWORD = 'marea-cobre-tejado-41';
const answer = () => ({
  login: true,
  token: tokenWith({ exp: Math.floor(Date.now() / 1000) + 3600 }),
  exp: 0,
  user: nuria,
  menu: [],
});

beforeAll(async () => {
  await useTexts();
  await loadMeter();
}, 60_000);
beforeEach(() => {
  if (session.current()) session.end('logout');
  server = fakeServer();
  server.answers['verify-token-activation'] = () => Response.json({ userParent: 'c1', userId: null, role: 3 });
  server.answers['activation-email-token'] = () => Response.json({ emailOPhone: 'marta@example.es' });
  server.answers.legalbylanguage = () => Response.json(LEGAL);
  server.answers.user = () => Response.json({ user: nuria, session: answer() });
});

const show = (href = '/user-activation/3/c1/tok') =>
  showPage(UserActivationPage, '/user-activation/$role/$customer/$token', href);
const shown = () => screen.findByLabelText('Nombre');
const accept = async () => {
  press('Leer las condiciones');
  await screen.findByText('Objeto');
  press('Acepto las condiciones');
};
const fill = async () => {
  type('Nombre', ' Marta ');
  type('Apellidos', 'Gil Ñáñez');
  type('Contraseña', PASSWORD);
  type('Repita la contraseña', PASSWORD);
  await accept();
};
const create = async () => {
  press('Crear');
  await screen.findByText('¿Está seguro?');
  screen.getByText('Se va a crear el usuario');
  press('Confirmar');
};

describe('the link first', () => {
  it.each([
    ['TOKEN_INVALID', 'El enlace no es válido'],
    ['TOKEN_USED', 'El enlace ya se ha utilizado'],
  ])('%s: an alert, then the root', async (code, text) => {
    server.answers['verify-token-activation'] = () => problem(422, code);
    const page = show();
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
    expect(page.where()).toBe('/user-activation/3/c1/tok');
    fireEvent.click(await screen.findByRole('button', { name: 'Aceptar' }));
    await screen.findByText('at /');
  });

  it.each([
    ['another role', '/user-activation/5/c1/tok'],
    ['another company', '/user-activation/3/c2/tok'],
  ])('an address of %s is not valid', async (_what, href) => {
    show(href);
    expect((await screen.findAllByText('El enlace no es válido')).length).toBeGreaterThan(0);
    expect(screen.queryByLabelText('Nombre')).toBeNull();
  });

  it('an invitation of a company is not one of a user', async () => {
    server.answers['verify-token-activation'] = () => Response.json({ userParent: null, userId: null, role: 2 });
    show('/user-activation/2/null/tok');
    expect((await screen.findAllByText('El enlace no es válido')).length).toBeGreaterThan(0);
  });

  it('an expired one offers a new one', async () => {
    server.answers['verify-token-activation'] = () => problem(422, 'TOKEN_EXPIRED');
    server.answers['activation-renew'] = () => new Response(null, { status: 204 });
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Enviarme un enlace nuevo' }));
    await screen.findByText('Enlace enviado');
    expect(server.to('activation-renew')[0]?.body).toEqual({ activationToken: 'tok' });
  });
});

describe('activation of a user', () => {
  it('shows the address, asks for confirmation, creates, logs in and goes home', async () => {
    const page = show();
    await shown();
    const email = screen.getByLabelText('Correo electrónico') as HTMLInputElement;
    expect(email.value).toBe('marta@example.es');
    expect(email.readOnly).toBe(true);
    await fill();
    await create();
    await screen.findByText('at /');
    expect(server.to('user')[0]?.body).toEqual({
      customerId: 'c1',
      user: {
        name: 'Marta',
        surname: 'Gil Ñáñez',
        email: 'marta@example.es',
        password: PASSWORD,
        legal: true,
        language: 'es',
      },
      token: 'tok',
    });
    expect(session.current()?.user._id).toBe('u1');
    expect(page.where()).toBe('/');
  });

  it('keeps the session of somebody who is logged in', async () => {
    const mine = await session.save(answer().token, { ...nuria, _id: 'mine' }, []);
    server.answers.user = () => Response.json({ user: nuria, session: null });
    show();
    await shown();
    await fill();
    await create();
    await screen.findByText('at /');
    expect(session.current()?.user._id).toBe('mine');
    expect(session.current()?.token).toBe(mine.token);
  });

  it('says everything that is missing at once, and asks nobody', async () => {
    show();
    await shown();
    press('Crear');
    await screen.findByText('Para continuar hay que aceptar los términos de la licencia');
    for (const missing of [
      'Escriba el nombre',
      'Escriba los apellidos',
      'Escriba una contraseña',
      'Escriba otra vez la contraseña',
    ])
      expect(screen.getAllByText(missing)).toHaveLength(1);
    expect(screen.queryByText('¿Está seguro?')).toBeNull();
    expect(server.to('user')).toEqual([]);
  });

  it('is blocked by any message of the password', async () => {
    show();
    await shown();
    await fill();
    type('Repita la contraseña', 'otra');
    press('Crear');
    await screen.findByText('Las contraseñas no coinciden');
    type('Contraseña', 'Marta1234');
    type('Repita la contraseña', 'Marta1234');
    press('Crear');
    await screen.findByText('Utilice una contraseña segura');
    expect(server.to('user')).toEqual([]);
  });

  it('shows the legal error when the terms are declined', async () => {
    show();
    await shown();
    press('Leer las condiciones');
    await screen.findByText('Objeto');
    press('No acepto');
    await screen.findByText('Para continuar hay que aceptar los términos de la licencia');
  });

  it.each([5, 7])('needs a phone for role %i, Spanish by default', async (role) => {
    server.answers['verify-token-activation'] = () => Response.json({ userParent: 'c1', userId: null, role });
    show(`/user-activation/${role}/c1/tok`);
    await shown();
    await fill();
    press('Crear');
    await screen.findByText('El teléfono es obligatorio');
    type('Teléfono', '12345');
    press('Crear');
    await screen.findByText(
      'El teléfono no es correcto. Escriba todas sus cifras; si no es de España, con el prefijo.',
    );
    type('Teléfono', '6'.repeat(21));
    press('Crear');
    await screen.findByText('El teléfono es demasiado largo');
    expect(server.to('user')).toEqual([]);
    type('Teléfono', '600 123 123');
    await create();
    await waitFor(() => expect(server.to('user')).toHaveLength(1));
    expect(server.to('user')[0]?.body.user).toMatchObject({ phone: '+34600123123' });
  });

  it('shows a phone as the user name of somebody invited by phone', async () => {
    server.answers['activation-email-token'] = () => Response.json({ emailOPhone: '+34600123123' });
    show();
    await shown();
    const phone = screen.getByLabelText('Teléfono') as HTMLInputElement;
    expect(phone.value).toBe('600 12 31 23');
    expect(phone.readOnly).toBe(true);
    await fill();
    await create();
    await waitFor(() => expect(server.to('user')).toHaveLength(1));
    const user = server.to('user')[0]?.body.user as Record<string, unknown>;
    expect(user.phone).toBe('+34600123123');
    expect(user.email).toBeUndefined();
  });

  it('creates nothing when the confirmation is declined', async () => {
    show();
    await shown();
    await fill();
    press('Crear');
    await screen.findByText('¿Está seguro?');
    press('Cancelar');
    await waitFor(() => expect(screen.queryByText('¿Está seguro?')).toBeNull());
    expect(server.to('user')).toEqual([]);
  });

  it("keeps what was typed and says the server's no beside the fields", async () => {
    server.answers.user = () =>
      problem(422, 'INVALID_FIELDS', [
        { field: 'name', code: 'TOO_LONG', message: 'Máximo 200 caracteres' },
        { field: 'password', code: 'PASSWORD_WEAK', message: 'Utilice una contraseña segura' },
      ]);
    show();
    await shown();
    await fill();
    await create();
    await screen.findByText('El usuario no se ha creado');
    screen.getByText('Máximo 200 caracteres');
    screen.getByText('Utilice una contraseña segura');
    expect((screen.getByLabelText('Apellidos') as HTMLInputElement).value).toBe('Gil Ñáñez');
    expect(session.current()).toBeNull();
  });

  it.each([
    ['nothing beside a field: the note is brought into view', [], 1],
    ['a field: it is focused instead', [{ field: 'name', code: 'TOO_LONG', message: 'Máximo' }], 0],
  ])('%s', async (_what, errors, times) => {
    server.answers.user = () => problem(409, 'USER_NAME_TAKEN', errors);
    show();
    await shown();
    const scroll = vi.spyOn(screen.getByLabelText('Nombre').closest('form') as Element, 'scrollIntoView');
    await fill();
    await create();
    await screen.findByText('El usuario no se ha creado');
    if (errors.length > 0) await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Nombre')));
    await waitFor(() => expect(scroll).toHaveBeenCalledTimes(times));
  });

  it('a link that was used meanwhile leads to the root', async () => {
    server.answers.user = () => problem(422, 'TOKEN_USED');
    show();
    await shown();
    await fill();
    await create();
    expect((await screen.findAllByText('El enlace ya se ha utilizado')).length).toBeGreaterThan(0);
  });
});
