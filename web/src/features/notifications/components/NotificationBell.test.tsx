import { notifications } from '@mantine/notifications';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { keepModalsOf, useOpenModals } from '@/shared/lib/modals';
import { notificationsMuted } from '@/shared/lib/sounds';
import { session } from '@/shared/session';
import { liveSocket } from '@/shared/socket';
import { sockets } from '@/test/fake-socket';
import { fakeServer, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import type { WireNotice } from '../model';
import { NotificationBell } from './NotificationBell';
import { NotificationCentre } from './NotificationCentre';

vi.mock('socket.io-client', () => import('@/test/fake-socket'));

beforeAll(() => useTexts());

const wire = (_id: string, part: Partial<WireNotice> = {}): WireNotice => ({
  _id,
  readed: false,
  notificationTextId: null,
  text: `Texto ${_id}`,
  updatedAt: null,
  startAt: '2026-11-19T17:12:00Z',
  type: 0,
  targetValue: null,
  url: null,
  ...part,
});

let server: ReturnType<typeof fakeServer>;
let general: WireNotice[];
let personal: WireNotice[];
let count: number;
let stop: () => void;

/** What the app shell does with dialogs by id. */
function Page() {
  const open = useOpenModals();
  return (
    <>
      <NotificationCentre>
        <NotificationBell />
      </NotificationCentre>
      {open.map(({ key, id, input }) => (
        <p key={key}>
          {id} {'conferenceId' in input && input.conferenceId}
        </p>
      ))}
    </>
  );
}

beforeEach(async () => {
  server = fakeServer();
  general = [];
  personal = [wire('p1'), wire('p2', { expedientNumber: '2026-1', startAt: '2026-11-19T08:00:00Z' })];
  count = 2;
  server.answers['notifications/get-number-notifications'] = () => Response.json({ numberNewNotifications: count });
  server.answers['notifications/get-by-user'] = () =>
    Response.json({
      notificationsByUser: { generalNotifications: general, personalNotifications: personal },
      getNotificationTextByLanguage: [],
    });
  server.answers['notifications/mark-as-'] = () => Response.json({ numberNewNotifications: 0 });
  server.answers['socket-user/'] = () => Response.json({});
  sockets.length = 0;
  await session.save(tokenWith({ exp: Math.floor(Date.now() / 1000) + 3600 }), nuria, []);
  stop = liveSocket.start('u1');
  await waitFor(() => expect(sockets).toHaveLength(1));
});
afterEach(() => {
  stop();
  keepModalsOf('');
  notifications.clean();
  vi.restoreAllMocks();
});

const show = () => showPage(Page, '/', '/');
const bell = (name: string | RegExp) => screen.findByRole('button', { name });
const open = async () => {
  fireEvent.click(await bell(/^Notificaciones, /));
  return within(await screen.findByRole('dialog', { name: 'Notificaciones' }));
};
const box = (text: string) => screen.findByRole('checkbox', { name: `Marcar como leída: ${text}` });

it('shows the number of unseen ones, 99 at most, and none at none', async () => {
  count = 120;
  show();
  expect((await bell('Notificaciones, 120 sin leer')).textContent).toBe('99');
  count = 0;
  act(() => sockets[0]?.accept());
  // Counted again after a connection: what happened meanwhile was missed.
  expect((await bell('Notificaciones')).textContent).toBe('');
});

it('lists general and personal ones, newest first, with date and case number', async () => {
  general = [wire('g1', { startAt: '2026-11-19T10:00:00Z' })];
  show();
  const panel = await open();
  const rows = await panel.findAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'Texto p1Aviso19/11/2026 18:12',
    'Texto g1Aviso general19/11/2026 11:00',
    'Texto p2 2026-1Aviso19/11/2026 9:00',
  ]);
});

