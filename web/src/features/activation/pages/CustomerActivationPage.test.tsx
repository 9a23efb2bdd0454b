import { notifications } from '@mantine/notifications';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadMeter } from '@/shared/forms/strength';
import { session } from '@/shared/session';
import { fakeServer, LEGAL, press, problem, showPage, type } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { CustomerActivationPage } from './CustomerActivationPage';

let server: ReturnType<typeof fakeServer>;
const PASSWORD = 'marea-cobre-tejado-41';
const TERMS = 'Para continuar hay que aceptar los términos de la licencia';
const created = () => ({
  user: nuria,
  session: {
    login: true,
    token: tokenWith({ exp: Math.floor(Date.now() / 1000) + 3600 }),
    exp: 0,
    user: nuria,
    menu: [],
  },
});
const invite = (role: number, emailOPhone = 'marta@example.es') => {
  server.answers['verify-token-activation'] = () => Response.json({ userParent: null, userId: null, role });
  server.answers['activation-email-token'] = () => Response.json({ emailOPhone });
};

beforeAll(async () => {
  await useTexts();
  await loadMeter();
}, 60_000);
beforeEach(() => {
  if (session.current()) session.end('logout');
  server = fakeServer();
  invite(2);
  server.answers.legalbylanguage = () => Response.json(LEGAL);
  server.answers['activation-ok-email'] = () => Response.json({ sent: true });
  for (const noun of ['customer', 'repairer', 'carReparation']) server.answers[noun] = () => Response.json(created());
});
afterEach(() => {
  vi.useRealTimers();
  notifications.clean();
});

const show = () => showPage(CustomerActivationPage, '/customer-activation/$token', '/customer-activation/tok');
const shown = () => screen.findByLabelText('NIF/CIF');
const accept = async () => {
  press('Leer las condiciones');
  await screen.findByText('Objeto');
  press('Acepto las condiciones');
  await screen.findByRole('button', { name: 'Crear' });
};
const fill = () => {
  type('Persona de contacto', 'Marta Gil');
  type(/^Razón social/, 'Peritos Gil, S.L.');
  type('NIF/CIF', 'b-64717838');
  type('Dirección', 'Gran Vía, 1');
  type('Código postal', '28013');
  type('Población', 'Madrid');
  type('Móvil', '600 123 123');
  type('Contraseña', PASSWORD);
  type('Repita la contraseña', PASSWORD);
};
const create = async () => {
  press('Crear');
  await screen.findByText('¿Está seguro?');
  press('Confirmar');
};

