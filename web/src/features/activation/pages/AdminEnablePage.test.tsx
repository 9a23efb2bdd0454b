import { notifications } from '@mantine/notifications';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { AdminEnablePage } from './AdminEnablePage';

let server: ReturnType<typeof fakeServer>;
const company = {
  _id: 'c9',
  companyType: '2',
  status: 0,
  name: 'Marta Gil',
  company: 'Peritos Gil, S.L.',
  cif: 'B64717838',
  address: 'Gran Vía, 1',
  city: 'Madrid',
  region: 'Madrid',
  postalCode: '28013',
  email: 'marta@example.es',
  phone: null,
  mobile: '+34600123123',
  bankAccount: null as string | null,
};

beforeAll(() => useTexts());
beforeEach(() => {
  if (session.current()) session.end('logout');
  server = fakeServer();
  server.answers['customer-no-login'] = () => Response.json({ customer: company });
  for (const path of ['activate-customer', 'activate-repairer', 'activate-car-reparation'])
    server.answers[path] = () => Response.json({});
  server.answers['activation-ok-email'] = () => Response.json({ sent: true });
});
afterEach(() => notifications.clean());

const show = (type = '2') =>
  showPage(AdminEnablePage, '/admin-enable/$type/$customer/$token', `/admin-enable/${type}/c9/tok`);

describe('activation by the administrator', () => {
  it('shows the data and activates; nobody logged in goes to the log-in', async () => {
    show();
    await screen.findByText('B64717838');
    for (const text of ['Gran Vía, 1', '28013', '600 12 31 23', 'marta@example.es']) screen.getByText(text);
    expect(screen.queryByText('IBAN')).toBeNull();
    expect(server.to('customer-no-login/c9')[0]?.body).toEqual({ token: 'tok' });
    press('Activar cliente');
    await screen.findByText('at /login');
    expect(server.to('activate-customer/c9')[0]).toMatchObject({ method: 'PUT', body: { token: 'tok' } });
    expect(server.to('activation-ok-email').map(({ body }) => body)).toEqual([{ email: 'marta@example.es' }]);
  });

  it('tells after 3 seconds that the notice could not be sent', async () => {
    server.answers['activation-ok-email'] = () => problem(503, 'ACTIVATION_EMAIL_FAILED');
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Activar cliente' }));
    await screen.findByText('at /login');
    const began = Date.now();
    const text = 'No se ha podido enviar el aviso de activación a marta@example.es.';
    expect(screen.queryByText(text)).toBeNull();
    await screen.findByText(text, {}, { timeout: 6000 });
    expect(Date.now() - began).toBeGreaterThan(2000);
  });

  it.each([
    ['4', 'Activar reparador', 'activate-repairer/c9'],
    ['6', 'Activar taller', 'activate-car-reparation/c9'],
    ['carReparation', 'Activar taller', 'activate-car-reparation/c9'],
  ])('%s: %s', async (type, button, path) => {
    server.answers['customer-no-login'] = () =>
      Response.json({ customer: { ...company, companyType: type === '4' ? '4' : '6' } });
    show(type);
    fireEvent.click(await screen.findByRole('button', { name: button }));
    await screen.findByText('at /login');
    expect(server.to(path)).toHaveLength(1);
  });

  it('shows the IBAN masked when there is one', async () => {
    server.answers['customer-no-login'] = () =>
      Response.json({ customer: { ...company, bankAccount: 'ES91 **** **** **** **** 1332' } });
    show();
    await screen.findByText('ES91 **** **** **** **** 1332');
  });

  it('goes to the customers when the administrator is logged in', async () => {
    const token = tokenWith({ exp: Math.floor(Date.now() / 1000) + 3600, role: 1 });
    await session.save(token, { ...nuria, role: 1 }, []);
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Activar cliente' }));
    await screen.findByText('at /customers');
  });

  it.each([
    ['TOKEN_EXPIRED', 'El enlace ha caducado. Puede pedir uno nuevo.'],
    ['TOKEN_INVALID', 'El enlace no es válido.'],
  ])("a refused link (%s) shows the server's words and goes to the root", async (code, text) => {
    server.answers['customer-no-login'] = () => problem(422, code);
    show();
    await screen.findByText(text);
    screen.getByText('Error al activar el cliente');
    fireEvent.click(screen.getByRole('button', { name: 'Aceptar' }));
    await screen.findByText('at /');
  });

  it('data that could not be loaded leads to the customers', async () => {
    server.answers['customer-no-login'] = () => problem(404, 'COMPANY_NOT_FOUND');
    show();
    await screen.findByText('La empresa no existe o no está a su alcance.');
    screen.getByText('Error al activar el cliente');
    press('Aceptar');
    await screen.findByText('at /customers');
  });

  it.each([['4'], ['9'], ['nonsense']])('type %s is not that company', async (type) => {
    show(type);
    await screen.findByText('Error al activar el cliente');
    expect(screen.queryByRole('button', { name: /^Activar/ })).toBeNull();
  });

  it("shows the server's words when the activation fails, and stays", async () => {
    server.answers['activate-customer'] = () => problem(422, 'TOKEN_USED');
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Activar cliente' }));
    await screen.findByText('El enlace ya se ha utilizado.');
    screen.getByText('B64717838');
    expect(server.to('activation-ok-email')).toEqual([]);
  });
});
