import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { ShotsPage } from './ShotsPage';

beforeAll(() => useTexts());

const shot = (key: string, label: string) => ({ key, label, hint: null, overlay: null });
let server: ReturnType<typeof fakeServer>;
let lists: { shots: Record<string, object[]>; custom: Record<string, boolean> };

beforeEach(async () => {
  server = fakeServer();
  lists = {
    shots: { autos: [shot('a', 'Matrícula'), shot('b', 'Bastidor')], diversos: [shot('c', 'Fachada')] },
    custom: { autos: false, diversos: true },
  };
  server.answers['shots/c1'] = (body) => {
    if (body.shots) {
      lists = { shots: { ...lists.shots, autos: body.shots as object[] }, custom: { ...lists.custom, autos: true } };
    }
    return Response.json(lists);
  };
  server.answers['shots-reset/c1'] = () => {
    lists = { ...lists, custom: { ...lists.custom, diversos: false } };
    return Response.json(lists);
  };
  await session.save(tokenWith({ role: 2, exp: Math.floor(Date.now() / 1000) + 3600 }), nuria, []);
  showPage(ShotsPage, '/shots/$parent', '/shots/c1');
  await screen.findByDisplayValue('Matrícula');
});

const names = () => screen.getAllByLabelText<HTMLInputElement>(/^Nombre de la foto/).map(({ value }) => value);
const puts = () => server.to('shots/c1').filter(({ method }) => method === 'PUT');

it('changes the order by keyboard and says so', () => {
  fireEvent.keyDown(screen.getByRole('button', { name: 'Mover «Bastidor»' }), { key: 'ArrowUp' });
  expect(names()).toEqual(['Bastidor', 'Matrícula']);
  expect(screen.getByText('«Bastidor» pasa al lugar 1 de 2')).toBeTruthy();
  // Beyond the ends nothing moves.
  fireEvent.keyDown(screen.getByRole('button', { name: 'Mover «Bastidor»' }), { key: 'ArrowUp' });
  expect(names()).toEqual(['Bastidor', 'Matrícula']);
});

it('saves only a right list, whole and under the keys it had', async () => {
  press('Añadir foto');
  press('Guardar');
  expect(await screen.findByText('Escriba qué se fotografía')).toBeTruthy();
  expect(puts()).toEqual([]);
  fireEvent.change(screen.getByLabelText('Nombre de la foto 3'), { target: { value: ' Luna ' } });
  fireEvent.change(screen.getByLabelText('Guía de la foto 3'), { target: { value: 'near' } });
  press('Guardar');
  await screen.findByText('Lista guardada');
  expect(puts()[0]?.body).toEqual({
    type: 1,
    shots: [shot('a', 'Matrícula'), shot('b', 'Bastidor'), { key: null, label: 'Luna', hint: null, overlay: 'near' }],
  });
  await screen.findByText('Lista propia');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Guardar' }).disabled).toBe(true);
});

it('keeps what was typed when the server refuses', async () => {
  server.answers['shots/c1'] = () => problem(503, 'STORAGE_DOWN');
  fireEvent.change(screen.getByLabelText('Nombre de la foto 1'), { target: { value: 'Placa' } });
  press('Guardar');
  await screen.findByText('No se ha podido guardar la lista');
  expect(names()[0]).toBe('Placa');
});

it('asks before changes are lost to the other list', async () => {
  press('Quitar «Bastidor»');
  fireEvent.click(screen.getByLabelText('Diversos'));
  fireEvent.click(await screen.findByRole('button', { name: 'Seguir aquí' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(names()).toEqual(['Matrícula']);
  press('Descartar');
  expect(names()).toEqual(['Matrícula', 'Bastidor']);
});

it('goes back to the list of the platform', async () => {
  fireEvent.click(screen.getByLabelText('Diversos'));
  await screen.findByDisplayValue('Fachada');
  press('Restablecer');
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restablecer' }));
  await screen.findByText('Lista restablecida');
  expect(server.to('shots-reset/c1')[0]?.body).toEqual({ type: 2 });
  await screen.findByText('Lista de la plataforma');
});
