import { notifications } from '@mantine/notifications';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { setViewport } from '@/test/render';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { detail, incidence } from '../testing';
import type { IncidenceDetail } from '../types';
import { IncidencesPage } from './IncidencesPage';

beforeAll(() => useTexts());

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  setViewport(1440, 900);
  server = fakeServer();
  server.answers['incidences/u1'] = () =>
    Response.json({
      incidences: [incidence(), incidence({ _id: 'i2', number: 'INC-000011', status: 4 })],
      total: 2,
      page: 1,
      pages: 1,
    });
  server.answers['logs/i1'] = () =>
    Response.json({
      logs: [
        {
          _id: 'l1',
          at: '2026-11-22T09:00:00Z',
          actor: { _id: 'u3', name: 'Nuria Ferrer', role: 3 },
          action: 'created',
          to: 1,
        },
        {
          _id: 'l2',
          at: '2026-11-22T09:10:00Z',
          actor: { _id: 'u1', name: 'Ada', role: 1 },
          action: 'status',
          from: 1,
          to: 2,
        },
      ],
    });
});
afterEach(() => notifications.clean());

const open = async (role: number, shown: Partial<IncidenceDetail> = {}, href = '/incidences/u1?incidence=i1') => {
  server.answers['incidence/i1'] = () => Response.json({ incidence: detail(shown) });
  server.answers.incidence = (body) =>
    Response.json({ incidence: detail({ ...shown, ...(body.incidence as object) }) });
  await session.save(tokenWith({ role, exp: Math.floor(Date.now() / 1000) + 3600 }), { ...nuria, role }, []);
  return showPage(IncidencesPage, '/incidences/$id', href);
};
const drawer = async () => within(await screen.findByRole('dialog', { name: 'Incidencia' }));

it('lists incidences with number, status and reason, and the author and company for administrators', async () => {
  await open(1, {}, '/incidences/u1');
  const row = within((await screen.findByText('INC-000012')).closest('tr') as HTMLElement);
  for (const text of ['Sin atender', 'Vídeo', 'Nuria Ferrer', 'Peritaciones Levante, S.L.']) row.getByText(text);
  expect(server.to('incidences/u1')[0]?.path).toBe('/api/v1/incidences/u1?page=1');
});

it('narrows by type, reason, company and days, and exports what it shows', async () => {
  server.answers.customers = () => Response.json({ customers: [{ _id: 'c1', company: 'Peritaciones Levante, S.L.' }] });
  server.answers.repairers = () => Response.json({ repairers: [] });
  server.answers.carReparations = () => Response.json({ carReparations: [] });
  await open(1, {}, '/incidences/u1?type=1&begin=2026-11-01&end=2026-11-20');
  await screen.findByText('INC-000012');
  expect(server.to('incidences/u1')[0]?.path).toBe(
    '/api/v1/incidences/u1?type=1&begin=2026-11-01&end=2026-11-20&page=1',
  );
  screen.getByRole('button', { name: 'Tipo Conferencia' });
  fireEvent.click(screen.getByRole('button', { name: 'Motivo Todos' }));
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Geolocalización' }));
  fireEvent.click(screen.getByRole('combobox', { name: 'Empresa' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Peritaciones Levante, S.L.' }));
  const asked = '/api/v1/incidences/u1?type=1&reason=4&company=c1&begin=2026-11-01&end=2026-11-20&page=1';
  await waitFor(() => expect(server.to('incidences/u1').at(-1)?.path).toBe(asked));
  server.answers['incidences/u1'] = () => new Response('PK');
  press('Exportar a Excel');
  await waitFor(() => expect(server.to('incidences/u1').at(-1)?.path).toContain('format=xlsx'));
  const exported = new URL(`http://x${server.to('incidences/u1').at(-1)?.path}`).searchParams;
  expect(Object.fromEntries(exported)).toEqual({
    type: '1',
    reason: '4',
    company: 'c1',
    begin: '2026-11-01',
    end: '2026-11-20',
    format: 'xlsx',
  });
});

it('offers a worker no companies', async () => {
  await open(3, {}, '/incidences/u1');
  await screen.findByText('INC-000012');
  expect(screen.queryByRole('combobox', { name: 'Empresa' })).toBeNull();
});

it('does not show a worker the company and the author', async () => {
  await open(3, {}, '/incidences/u1');
  await screen.findByText('INC-000012');
  expect(screen.queryByRole('columnheader', { name: 'Empresa' })).toBeNull();
  expect(screen.queryByRole('columnheader', { name: 'Enviada por' })).toBeNull();
});

it('sends a worker away from the incidences of others', async () => {
  const page = await open(3, {}, '/incidences/someone');
  await waitFor(() => expect(page.where()).toBe('/'));
  expect(server.to('incidences/')).toEqual([]);
});

it('says when the list or one of them cannot be fetched, and asks again', async () => {
  await session.save(tokenWith({ role: 3, exp: Math.floor(Date.now() / 1000) + 3600 }), { ...nuria, role: 3 }, []);
  const works = server.answers['incidences/u1'];
  server.answers['incidence/i1'] = () => problem(404, 'INCIDENCE_NOT_FOUND');
  server.answers['incidences/u1'] = () => problem(404, 'USER_NOT_FOUND');
  showPage(IncidencesPage, '/incidences/$id', '/incidences/u1?incidence=i1');
  const panel = await drawer();
  await panel.findByText('Error al buscar las incidencias', {}, { timeout: 10_000 });
  await waitFor(() => expect(screen.getAllByText('Error al buscar las incidencias')).toHaveLength(2), {
    timeout: 10_000,
  });
  if (works) server.answers['incidences/u1'] = works;
  server.answers['incidence/i1'] = () => Response.json({ incidence: detail() });
  fireEvent.click(panel.getByRole('button', { name: 'Reintentar' }));
  await panel.findByText('INC-000012');
});

it('moves an incidence as the server allows it, and asks before archiving', async () => {
  await open(1, { moves: [2] });
  const first = await drawer();
  fireEvent.click(await first.findByRole('button', { name: 'Pasar a revisión' }));
  await waitFor(() =>
    expect(server.calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      incidence: { _id: 'i1', status: 2, files: [] },
    }),
  );
  await screen.findByText('Estado: En revisión');
});

it('asks before archiving', async () => {
  await open(1, { status: 2, moves: [4] });
  fireEvent.click(await (await drawer()).findByRole('button', { name: 'Archivar' }));
  const dialog = within(await screen.findByRole('dialog', { name: '¿Archivar INC-000012?' }));
  expect(server.calls.some(({ method }) => method === 'PUT')).toBe(false);
  fireEvent.click(dialog.getByRole('button', { name: 'Archivar' }));
  await waitFor(() => expect(server.calls.some(({ method }) => method === 'PUT')).toBe(true));
});

it('lets its author reopen an archived one by answering, not with a bare button', async () => {
  await open(3, { status: 4, moves: [3], author: { _id: 'u1', name: 'Nuria', role: 3 } });
  const panel = await drawer();
  await panel.findByText('Esta incidencia está archivada. Al responder se reabrirá.');
  expect(panel.queryByRole('button', { name: 'Reabrir' })).toBeNull();
  press('Responder y reabrir');
  await panel.findByText('Rellene los campos obligatorios');
  fireEvent.change(panel.getByLabelText('Su respuesta'), { target: { value: 'Ha vuelto a pasar' } });
  press('Responder y reabrir');
  await screen.findByText('Incidencia reabierta');
  expect(server.calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
    incidence: { _id: 'i1', status: 3, answer: 'Ha vuelto a pasar', files: [] },
  });
});

it('keeps notes for administrators, and shows the log in words', async () => {
  await open(1, {
    notes: [{ _id: 'n1', at: '2026-11-22T09:00:00Z', author: { _id: 'u1', name: 'Ada', role: 1 }, text: 'Mirar TURN' }],
  });
  const panel = await drawer();
  fireEvent.click(await panel.findByRole('tab', { name: /Notas internas/ }));
  await panel.findByText('Mirar TURN');
  fireEvent.change(panel.getByLabelText('Nota'), { target: { value: 'Visto' } });
  press('Guardar nota');
  await waitFor(() =>
    expect(server.calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      incidence: { _id: 'i1', note: 'Visto', files: [] },
    }),
  );
  fireEvent.click(panel.getByRole('tab', { name: 'Registro' }));
  await panel.findByText('De «Sin atender» a «En revisión»');
  panel.getByText('Incidencia enviada');
});

