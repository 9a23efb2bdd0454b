import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, problem, showPage } from '@/test/pages';
import { seriousFindings } from '@/test/render';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { SetupBar } from '../components/SetupBar';
import { SetupPage } from './SetupPage';

const item = (key: string, part: object = {}) => ({ key, ready: false, value: null, held: null, ...part });
const items = [
  item('sms', { held: 3 }),
  item('email', { ready: true, value: 'smtp' }),
  item('mailbox', { value: 'admin@localhost', source: 'setting' }),
  item('address', { value: 'http://localhost:8080' }),
  item('backup', { ready: true, value: '2026-11-22T09:00:00Z' }),
  item('legalTexts'),
  item('legalPages'),
  item('of_tomorrow'),
];
let server: ReturnType<typeof fakeServer>;

beforeAll(() => useTexts());
beforeEach(async () => {
  window.sessionStorage.clear();
  server = fakeServer();
  server.answers.setup = () => Response.json({ items, missing: 5 });
  const exp = Math.floor(Date.now() / 1000) + 3600;
  await session.save(tokenWith({ role: 1, exp }), { ...nuria, role: 1 }, []);
});

const row = async (name: string) => within((await screen.findByText(name)).closest('li') as HTMLElement);

// SETUP-1, SETUP-2
it('lists what is missing, what for, how it is done, and what is held because of it', async () => {
  showPage(SetupPage, '/setup', '/setup');
  await screen.findByText('Faltan 5 cosas');
  const sms = await row('Proveedor de SMS');
  sms.getByText('Falta');
  sms.getByText(/3 mensajes retenidos/);
  sms.getByText(/ATALAYA_SMS_URL/);
  expect(sms.getByRole('link', { name: 'Ver los retenidos' }).getAttribute('href')).toBe(
    '/message-service?tab=messages&state=captured',
  );
  const mail = within(
    (await screen.findByRole('heading', { name: 'Servidor de correo' })).closest('li') as HTMLElement,
  );
  mail.getByText('Listo');
  mail.getByText('Servidor de correo', { selector: 'p' });
  expect(mail.queryByText(/ATALAYA_/)).toBeNull();
  (await row('Buzón de los administradores')).getByText(
    'Se usa el del ajuste: admin@localhost. A esa dirección no puede llegar correo.',
  );
  (await row('Copia de seguridad')).getByText(/La última, del 22 nov 2026/);
  const texts = await row('Condiciones propias');
  expect(texts.getByRole('link', { name: 'Ir a Textos legales' }).getAttribute('href')).toBe('/legals');
  expect(document.body.textContent).not.toContain('of_tomorrow');
  expect(await seriousFindings()).toEqual([]);
});

// SETUP-5
it('says whose mailbox is used, and how to use another', async () => {
  const mailbox = item('mailbox', { ready: true, value: 'nuria@peritos.es', source: 'firstAdministrator' });
  server.answers.setup = () => Response.json({ items: [mailbox], missing: 0 });
  showPage(SetupPage, '/setup', '/setup');
  const shown = await row('Buzón de los administradores');
  shown.getByText('Listo');
  shown.getByText('Se usa el correo del primer administrador: nuria@peritos.es');
  shown.getByText(/^Para usar otro/);
  shown.getByText('ATALAYA_ADMIN_MAILBOX=…');
});

it('says when nothing is missing, and when it cannot tell', async () => {
  server.answers.setup = () => Response.json({ items: [item('sms', { ready: true, value: 'twilio' })], missing: 0 });
  showPage(SetupPage, '/setup', '/setup');
  await screen.findByText('Todo listo');
});

it('offers to try again when the list cannot be had', async () => {
  server.answers.setup = () => problem(503, 'DATABASE_UNAVAILABLE');
  showPage(SetupPage, '/setup', '/setup');
  await screen.findByText('Error al consultar la puesta en marcha');
});

it('reminds the administrator over every page until dismissed', async () => {
  showPage(SetupBar, '/', '/');
  const link = await screen.findByRole('link', { name: 'Ver qué falta' });
  expect(link.getAttribute('href')).toBe('/setup');
  screen.getByText(/faltan 5 cosas/);
  fireEvent.click(screen.getByRole('button', { name: 'Descartar' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Ver qué falta' })).toBeNull());
  expect(window.sessionStorage.getItem('atalaya.setupBar')).toBe('1');
});
