import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { Shell } from '@/app/shell/Shell';
import { session } from '@/shared/session';
import { sockets } from '@/test/fake-socket';
import { fakeServer, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';

vi.mock('socket.io-client', () => import('@/test/fake-socket'));
beforeAll(() => useTexts());

it('says in sidebar and header that menu and user could not be retrieved, until they are', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const server = fakeServer();
  let works = false;
  const user = { ...nuria, role: 2 };
  server.answers.me = () => (works ? Response.json({ user, menu: [] }) : problem(500, 'INTERNAL'));
  await session.save(tokenWith({ role: 2, exp: Math.floor(Date.now() / 1000) + 3600 }), user, []);
  showPage(Shell, '/users/c1', '/users/c1');
  await waitFor(() => expect(sockets.length).toBeGreaterThan(0));
  sockets.at(-1)?.accept();
  await screen.findByText('No se ha podido recuperar el menú');
  expect(screen.getByText('No se han podido recuperar los datos de su cuenta')).toBeTruthy();
  works = true;
  fireEvent.click(screen.getByRole('button', { name: 'Reintentar' }));
  await waitFor(() => expect(screen.queryByText('No se ha podido recuperar el menú')).toBeNull());
  expect(screen.queryByText('No se han podido recuperar los datos de su cuenta')).toBeNull();
});
