import { notifications } from '@mantine/notifications';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { IncidenceInput } from '@/shared/lib/modals';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { setViewport } from '@/test/render';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { dropDraft } from '../drafts';
import { detail, incidence } from '../testing';
import { IncidenceModal } from './IncidenceModal';

beforeAll(() => useTexts());

let server: ReturnType<typeof fakeServer>;
let closed = 0;

beforeEach(async () => {
  setViewport(1440, 900);
  server = fakeServer();
  closed = 0;
  dropDraft('list-add');
  dropDraft('support');
  server.answers['conferences-autos-details/c1'] = () =>
    Response.json({
      conferences: [
        { _id: 'conf1', expedientNumber: 'EXP-1', contactPerson: 'Carmen', createdAt: '2026-11-22T09:00:00Z' },
      ],
      total: 1,
    });
  server.answers['conferences-div-details/c1'] = () => Response.json({ conferences: [], total: 0 });
  server.answers['incidences/u1'] = () => Response.json({ incidences: [incidence()], total: 1, page: 1, pages: 1 });
  server.answers['incidence/i1'] = () => Response.json({ incidence: detail() });
  server.answers['send-incidence'] = () => Response.json({ incidence: detail() }, { status: 201 });
  await session.save(tokenWith({ role: 2, exp: Math.floor(Date.now() / 1000) + 3600 }), nuria, []);
});
afterEach(() => notifications.clean());

const show = (input: IncidenceInput) =>
  showPage(() => <IncidenceModal input={input} opened onClose={() => (closed += 1)} />, '/somewhere', '/somewhere');
const comments = (text: string) => fireEvent.change(screen.getByLabelText('Comentarios'), { target: { value: text } });
const choose = async (label: string, option: string | RegExp) => {
  fireEvent.click(screen.getByRole('combobox', { name: label }));
  fireEvent.click(await screen.findByRole('option', { name: option, hidden: true }));
};
const conference = { _id: 'conf1', expedientNumber: 'EXP-1', createdAt: '2026-11-22T09:00:00Z' };

it('says what is mandatory and sends nothing', async () => {
  show({ opener: 'list-add' });
  await screen.findByRole('dialog', { name: 'Nueva incidencia' });
  press('Enviar incidencia');
  await screen.findByText('Rellene los campos obligatorios');
  for (const missing of ['Elija el tipo', 'Elija el motivo', 'Escriba qué ha pasado'])
    expect(screen.getAllByText(missing)).toHaveLength(1);
  expect(server.to('send-incidence')).toEqual([]);
});

it('sends one about the conference it was opened on, says so with the spam note and closes', async () => {
  show({ opener: 'list-add', conference });
  await screen.findByRole('dialog', { name: 'Nueva incidencia' });
  await choose('Motivo', 'Audio');
  comments('No se oye');
  press('Enviar incidencia');
  await screen.findByText('Incidencia registrada. Revise también su carpeta de correo no deseado.');
  expect(closed).toBe(1);
  expect(server.to('send-incidence')[0]?.body).toMatchObject({
    incidence: { type: 1, reason: 1, comments: 'No se oye', conferenceId: 'conf1' },
    files: [],
  });
});

it('answers an existing one from support, without reason and comments', async () => {
  show({ opener: 'support' });
  await screen.findByRole('dialog', { name: 'Soporte' });
  await screen.findByRole('combobox', { name: 'Incidencia' });
  expect(screen.queryByLabelText('Comentarios')).toBeNull();
  expect(screen.queryByLabelText('Motivo')).toBeNull();
  press('Enviar respuesta');
  await screen.findByText('Rellene los campos obligatorios');
  await choose('Incidencia', /INC-000012/);
  fireEvent.change(screen.getByLabelText('Su respuesta'), { target: { value: 'Sigue igual' } });
  press('Enviar respuesta');
  await screen.findByText('Respuesta enviada');
  expect(server.to('send-incidence')[0]?.body).toEqual({
    incidence: { incidenceId: 'i1', comments: 'Sigue igual' },
    files: [],
  });
});

it('alerts when it cannot be sent, closes, and offers text and images the next time', async () => {
  server.answers['send-incidence'] = () => problem(503, 'UNAVAILABLE');
  show({ opener: 'list-add', conference });
  await screen.findByRole('dialog', { name: 'Nueva incidencia' });
  await choose('Motivo', 'Vídeo');
  comments('Se congela');
  const file = new File([new Uint8Array(3)], 'captura.png', { type: 'image/png' });
  fireEvent.drop(screen.getByRole('group', { name: /Adjuntar imágenes/ }), { dataTransfer: { files: [file] } });
  await screen.findByRole('img', { name: 'captura.png' });
  press('Enviar incidencia');
  await screen.findByText('No se ha podido enviar la incidencia');
  expect(closed).toBe(1);
  // Opened again.
  document.body.innerHTML = '';
  show({ opener: 'list-add' });
  const dialog = within(await screen.findByRole('dialog', { name: 'Nueva incidencia' }));
  dialog.getByText('Tiene un borrador sin enviar');
  fireEvent.click(dialog.getByRole('button', { name: 'Recuperar' }));
  expect((dialog.getByLabelText('Comentarios') as HTMLTextAreaElement).value).toBe('Se congela');
  expect(dialog.getByRole('img', { name: 'captura.png' })).toBeTruthy();
});

it('takes pasted images, refuses what is none, and lets them go again', async () => {
  show({ opener: 'list-add' });
  await screen.findByRole('dialog', { name: 'Nueva incidencia' });
  const paste = (file: File) => {
    const event = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { files: [file] } });
    act(() => void document.body.dispatchEvent(event));
  };
  paste(new File(['x'], 'a.pdf', { type: 'application/pdf' }));
  await screen.findByText('Solo se admiten imágenes PNG, JPEG o WebP.');
  paste(new File([new Uint8Array(3)], 'pegada.png', { type: 'image/png' }));
  await screen.findByRole('img', { name: 'pegada.png' });
  press('Quitar pegada.png');
  await waitFor(() => expect(screen.queryByRole('img', { name: 'pegada.png' })).toBeNull());
});

it('says when conferences cannot be searched', async () => {
  server.answers['conferences-div-details/c1'] = () => problem(500, 'INTERNAL');
  show({ opener: 'list-add' });
  await screen.findByRole('dialog', { name: 'Nueva incidencia' });
  fireEvent.click(screen.getByRole('radio', { name: 'Conferencia' }));
  await screen.findByText('Error al buscar las conferencias', {}, { timeout: 10_000 });
});
