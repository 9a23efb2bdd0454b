import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Expedient } from '@/api/types';
import { item } from '@/test/conference';
import { answerCalls, logIn, renderPage, seriousFindings, setViewport } from '@/test/render';
import { useTexts } from '@/test/texts';
import { ExpedientPage } from './ExpedientPage';

const expedient = {
  expedientNumber: '2026-118392',
  conferences: [
    {
      _id: 'conf1',
      expedientNumber: '2026-118392',
      type: 1,
      createdAt: '2026-11-05T11:39:00Z',
      customerName: 'Peritaciones Levante',
      userName: 'Nuria Ferrer',
      phoneNumber: '+34612034578',
      contactPerson: 'Carmen Ortega',
      fullAddress: 'C/ Mayor, 14, Sagunto',
      carId: '4821 LKM',
      duration: 284,
      durationState: 'seconds',
      closed: true,
      expiredAt: '2026-11-06T11:39:00Z',
      rooms: [],
      isNewMedia: false,
      filesRequested: true,
      files: 1,
    },
  ],
  media: [item('m1', { originalFileName: 'golpe.jpg' }), item('m2', { originalFileName: 'doc.jpg', itemId: 'i2' })],
  requests: [
    {
      _id: 'r1',
      conferenceId: 'conf1',
      contactType: 1,
      to: '+34 612 ••• •78',
      userName: 'Nuria Ferrer',
      createdAt: '2026-11-05T12:00:00Z',
      expiresAt: '2026-12-05T12:00:00Z',
      state: 'partial',
      items: [
        { _id: 'i1', label: 'Matrícula', state: 'approved' },
        { _id: 'i2', label: 'Bastidor', state: 'asked' },
      ],
      received: 1,
      approved: 1,
    },
  ],
  notes: [
    { _id: 'n1', text: 'Falta el bastidor.', userName: 'Nuria Ferrer', createdAt: '2026-11-05T12:30:00Z', own: true },
    { _id: 'n2', text: 'Llamar el lunes.', userName: 'Iván Soler', createdAt: '2026-11-05T12:20:00Z', own: false },
  ],
} as unknown as Expedient;

let asked: ReturnType<typeof answerCalls>;
let known = true;

beforeAll(() => useTexts());
beforeEach(async () => {
  known = true;
  setViewport(1440, 900);
  await logIn();
  asked = answerCalls((method, path, body) => {
    if (method === 'GET' && path.includes('/expedient/'))
      return known ? { body: expedient } : { status: 404, body: { status: 404, code: 'EXPEDIENT_NOT_FOUND' } };
    if (path.includes('/expedient-notes/')) {
      const { text } = body as { text: string };
      return { body: { note: { _id: 'n3', text, userName: 'Nuria', createdAt: '2026-11-05T13:00:00Z', own: true } } };
    }
    if (path.includes('/expedient-note-delete/')) return { status: 204 };
    return undefined;
  });
});

const open = async () => {
  await renderPage(<ExpedientPage />);
  await screen.findByText('Falta el bastidor.');
};

it('shows calls, files, requests with their items and notes', async () => {
  await open();
  const call = screen.getByRole('link', { name: /5 de noviembre de 2026/ });
  expect(call.getAttribute('href')).toBe('/conferences-autos/c1?begin=2026-11-05&end=2026-11-05&open=conf1');
  // As in the media view: by what was asked for, else numbered.
  expect(screen.getByRole('link', { name: 'Foto: Bastidor' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Foto 1' }).getAttribute('href')).toMatch(
    /^\/conference-media\/[^?]+\?item=/,
  );
  expect(screen.getByText('Recibida en parte')).toBeTruthy();
  expect(screen.getAllByText('Bastidor').length).toBeGreaterThan(0);
  expect(screen.getByText('C/ Mayor, 14, Sagunto')).toBeTruthy();
  expect(await seriousFindings()).toEqual([]);
});

it('adds a note, none that is empty', async () => {
  await open();
  await userEvent.click(screen.getByRole('button', { name: 'Añadir nota' }));
  expect(screen.getByText('Escriba la nota')).toBeTruthy();
  expect(asked.some(({ method }) => method === 'POST')).toBe(false);
  await userEvent.type(screen.getByLabelText(/^Nueva nota/), '  Golpe anterior.  ');
  await userEvent.click(screen.getByRole('button', { name: 'Añadir nota' }));
  expect(await screen.findByText('Golpe anterior.')).toBeTruthy();
  expect(asked.at(-1)?.body).toEqual({ text: 'Golpe anterior.' });
});

it('deletes one of its own after a question; a worker none of others', async () => {
  await open();
  const buttons = screen.getAllByRole('button', { name: 'Eliminar la nota' });
  expect(buttons).toHaveLength(1);
  await userEvent.click(buttons[0] as HTMLElement);
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Eliminar' }));
  await waitFor(() => expect(screen.queryByText('Falta el bastidor.')).toBeNull());
  expect(asked.at(-1)?.path).toContain('/expedient-note-delete/n1');
});

it('says when there is no such case, and lets one look for another', async () => {
  known = false;
  await renderPage(<ExpedientPage />);
  expect(await screen.findByText('No se ha podido abrir el expediente')).toBeTruthy();
  expect(screen.getByText('El expediente no existe o no está a su alcance.')).toBeTruthy();
  expect(screen.getByLabelText('Ir a otro expediente')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Reintentar' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Conferencias de Autos' }).getAttribute('href')).toMatch(
    /^\/conferences-autos\//,
  );
});