it('shows others than administrators no notes', async () => {
  await open(2);
  const panel = await drawer();
  await panel.findByRole('tab', { name: 'Registro' });
  expect(panel.queryByRole('tab', { name: /Notas internas/ })).toBeNull();
});

it('shows what the server found out about the call', async () => {
  await open(1, {
    diagnostics: {
      madeAt: '2026-11-22T09:00:00Z',
      full: true,
      conference: {
        _id: 'conf1',
        type: 1,
        createdAt: '2026-11-22T08:00:00Z',
        closedAt: null,
        closed: false,
        duration: 132,
        language: 'es',
        appType: 'web',
        observation: 'permissions',
        pictures: 2,
        videos: 0,
        documents: 1,
        positions: 1,
      },
      steps: [{ step: 'permissions', state: 'failed', at: null, reason: 'camera_denied' }],
      network: {
        rooms: 1,
        client: { connections: 2, disconnections: 1, reconnections: 3, connectedS: 61 },
        staff: { connections: 1, disconnections: 0, reconnections: 0, connectedS: 70 },
        problem: 'camera:NotAllowedError',
      },
      connections: [
        {
          kind: 'client',
          nth: 1,
          way: 'relay-tcp',
          failed: ['udp', 'tcp'],
          rttMs: 140,
          kbps: 300,
          lossPercent: null,
          at: '2026-11-22T08:01:05Z',
        },
      ],
      client: { browser: 'Chrome', os: 'Android', userAgent: 'Mozilla/5.0 phone' },
      adjuster: { browser: 'Firefox', os: 'Linux', userAgent: null },
      sender: { browser: null, told: { screen: '1440×900', webRtc: true } as never, network: { rtt: 50 } as never },
      messages: [
        {
          channel: 'sms',
          state: 'failed',
          error: 'unknown_subscriber',
          createdAt: '2026-11-22T08:00:00Z',
          sentAt: null,
        },
      ],
      presence: [{ kind: 'client', joinedAt: '2026-11-22T08:01:00Z', leftAt: null }],
      tracks: [{ seq: 1, type: 'LINK_OPENED', actor: 'client', at: '2026-11-22T08:01:00Z', detail: null }],
    },
  });
  const panel = await drawer();
  fireEvent.click(await panel.findByRole('tab', { name: 'Diagnóstico' }));
  for (const text of [
    'Permisos denegados',
    '02:12',
    'Fotos: 2 · Vídeos: 0 · Documentos: 1 · Posiciones: 1',
    'Conexiones: 2 · Cortes: 1 · Reconexiones: 3 · 01:01',
    /Por relé \(TCP\) · Falla: UDP no pasa, TCP no pasa/,
    '140 ms · 300 kbit/s',
    'Chrome · Android',
    'Mozilla/5.0 phone',
    'Firefox · Linux',
    '1440×900',
    'camera:NotAllowedError',
  ])
    await panel.findByText(text);
  panel.getByText(/unknown_subscriber/);
  panel.getByText('1 suceso de la conferencia');
});
