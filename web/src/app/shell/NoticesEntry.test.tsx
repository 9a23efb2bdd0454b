import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { NotificationCentre } from '@/features/notifications/components/NotificationCentre';
import { session } from '@/shared/session';
import { liveSocket, socketEvents } from '@/shared/socket';
import { sockets } from '@/test/fake-socket';
import { fakeServer, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { MenuButton } from './MenuButton';
import { NoticesEntry } from './NoticesEntry';

vi.mock('socket.io-client', () => import('@/test/fake-socket'));

beforeAll(() => useTexts());

let server: ReturnType<typeof fakeServer>;
let stop: () => void;
const followed = vi.fn();
const menu = vi.fn();

beforeEach(async () => {
  followed.mockClear();
  menu.mockClear();
  server = fakeServer();
  server.answers['notifications/get-number-notifications'] = () => Response.json({ numberNewNotifications: 120 });
  server.answers['notifications/get-by-user'] = () =>
    Response.json({
      notificationsByUser: { generalNotifications: [], personalNotifications: [] },
      getNotificationTextByLanguage: [],
    });
  server.answers['socket-user/'] = () => Response.json({});
  sockets.length = 0;
  await session.save(tokenWith({ exp: Math.floor(Date.now() / 1000) + 3600 }), nuria, []);
  stop = liveSocket.start('u1');
  await waitFor(() => expect(sockets).toHaveLength(1));
});
afterEach(() => stop());

function Page() {
  return (
    <NotificationCentre>
      <MenuButton onOpen={menu} />
      <NoticesEntry onFollow={followed} />
    </NotificationCentre>
  );
}

it('counts in the mobile navbar what the bell would, 99 at most, and opens the same panel', async () => {
  showPage(Page, '/', '/');
  const entry = await screen.findByRole('button', { name: 'Notificaciones 120 sin leer' });
  expect(within(entry).getByText('99')).toBeTruthy();
  fireEvent.click(entry);
  expect(followed).toHaveBeenCalledOnce();
  await screen.findByRole('dialog', { name: 'Notificaciones' });
});

it('says on the button of the navbar that something is unread, also what has just arrived', async () => {
  server.answers['notifications/get-number-notifications'] = () => Response.json({ numberNewNotifications: 0 });
  showPage(Page, '/', '/');
  await screen.findByRole('button', { name: 'Abrir menú' });
  act(() => sockets[0]?.accept());
  server.answers['notifications/get-number-notifications'] = () => Response.json({ numberNewNotifications: 1 });
  act(() => sockets[0]?.emit(socketEvents.personalNotification('u1'), { _id: 'p9' }));
  fireEvent.click(await screen.findByRole('button', { name: /^Abrir menú\. 1 sin leer/ }));
  expect(menu).toHaveBeenCalledOnce();
});
