import { notifications } from '@mantine/notifications';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { GeneralNotificationPage } from './GeneralNotificationPage';

beforeAll(() => useTexts());

const sent = (_id: string, state: string, part: object = {}) => ({
  _id,
  text: `Aviso ${_id}`,
  type: 0,
  targetValue: null,
  url: null,
  startAt: '2026-11-19T08:00:00Z',
  expiresAt: '2026-12-19T08:00:00Z',
  roleGroup: 3,
  state,
  readers: 17,
  ...part,
});

let server: ReturnType<typeof fakeServer>;

beforeEach(async () => {
  server = fakeServer();
  server.answers['notifications/new-general-from-admin'] = () => Response.json({}, { status: 201 });
  server.answers['notifications/general-withdraw'] = () => Response.json({});
  server.answers['notifications/preview-general'] = (body) => Response.json({ body: `<p>Revisado: ${body.body}</p>` });
  server.answers['notifications/general'] = () =>
    Response.json({ notifications: [sent('uno', 'active'), sent('dos', 'expired')], total: 2, nextCursor: null });
  await session.save(tokenWith({ role: 1, exp: Math.floor(Date.now() / 1000) + 3600 }), { ...nuria, role: 1 }, []);
  showPage(GeneralNotificationPage, '/general-notification', '/general-notification');
});
afterEach(() => notifications.clean());

const fill = (name: RegExp, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
const compose = async () => {
  await screen.findByText('Aviso uno');
  press('Nuevo aviso');
  return within(await screen.findByRole('dialog', { name: 'Nuevo aviso' }));
};

it('lists what was sent, with its state, audience, dates and readers', async () => {
  const row = within((await screen.findByText('Aviso uno')).closest('tr') as HTMLElement);
  for (const text of ['En vigor', 'Usuarios de clientes', '19/11/2026 9:00', '19/12/2026 9:00', '17'])
    expect(row.getByText(text)).toBeTruthy();
});

it('withdraws only what is or will be in force, and asks first', async () => {
  await screen.findByText('Aviso uno');
  expect(screen.getAllByRole('button', { name: 'Retirar' })).toHaveLength(1);
  press('Retirar');
  const dialog = within(await screen.findByRole('dialog', { name: '¿Retirar este aviso?' }));
  expect(server.to('notifications/general-withdraw')).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Retirar' }));
  await screen.findByText('Aviso retirado');
  expect(server.to('notifications/general-withdraw/uno')).toHaveLength(1);
});

it('sends nothing while something is missing', async () => {
  const dialog = await compose();
  fill(/^Enlace/, 'javascript:alert(1)');
  fireEvent.click(dialog.getByRole('button', { name: 'Publicar aviso' }));
  await dialog.findByText('Escriba el texto');
  await dialog.findByText('Escriba una dirección que empiece por https:// o por /');
  expect(server.to('notifications/new-general')).toEqual([]);
});

it('shows how it will look, as the server lets it through', async () => {
  const dialog = await compose();
  fill(/^Texto/, 'Mantenimiento');
  fill(/^Contenido/, 'Sin servicio');
  await dialog.findByText('Revisado:', { exact: false });
  expect(server.to('notifications/preview-general')[0]?.body).toEqual({ body: '<p>Sin servicio</p>' });
});

it('keeps what was typed when the server refuses, then sends it', async () => {
  const works = server.answers['notifications/new-general-from-admin'];
  server.answers['notifications/new-general-from-admin'] = () =>
    problem(422, 'INVALID_FIELDS', [{ field: 'url', code: 'URL_INVALID', message: 'Esa dirección no' }]);
  let dialog = await compose();
  fill(/^Texto/, ' Mantenimiento ');
  fill(/^Enlace/, 'https://estado.example.es');
  fireEvent.click(dialog.getByRole('button', { name: 'Publicar aviso' }));
  await dialog.findByText('Esa dirección no');
  // A dialog closed by mistake loses nothing.
  fireEvent.click(dialog.getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  dialog = await compose();
  if (works) server.answers['notifications/new-general-from-admin'] = works;
  fill(/^Enlace/, '/statistics');
  fireEvent.click(dialog.getByRole('button', { name: 'Publicar aviso' }));
  await screen.findByText('Aviso publicado');
  expect(server.to('notifications/new-general').at(-1)?.body).toMatchObject({
    text: 'Mantenimiento',
    url: '/statistics',
    startAt: null,
    roleGroup: 0,
    body: null,
  });
  // The next one starts empty.
  dialog = await compose();
  expect((screen.getByRole('textbox', { name: /^Texto/ }) as HTMLTextAreaElement).value).toBe('');
});
