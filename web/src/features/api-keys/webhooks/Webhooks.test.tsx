import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, type } from '@/test/pages';
import { Providers, queryClient } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { Webhooks } from './Webhooks';

beforeAll(() => useTexts());

const EVENTS = ['conference.opened', 'media.added', 'something.new'];
const hook = (more: object = {}) => ({
  _id: 'h1',
  url: 'https://sistema.example.es/avisos',
  events: ['conference.opened'],
  createdAt: '2026-11-20T10:00:00Z',
  lastDeliveredAt: null,
  failures: 0,
  failingSince: null,
  disabledAt: null,
  ...more,
});
const delivery = (more: object = {}) => ({
  _id: 'd1',
  event: 'webhook.test',
  createdAt: '2026-11-21T10:00:00Z',
  state: 'queued',
  attempts: 0,
  status: null,
  error: null,
  ...more,
});

let server: ReturnType<typeof fakeServer>;
let hooks: object[];
let deliveries: object[];

beforeEach(async () => {
  queryClient.clear();
  await session.save(tokenWith({ role: 2, exp: Math.floor(Date.now() / 1000) + 3600 }), { ...nuria, role: 2 }, []);
  server = fakeServer();
  hooks = [];
  deliveries = [];
  // The longer names first: the fake server takes the first that fits.
  server.answers['webhooks/h1/deliveries'] = () =>
    Response.json({ deliveries, total: deliveries.length, page: 1, pages: 1 });
  server.answers['webhooks/h1/test'] = () => Response.json({ delivery: delivery() });
  server.answers['webhooks/h1/replay'] = () => Response.json({ replayed: 3 });
  server.answers['webhooks/h1'] = () => {
    hooks = [];
    return new Response(null, { status: 204 });
  };
  server.answers.webhooks = () => Response.json({ webhooks: hooks, events: EVENTS });
});

const show = () =>
  render(
    <Providers env="test">
      <Webhooks customerId={null} />
    </Providers>,
  );
const last = (name: string) => server.to(name).at(-1);

it('says what webhooks are for when there is none', async () => {
  show();
  await screen.findByText('Todavía no se avisa a ninguna dirección');
});

it('adds an address, puts refusals at the field and shows the secret once', async () => {
  show();
  await screen.findByText('Todavía no se avisa a ninguna dirección');
  press('Añadir webhook');
  const dialog = within(await screen.findByRole('dialog'));
  const send = () => fireEvent.click(dialog.getByRole('button', { name: 'Añadir webhook' }));
  type(/^Dirección/, 'http://sistema.example.es');
  send();
  await dialog.findByText(/Indique una dirección https/);
  expect(server.calls.filter(({ method }) => method === 'POST')).toEqual([]);

  const list = server.answers.webhooks as () => Response;
  let added = 0;
  server.answers.webhooks = (body) => {
    if (!('url' in body)) return list();
    added += 1;
    if (added === 1) return problem(422, 'INVALID_FIELDS', [{ field: 'url', code: 'WEBHOOK_ADDRESS', message: '' }]);
    hooks = [hook()];
    return Response.json({ webhook: hook(), secret: 'whsec_abc' }, { status: 201 });
  };
  type(/^Dirección/, 'https://10.0.0.1/');
  send();
  await dialog.findByText(/No se admiten direcciones internas/);
  type(/^Dirección/, 'https://sistema.example.es/avisos');
  // One that the bundle has no word for is shown by its name.
  fireEvent.click(dialog.getByRole('checkbox', { name: 'something.new' }));
  send();
  expect((await screen.findByTestId('new-secret')).textContent).toBe('whsec_abc');
  const sent = server.to('webhooks').findLast(({ method }) => method === 'POST');
  expect(sent?.body).toEqual({ url: 'https://sistema.example.es/avisos', events: EVENTS.slice(0, 2) });
  press('Ya la he guardado');
  await waitFor(() => expect(screen.queryByText('whsec_abc')).toBeNull());
  await screen.findByText('https://sistema.example.es/avisos');
});

it('tells plainly that a trial did not arrive', async () => {
  hooks = [hook()];
  show();
  fireEvent.click(await screen.findByText('https://sistema.example.es/avisos'));
  await screen.findByText('No se le ha enviado nada en los últimos 30 días.');
  deliveries = [delivery({ attempts: 1, error: 'UNREACHABLE', nextAttemptAt: '2026-11-21T10:00:10Z' })];
  press('Enviar una prueba');
  await screen.findByText('La prueba no ha llegado');
  expect(screen.getAllByText(/No se ha podido conectar con la dirección/).length).toBeGreaterThan(0);
  deliveries = [delivery({ state: 'delivered', attempts: 2, status: 204 })];
  press('Enviar una prueba');
  await screen.findByText('La prueba ha llegado');
  expect(screen.getByText('Entregado')).toBeTruthy();
});

it('sends again from a delivery on', async () => {
  hooks = [hook({ disabledAt: '2026-11-22T10:00:00Z' })];
  deliveries = [delivery({ event: 'media.added', state: 'failed', attempts: 32, status: 500, error: 'STATUS' })];
  show();
  fireEvent.click(await screen.findByText('https://sistema.example.es/avisos'));
  await screen.findByText('Ha respondido 500, y se espera un 2xx', { exact: false });
  await screen.findByText(/no ha aceptado nada en 24 horas/);
  press('Volver a enviar desde aquí');
  await screen.findByText('3 avisos se enviarán otra vez');
  expect(last('webhooks/h1/replay')?.body).toEqual({ from: '2026-11-21T10:00:00Z' });
});

it('changes address and events in the drawer, with refusals at the field', async () => {
  hooks = [hook()];
  show();
  fireEvent.click(await screen.findByText('https://sistema.example.es/avisos'));
  await screen.findByText('Enviar una prueba');
  press('Modificar');
  await screen.findByText(/El secreto no cambia/);
  const kept = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Videollamada abierta' });
  expect(kept.checked).toBe(true);
  type(/^Dirección/, 'https://10.0.0.1/');
  server.answers['webhooks/h1'] = () =>
    problem(422, 'INVALID_FIELDS', [{ field: 'url', code: 'WEBHOOK_ADDRESS', message: '' }]);
  press('Guardar');
  await screen.findByText(/No se admiten direcciones internas/);
  type(/^Dirección/, 'https://otro.example.es/avisos');
  fireEvent.click(screen.getByRole('checkbox', { name: 'something.new' }));
  server.answers['webhooks/h1'] = () => {
    hooks = [hook({ url: 'https://otro.example.es/avisos' })];
    return Response.json({ webhook: hooks[0] });
  };
  press('Guardar');
  await screen.findByText('Webhook modificado');
  await screen.findByText('Enviar una prueba');
  const sent = server.to('webhooks/h1').findLast(({ method }) => method === 'PUT');
  expect(sent?.body).toEqual({
    url: 'https://otro.example.es/avisos',
    events: ['conference.opened', 'something.new'],
  });
});

it('removes only after asking', async () => {
  hooks = [hook()];
  show();
  fireEvent.click(await screen.findByText('https://sistema.example.es/avisos'));
  await screen.findByText('Enviar una prueba');
  press('Eliminar');
  await screen.findByText('¿Eliminar este webhook?');
  expect(server.calls.some(({ method }) => method === 'DELETE')).toBe(false);
  press('Eliminar');
  await screen.findByText('Todavía no se avisa a ninguna dirección');
  expect(last('webhooks/h1')?.method).toBe('DELETE');
});
