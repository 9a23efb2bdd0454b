import { screen } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { UserNamePage } from './UserNamePage';

beforeAll(() => useTexts());

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  server = fakeServer();
});

const show = () => showPage(UserNamePage, '/user-name/$token', '/user-name/abc');

it('confirms by a press, and says that the other mailbox is still missing', async () => {
  server.answers['user-name-confirm'] = () => Response.json({ done: false, userName: 'ana@example.es' });
  show();
  await screen.findByRole('button', { name: 'Confirmar el cambio' });
  expect(screen.getByRole('img', { name: 'Atalaya' }), 'the brand').toBeTruthy();
  expect(server.calls).toEqual([]);
  press('Confirmar el cambio');
  await screen.findByText('Falta el otro buzón');
  expect(server.to('user-name-confirm')[0]?.body).toEqual({ token: 'abc' });
});

it('says the new name once both have confirmed', async () => {
  server.answers['user-name-confirm'] = () => Response.json({ done: true, userName: 'ana@example.es' });
  show();
  await screen.findByRole('button', { name: 'Confirmar el cambio' });
  press('Confirmar el cambio');
  await screen.findByText('Desde ahora se entra con ana@example.es.');
});

it('says that a link is over', async () => {
  server.answers['user-name-confirm'] = () => problem(422, 'TOKEN_EXPIRED');
  show();
  await screen.findByRole('button', { name: 'Confirmar el cambio' });
  press('Confirmar el cambio');
  await screen.findByText('El enlace no es válido o ha caducado');
});