it('marks read and unread by the box, and takes both back when the server refuses', async () => {
  show();
  await open();
  fireEvent.click(await box('Texto p1'));
  await bell('Notificaciones, 1 sin leer');
  expect(server.to('notifications/mark-as-seen-personal/p1')).toHaveLength(1);
  await waitFor(async () => expect(((await box('Texto p1')) as HTMLInputElement).checked).toBe(true));

  server.answers['notifications/mark-as-'] = () => problem(503, 'DOWN');
  fireEvent.click(await box('Texto p2 2026-1'));
  await bell('Notificaciones');
  await screen.findByText('La notificación no se ha podido cambiar');
  await bell('Notificaciones, 1 sin leer');
  expect(((await box('Texto p2 2026-1')) as HTMLInputElement).checked).toBe(false);

  fireEvent.click(await box('Texto p1'));
  await waitFor(() => expect(server.to('notifications/mark-as-unseen-personal/p1')).toHaveLength(1));
  await waitFor(async () => expect(((await box('Texto p1')) as HTMLInputElement).checked).toBe(true));
  await bell('Notificaciones, 1 sin leer');
});

it('runs the action even when the mark fails, and does not mark what is read', async () => {
  personal = [wire('p1', { type: 1, targetValue: 'c9' }), wire('p2', { readed: true })];
  server.answers['notifications/mark-as-'] = () => problem(503, 'DOWN');
  show();
  const panel = await open();
  fireEvent.click(await panel.findByText('Texto p2'));
  await screen.findByRole('button', { name: 'Aceptar' });
  expect(server.to('notifications/mark-as-')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Aceptar' }));
  fireEvent.click(panel.getByText('Texto p1'));
  await screen.findByText('conference-media c9');
  expect(server.to('notifications/mark-as-seen-personal/p1')).toHaveLength(1);
});

it('shows the html of a notice without anything that runs', async () => {
  const targetValue =
    '<p onclick="x()">Hola <b>todos</b></p><script>alert(1)</script><a href="javascript:x()">malo</a>';
  general = [wire('g1', { type: 3, targetValue, url: 'https://example.es' })];
  show();
  const panel = await open();
  fireEvent.click(await panel.findByText('Texto g1'));
  const dialog = await screen.findByRole('dialog', { name: 'Texto g1' });
  expect(dialog.querySelector('p')?.outerHTML).toBe('<p>Hola <b>todos</b></p>');
  expect(dialog.innerHTML).not.toMatch(/script|onclick/);
  expect(within(dialog).getByText('malo').getAttribute('href')).toBeNull();
  expect(within(dialog).getByRole('link', { name: 'Abrir el enlace' }).getAttribute('href')).toBe('https://example.es');
});

it('opens an address with a dot in a new tab, any other inside', async () => {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  personal = [wire('p1', { type: 2, targetValue: 'example.es/a' }), wire('p2', { type: 2, targetValue: '/customers' })];
  const { where } = show();
  const panel = await open();
  fireEvent.click(await panel.findByText('Texto p1'));
  expect(opened).toHaveBeenCalledWith('https://example.es/a', '_blank', 'noopener,noreferrer');
  fireEvent.click(panel.getByText('Texto p2'));
  await waitFor(() => expect(where()).toBe('/customers'));
});

it('marks all; a failure says so and brings the unread ones back', async () => {
  server.answers['notifications/mark-as-'] = () => problem(500, 'DOWN');
  show();
  const panel = await open();
  fireEvent.click(await panel.findByRole('button', { name: 'Marcar todas como leídas' }));
  await screen.findByText('Se ha producido un error');
  expect(((await box('Texto p1')) as HTMLInputElement).checked).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Aceptar' }));
  server.answers['notifications/mark-as-'] = () => Response.json({ numberNewNotifications: 0 });
  fireEvent.click(panel.getByRole('button', { name: 'Marcar todas como leídas' }));
  await bell('Notificaciones');
  expect(((await box('Texto p1')) as HTMLInputElement).checked).toBe(true);
  expect(server.to('notifications/mark-as-seen-all')).toHaveLength(2);
});

it('says when they cannot be loaded, in a dialog and in the panel, and loads afresh each time', async () => {
  const works = server.answers['notifications/get-by-user'];
  server.answers['notifications/get-by-user'] = () => problem(503, 'DOWN');
  show();
  const panel = await open();
  await panel.findByText('Error al cargar las notificaciones');
  await screen.findByText('Se ha producido un error');
  fireEvent.click(screen.getByRole('button', { name: 'Aceptar' }));
  if (works) server.answers['notifications/get-by-user'] = works;
  fireEvent.click(panel.getByRole('button', { name: 'Reintentar' }));
  await panel.findByText('Texto p1');
  fireEvent.click(panel.getByRole('button', { name: 'Cerrar' }));
  await waitFor(() => expect(screen.queryByText('Texto p1')).toBeNull());
  personal = [];
  const again = await open();
  await again.findByText('No hay notificaciones');
  expect(again.queryByRole('button', { name: 'Marcar todas como leídas' })).toBeNull();
});

it('pages by nine, and goes to a typed page', async () => {
  personal = Array.from({ length: 64 }, (_, i) => wire(`n${i}`, { startAt: new Date(1.7e12 - i * 1e7).toISOString() }));
  show();
  const panel = await open();
  await panel.findByText('Texto n0');
  expect(panel.getAllByRole('listitem')).toHaveLength(9);
  expect(panel.getByRole('navigation', { name: 'Páginas' }).textContent).toBe('123…8');
  const goto = panel.getByLabelText('Ir a la página');
  fireEvent.change(goto, { target: { value: '9' } });
  fireEvent.submit(goto);
  expect(panel.getByText('Texto n0')).toBeTruthy();
  fireEvent.change(goto, { target: { value: '8' } });
  fireEvent.submit(goto);
  await panel.findByText('Texto n63');
  expect(panel.getByRole('navigation', { name: 'Páginas' }).textContent).toBe('1…678');
});

it('hears of new ones: shake of a second, one more, a toast with the text, each id once', async () => {
  show();
  await bell('Notificaciones, 2 sin leer');
  personal = [wire('p3', { text: 'Han llegado fotos.', expedientNumber: '2026-7' }), ...personal];
  act(() => sockets[0]?.emit('newPersonalNotification_u1', { _id: 'p3' }));
  act(() => sockets[0]?.emit('newPersonalNotification_u1', { _id: 'p3' }));
  act(() => sockets[0]?.emit('newPersonalNotification_u2', { _id: 'p4' }));
  act(() => sockets[0]?.emit('newPersonalNotification_u1', null));
  const button = await bell('Notificaciones, 3 sin leer');
  expect(button.dataset.shaking).toBe('true');
  await screen.findByText('Han llegado fotos. 2026-7');
  expect(screen.getAllByText('Nueva notificación')).toHaveLength(1);
  await waitFor(() => expect(button.dataset.shaking).toBeUndefined(), { timeout: 2000 });
  fireEvent.click(screen.getByRole('button', { name: 'Abrir' }));
  await waitFor(() => expect(server.to('notifications/mark-as-seen-personal/p3')).toHaveLength(1));
  await bell('Notificaciones, 2 sin leer');
  act(() => sockets[0]?.emit('newGeneralNotification', { _id: 'g1' }));
  await bell('Notificaciones, 3 sin leer');
});

it('mutes and unmutes, and remembers it', async () => {
  show();
  const panel = await open();
  fireEvent.click(await panel.findByRole('button', { name: 'Silenciar' }));
  expect(window.localStorage.getItem('muteNotifications')).toBe('true');
  expect(notificationsMuted()).toBe(true);
  fireEvent.click(panel.getByRole('button', { name: 'Activar sonido' }));
  expect(notificationsMuted()).toBe(false);
});
