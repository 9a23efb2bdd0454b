import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage, type } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { PrivacyPage } from './PrivacyPage';

beforeAll(() => useTexts());

const found = (id: string) => ({
  _id: id,
  expedientNumber: `EXP-${id}`,
  createdAt: '2026-11-19T10:39:00Z',
  contactPerson: 'Carmen Ortega',
  carId: '4821 LKM',
});
const erasure = {
  _id: 'e1',
  conferenceId: 'a',
  at: '2026-11-21T09:00:00Z',
  by: 'Nuria Ferrer',
  reason: 'Solicitud escrita',
  events: 23,
  media: 4,
  head: 'ab'.repeat(32),
  register: 'cd'.repeat(32),
};
let server: ReturnType<typeof fakeServer>;

const open = async (role: number, href: string) => {
  await session.save(tokenWith({ role, exp: Math.floor(Date.now() / 1000) + 3600 }), { ...nuria, role }, []);
  showPage(PrivacyPage, '/privacy/$parent', href);
};

beforeEach(() => {
  server = fakeServer();
  server.answers['persons/c1'] = () => Response.json({ conferences: [found('a'), found('b')], total: 2 });
  server.answers['conference-erase/a'] = () => Response.json({ erasure });
  server.answers['person-erase/c1'] = () => Response.json({ erasures: [erasure, { ...erasure, _id: 'e2' }] });
});

const search = async (text: string) => {
  await screen.findByLabelText('Teléfono o correo de la persona');
  type('Teléfono o correo de la persona', text);
  press('Buscar');
};

it('asks nobody for a part of a name', async () => {
  await open(2, '/privacy/c1');
  await search('Carmen');
  await screen.findByText('Escriba un teléfono o un correo completos');
  expect(server.to('persons')).toEqual([]);
});

it('erases one conference only with a reason and the typed word', async () => {
  await open(2, '/privacy/c1');
  await search('600 123 123');
  fireEvent.click(await screen.findByRole('button', { name: 'Eliminar los datos de EXP-a' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Eliminar datos personales' }));
  const erase = () => fireEvent.click(dialog.getByRole('button', { name: 'Eliminar los datos' }));
  erase();
  await dialog.findByText('Escriba el motivo');
  fireEvent.change(dialog.getByLabelText('Motivo'), { target: { value: ' Solicitud escrita ' } });
  fireEvent.change(dialog.getByLabelText('Escriba ELIMINAR para confirmar'), { target: { value: 'borrar' } });
  erase();
  await dialog.findByText('Escriba la palabra ELIMINAR');
  expect(server.to('conference-erase')).toEqual([]);
  fireEvent.change(dialog.getByLabelText('Escriba ELIMINAR para confirmar'), { target: { value: 'eliminar' } });
  erase();
  await screen.findByText('Datos eliminados: 1 conferencia');
  expect(server.to('conference-erase').map(({ path, body }) => [path, body])).toEqual([
    ['/api/v1/conference-erase/a', { reason: 'Solicitud escrita' }],
  ]);
  // What was found is asked for again.
  await waitFor(() => expect(server.to('persons').length).toBe(2));
});

it('erases everything of a person, and keeps the dialog open when the server refuses', async () => {
  server.answers['person-erase/c1'] = () => problem(503, 'STORAGE_DOWN');
  await open(2, '/privacy/c1');
  await search('carmen@correo.example');
  fireEvent.click(await screen.findByRole('button', { name: 'Eliminar los datos…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Eliminar datos personales' }));
  expect(dialog.getByText(/carmen@correo.example: 2 conferencias/)).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Motivo'), { target: { value: 'Por escrito' } });
  fireEvent.change(dialog.getByLabelText('Escriba ELIMINAR para confirmar'), { target: { value: 'ELIMINAR' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Eliminar los datos' }));
  await dialog.findByText('No se han podido eliminar los datos');
  expect(server.to('person-erase')[0]?.body).toEqual({ search: 'carmen@correo.example', reason: 'Por escrito' });
});

it('has the administrator choose a company before a person is searched', async () => {
  await open(1, '/privacy/0');
  await screen.findByText('Elija una empresa');
  expect(screen.queryByLabelText('Teléfono o correo de la persona')).toBeNull();
});

it('explains the own retention of a company', async () => {
  server.answers['customer/c1'] = () => Response.json({ customer: { retentionDays: 90 } });
  await open(2, '/privacy/c1?tab=retention');
  await screen.findByText('90 días');
  await screen.findByText(/Su empresa tiene acordado conservar los archivos 90 días/);
});

it('shows the proof of an erasure', async () => {
  server.answers['erasures/c1'] = () => Response.json({ erasures: [erasure], total: 1, nextCursor: null });
  await open(2, '/privacy/c1?tab=erasures');
  fireEvent.click(await screen.findByRole('button', { name: 'Prueba de la eliminación' }));
  const dialog = within(await screen.findByRole('dialog'));
  for (const text of [erasure.head, erasure.register, 'Solicitud escrita', '23 sucesos · 4 archivos']) {
    expect(dialog.getByText(text)).toBeTruthy();
  }
});