describe('activation of a company', () => {
  it('stays hidden until the link is valid', async () => {
    let valid = () => {};
    server.answers['verify-token-activation'] = () =>
      new Promise((done) => {
        valid = () => done(Response.json({ userParent: null, userId: null, role: 2 }));
      });
    show();
    await waitFor(() => expect(server.to('verify-token-activation')).toHaveLength(1));
    expect(screen.queryByLabelText('NIF/CIF')).toBeNull();
    valid();
    await shown();
  });

  it.each([
    [2, 'customer', 'Alta de cliente', 'Se va a crear el cliente'],
    [4, 'repairer', 'Alta de reparador', 'Se va a crear el reparador'],
    [6, 'carReparation', 'Alta de taller', 'Se va a crear el taller'],
  ])('creates kind %i by POST %s, logs in and goes home', async (role, noun, title, text) => {
    invite(role);
    show();
    await shown();
    screen.getByRole('heading', { name: title });
    // Brand and language, outside the shell.
    screen.getByRole('img', { name: 'Atalaya' });
    screen.getByRole('button', { name: /^Idioma/ });
    fill();
    await accept();
    press('Crear');
    await screen.findByText(text);
    press('Confirmar');
    await screen.findByText('at /');
    expect(session.current()?.user._id).toBe('u1');
    const [call] = server.to(noun);
    expect(call?.method).toBe('POST');
    expect(call?.body).toEqual({
      [noun]: {
        name: 'Marta Gil',
        company: 'Peritos Gil, S.L.',
        cif: 'B64717838',
        address: 'Gran Vía, 1',
        postalCode: '28013',
        city: 'Madrid',
        region: 'Madrid',
        email: 'marta@example.es',
        mobile: '+34600123123',
        phone: null,
        bankAccount: null,
        legal: true,
        legalId: 'general-1',
        password: PASSWORD,
        language: 'es',
      },
      token: 'tok',
    });
    expect(server.to('activation-ok-email')[0]?.body).toEqual({ email: 'marta@example.es' });
  });

  it('shows the address of the invitation read-only and asks for no IBAN', async () => {
    show();
    await shown();
    const email = screen.getByLabelText('Correo electrónico') as HTMLInputElement;
    expect([email.value, email.readOnly]).toEqual(['marta@example.es', true]);
    expect(screen.queryByLabelText(/IBAN/)).toBeNull();
  });

  it('shows the number of somebody invited by phone read-only, and asks for an address', async () => {
    invite(2, '+34600123123');
    show();
    await shown();
    const mobile = screen.getByLabelText('Móvil') as HTMLInputElement;
    expect([mobile.value, mobile.readOnly]).toEqual(['600 12 31 23', true]);
    screen.getByText('Es el número al que se envió la invitación.');
    expect((screen.getByLabelText(/^Teléfono/) as HTMLInputElement).readOnly).toBe(false);
    expect((screen.getByLabelText('Correo electrónico') as HTMLInputElement).readOnly).toBe(false);
    screen.getByText(/con ese número iniciará sesión/);
  });

  it('offers Cancel, which says why, until the terms are accepted; then Create', async () => {
    show();
    await shown();
    expect(screen.queryByRole('button', { name: 'Crear' })).toBeNull();
    press('Cancelar');
    await screen.findByText('El cliente no se ha creado');
    expect(screen.getAllByText(TERMS).length).toBeGreaterThan(0);
    await accept();
    expect(screen.queryByRole('button', { name: 'Cancelar' })).toBeNull();
    expect(screen.queryByText(TERMS)).toBeNull();
    screen.getByText('Condiciones aceptadas');
    expect(server.to('customer')).toEqual([]);
  });

  it('leaves the company uncreated when the terms are declined', async () => {
    show();
    await shown();
    fill();
    press('Leer las condiciones');
    await screen.findByText('Objeto');
    press('No acepto');
    expect((await screen.findAllByText(TERMS)).length).toBeGreaterThan(0);
    screen.getByText('El cliente no se ha creado');
    expect(screen.queryByRole('button', { name: 'Crear' })).toBeNull();
    expect(server.to('customer')).toEqual([]);
    expect((screen.getByLabelText('NIF/CIF') as HTMLInputElement).value).toBe('b-64717838');
  });

  it('is not submitted by Enter', async () => {
    show();
    await shown();
    fill();
    await accept();
    const field = screen.getByLabelText('NIF/CIF');
    fireEvent.keyDown(field, { key: 'Enter' });
    fireEvent.submit(field.closest('form') as HTMLFormElement);
    await act(() => new Promise((done) => setTimeout(done, 50)));
    expect(screen.queryByText('¿Está seguro?')).toBeNull();
    expect(server.to('customer')).toEqual([]);
  });

  it('reports nothing but the fields when inputs are invalid', async () => {
    show();
    await shown();
    fill();
    type('NIF/CIF', 'X');
    type('Móvil', '');
    await accept();
    press('Crear');
    await screen.findByText('El NIF/CIF no es correcto. Escriba sus nueve caracteres, con la letra.');
    screen.getByText('El teléfono móvil es obligatorio');
    expect(screen.queryByText('¿Está seguro?')).toBeNull();
    expect(screen.queryByText('El cliente no se ha creado')).toBeNull();
  });

  it('says so when the confirmation is declined', async () => {
    show();
    await shown();
    fill();
    await accept();
    press('Crear');
    await screen.findByText('¿Está seguro?');
    press('Cancelar');
    await screen.findByText('El cliente no se ha creado');
    expect(server.to('customer')).toEqual([]);
  });

  it.each([
    ['ERROR_CREAR_CLIENTE', 422, 'No se ha podido crear el cliente. Inténtelo de nuevo.'],
    ['COMPANY_EXISTS', 409, 'Ya hay una empresa dada de alta con ese NIF/CIF.'],
  ])('%s is shown with everything still there', async (code, status, text) => {
    server.answers.customer = () => problem(status, code);
    show();
    await shown();
    fill();
    await accept();
    await create();
    await screen.findByText(text);
    expect((screen.getByLabelText('Dirección') as HTMLInputElement).value).toBe('Gran Vía, 1');
    expect(session.current()).toBeNull();
  });

  it("puts the server's fields beside ours, password and terms too", async () => {
    server.answers.customer = () =>
      problem(422, 'INVALID_FIELDS', [
        {
          field: 'cif',
          code: 'FISCAL_INCORRECT',
          message: 'El NIF/CIF no es correcto. Escriba sus nueve caracteres, con la letra.',
        },
        { field: 'password', code: 'PASSWORD_WEAK', message: 'Utilice una contraseña segura' },
        { field: 'legal', code: 'LEGAL_REQUIRED', message: TERMS },
      ]);
    show();
    await shown();
    fill();
    await accept();
    await create();
    await screen.findByText('El NIF/CIF no es correcto. Escriba sus nueve caracteres, con la letra.');
    screen.getByText('Utilice una contraseña segura');
    screen.getByText(TERMS);
  });

  it('has changed terms read again, in their new words', async () => {
    const message = 'El aviso legal ha cambiado. Vuelva a leerlo.';
    server.answers.customer = () =>
      problem(422, 'INVALID_FIELDS', [{ field: 'legalId', code: 'LEGAL_TEXT_CHANGED', message }]);
    show();
    await shown();
    fill();
    await accept();
    await create();
    await screen.findByText(message);
    expect(screen.queryByRole('button', { name: 'Crear' })).toBeNull();
    const legal = LEGAL.legal.map((text) => ({ ...text, _id: `${text._id}-new`, html: '<h2>Objeto nuevo</h2>' }));
    server.answers.legalbylanguage = () => Response.json({ legal });
    server.answers.customer = () => Response.json(created());
    press('Leer las condiciones');
    await screen.findByText('Objeto nuevo');
    press('Acepto las condiciones');
    await screen.findByRole('button', { name: 'Crear' });
    expect(screen.queryByText(message)).toBeNull();
    await create();
    await screen.findByText('at /');
    expect(server.to('customer').at(-1)?.body.customer).toMatchObject({ legalId: 'general-1-new' });
  });

  it('tells after 3 seconds that the notice could not be sent, with the address', async () => {
    server.answers['activation-ok-email'] = () => problem(503, 'ACTIVATION_EMAIL_FAILED');
    show();
    await shown();
    fill();
    await accept();
    await create();
    await screen.findByText('at /');
    const began = Date.now();
    expect(screen.queryByText(/No se ha podido enviar el aviso/)).toBeNull();
    await screen.findByText('No se ha podido enviar el aviso de activación a marta@example.es.', {}, { timeout: 6000 });
    expect(Date.now() - began).toBeGreaterThan(2000);
  });

  it('an invitation of a user is none of a company', async () => {
    invite(3);
    show();
    expect((await screen.findAllByText('El enlace no es válido')).length).toBeGreaterThan(0);
  });
});
