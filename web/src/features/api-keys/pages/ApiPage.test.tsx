import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { ApiPage } from './ApiPage';

beforeAll(() => useTexts());

const key = (id: string) => ({
  _id: id,
  prefix: `atl_${id}`,
  createdAt: '2026-11-20T10:00:00Z',
  lastUsedAt: null,
  createdBy: { _id: 'u1', name: 'Nuria' },
});
let server: ReturnType<typeof fakeServer>;
let keys: ReturnType<typeof key>[];

async function show(role: number) {
  const token = tokenWith({ role, exp: Math.floor(Date.now() / 1000) + 3600 });
  await session.save(token, { ...nuria, role }, []);
  return showPage(ApiPage, '/api', '/api');
}

beforeEach(() => {
  server = fakeServer();
  keys = [];
  server.answers['get-apiKey'] = () => Response.json({ apiKeys: keys });
  server.answers['generate-apiKey'] = () => {
    keys = [...keys, key(`k${keys.length}`)];
    return Response.json({ apiKey: 'atl_secret', key: keys.at(-1) });
  };
  server.answers['revoke-apiKey'] = () => {
    keys = keys.slice(1);
    return new Response(null, { status: 204 });
  };
});

it('shows a key once, and offers no third', async () => {
  keys = [key('old')];
  await show(2);
  await screen.findByText('atl_old…');
  press('Generar clave');
  expect((await screen.findByTestId('new-key')).textContent).toBe('atl_secret');
  press('Ya la he guardado');
  await waitFor(() => expect(screen.queryByText('atl_secret')).toBeNull());
  await screen.findByText('atl_k1…');
  expect(screen.getByRole('button', { name: 'Generar clave' })).toHaveProperty('disabled', true);
  expect(screen.getByText(/Hay dos claves activas/)).toBeTruthy();
});

it('asks before it revokes', async () => {
  keys = [key('old')];
  await show(2);
  await screen.findByText('atl_old…');
  press('Revocar');
  await screen.findByText('¿Revocar la clave atl_old…?');
  expect(server.to('revoke-apiKey')).toEqual([]);
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revocar' }));
  await screen.findByText('Todavía no hay ninguna clave');
  expect(server.to('revoke-apiKey')[0]?.path).toBe('/api/v1/revoke-apiKey/old');
});

it('says why a key could not be made', async () => {
  server.answers['generate-apiKey'] = () => problem(409, 'API_KEY_LIMIT');
  await show(2);
  await screen.findByText('Todavía no hay ninguna clave');
  press('Generar clave');
  await screen.findByText('No se ha podido generar la clave');
});

it('lets an administrator choose the customer first', async () => {
  server.answers.customers = () => Response.json({ customers: [{ _id: 'c9', company: 'Peritos Nueve' }], total: 1 });
  await show(1);
  await screen.findByText('Elija un cliente');
  expect(server.to('get-apiKey')).toEqual([]);
  fireEvent.click(screen.getByPlaceholderText('Cliente'));
  fireEvent.click(await screen.findByText('Peritos Nueve'));
  await screen.findByText('Todavía no hay ninguna clave');
  expect(server.to('get-apiKey')[0]?.path).toBe('/api/v1/get-apiKey?customerId=c9');
});
