import { notifications } from '@mantine/notifications';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ListedUser } from '@/features/users/api';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { UsersPage } from './UsersPage';

beforeAll(() => useTexts());

const ana: ListedUser = {
  ...nuria,
  _id: 'u2',
  role: 3,
  name: 'Ana',
  surname: 'Ruiz',
  userName: 'ana@example.es',
  email: 'ana@example.es',
  has2fa: true,
  lastLogin: null,
  createdAt: '2026-11-01T10:00:00Z',
};
let server: ReturnType<typeof fakeServer>;
let users: ListedUser[];

beforeEach(async () => {
  notifications.clean();
  server = fakeServer();
  users = [ana];
  server.answers['users/c1'] = () => Response.json({ users, total: users.length, nextCursor: null });
  server.answers.user = (body) => {
    users = users.map((user) => ({ ...user, ...(body.user as object) }));
    return Response.json({ user: users[0] });
  };
  server.answers.disable2fa = () => new Response(null, { status: 204 });
  await session.save(tokenWith({ role: 2, exp: Math.floor(Date.now() / 1000) + 3600 }), nuria, []);
  showPage(UsersPage, '/users/$parent', '/users/c1');
  await screen.findByText('Ana Ruiz');
});

it('deactivates only after asking', async () => {
  press('Desactivar');
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('¿Desactivar a Ana Ruiz?');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.to('user').filter(({ method }) => method === 'PUT')).toEqual([]);
  press('Desactivar');
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Desactivar' }));
  await screen.findByText('Usuario desactivado');
  const [put] = server.to('user').filter(({ method }) => method === 'PUT');
  expect(put?.body).toEqual({ user: { _id: 'u2', status: 1 } });
  expect(await screen.findByRole('button', { name: 'Activar' })).toBeTruthy();
});

it('keeps what was typed beside what the server refused', async () => {
  server.answers.user = () =>
    problem(422, 'INVALID_FIELDS', [
      { field: 'surname', code: 'INVALID', message: 'Contiene caracteres no permitidos' },
    ]);
  press('Editar usuario');
  const drawer = await screen.findByRole('dialog', { name: 'Editar usuario' });
  fireEvent.change(within(drawer).getByLabelText('Apellidos'), { target: { value: 'Ferrer' } });
  fireEvent.click(within(drawer).getByRole('button', { name: 'Guardar' }));
  await within(drawer).findByText('Contiene caracteres no permitidos');
  expect(within(drawer).getByLabelText<HTMLInputElement>('Apellidos').value).toBe('Ferrer');
});

it('resets the second factor of a member', async () => {
  press('Editar usuario');
  const drawer = await screen.findByRole('dialog', { name: 'Editar usuario' });
  fireEvent.click(within(drawer).getByRole('button', { name: 'Restablecer la verificación en dos pasos' }));
  const ask = await screen.findByText(/Podrá entrar solo con su contraseña/);
  const dialog = ask.closest('[role="dialog"]');
  if (!(dialog instanceof HTMLElement)) throw new Error('a dialog asks');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Restablecer la verificación en dos pasos' }));
  await screen.findByText('Verificación en dos pasos restablecida');
  expect(server.to('disable2fa')[0]?.body).toEqual({ userId: 'u2' });
});

const save = async (change: (drawer: ReturnType<typeof within>) => void) => {
  press('Editar usuario');
  const drawer = within(await screen.findByRole('dialog', { name: 'Editar usuario' }));
  change(drawer);
  fireEvent.click(drawer.getByRole('button', { name: 'Guardar' }));
};
const write = (value: string) => (drawer: ReturnType<typeof within>) =>
  fireEvent.change(drawer.getByLabelText('Correo electrónico'), { target: { value } });

// USER-5
it('says that another log-in name waits for both mailboxes', async () => {
  server.answers.user = () => Response.json({ user: ana, pendingUserName: 'nueva@example.es' });
  await save((drawer) => {
    drawer.getByText(/se confirma desde el anterior y desde el nuevo/);
    write('nueva@example.es')(drawer);
  });
  await screen.findByText('Confirme el cambio de usuario');
  screen.getByText(/un enlace a ana@example\.es y otro a nueva@example\.es/);
  expect(screen.queryByText('Cambios guardados')).toBeNull();
});

it('says nothing of mailboxes when the name stays', async () => {
  await save(write('ana@example.es'));
  await screen.findByText('Cambios guardados');
  expect(screen.queryByText('Confirme el cambio de usuario')).toBeNull();
});

// USER-5
it("tells an administrator that somebody else's name changes at once", async () => {
  await act(async () => {
    await session.save(tokenWith({ role: 1, exp: Math.floor(Date.now() / 1000) + 3600 }), { ...nuria, role: 1 }, []);
  });
  press('Editar usuario');
  const drawer = within(await screen.findByRole('dialog', { name: 'Editar usuario' }));
  drawer.getByText(/si lo cambia usted, vale en cuanto guarda/);
});

it('lets somebody with the support flag correct a colleague, without role or status', async () => {
  await act(async () => {
    const support = { ...nuria, role: 3, support: true };
    await session.save(tokenWith({ role: 3, exp: Math.floor(Date.now() / 1000) + 3600 }), support, []);
  });
  await save((drawer) => {
    expect(drawer.queryByRole('combobox', { name: 'Perfil' })).toBeNull();
    expect(drawer.queryByRole('combobox', { name: 'Estado' })).toBeNull();
    fireEvent.change(drawer.getByLabelText('Apellidos'), { target: { value: 'Ferrer' } });
  });
  await screen.findByText('Cambios guardados');
  const [put] = server.to('user').filter(({ method }) => method === 'PUT');
  expect(Object.keys(put?.body.user ?? {}).sort()).toEqual(['_id', 'email', 'language', 'name', 'phone', 'surname']);
});
