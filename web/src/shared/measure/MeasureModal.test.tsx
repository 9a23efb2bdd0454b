import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Measures } from '@/api/types';
import { item } from '@/test/conference';
import { answerCalls, logIn, renderPage, seriousFindings, setViewport } from '@/test/render';
import * as search from './find';
import type { Quad } from './geometry';
import { MeasureModal } from './MeasureModal';

const picture = item('m1', { width: 1000, height: 500, lens: 'Trasera 1×' });
const corners: Quad = [
  [0.3, 0.4],
  [0.7, 0.4],
  [0.7, 0.569],
  [0.3, 0.569],
];
let kept: Measures[];
let sent: unknown[];
const onClose = vi.fn();

beforeEach(async () => {
  kept = [];
  sent = [];
  onClose.mockReset();
  setViewport(1440, 900);
  await logIn();
  answerCalls((method, path, body) => {
    if (path.endsWith('/conference-measures/conf1')) return { body: { measures: kept } };
    if (method === 'PUT' && path.endsWith('/media-measure/m1')) {
      sent.push(body);
      return {
        body: { measure: { mediaId: 'm1', revision: 1, planes: [], sha256: 'ab', url: null, by: 'u1', at: null } },
      };
    }
    return undefined;
  });
});

const open = async () => {
  await renderPage(<MeasureModal item={picture} title="Foto 1" onClose={onClose} />);
  await screen.findByRole('dialog', { name: 'Medir en la foto' });
};
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const corner = (n: number) => button(new RegExp(`^Esquina ${n} del objeto`));

// MEASURE-12, MEASURE-13
it('is done by the keyboard alone: corners by hand, a length, its end moved by the arrows, kept', async () => {
  await open();
  expect(button('Guardar')).toHaveProperty('disabled', true);
  button('Colocar a mano').focus();
  await userEvent.keyboard('{Enter}');
  expect(await seriousFindings()).toEqual([]);
  const first = corner(1);
  expect(first.getAttribute('aria-label')).toBe('Esquina 1 del objeto: 25 % desde la izquierda, 39 % desde arriba');
  first.focus();
  expect((await screen.findByTestId('magnifier')).dataset.side).toBe('right');
  await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}{ArrowDown}');
  expect(corner(1).getAttribute('aria-label')).toContain('27 % desde la izquierda');
  button('Longitud').focus();
  await userEvent.keyboard('{Enter}');
  const list = screen.getByRole('list', { name: 'Lo medido' });
  const before = within(list).getByText(/mm ± /).textContent;
  button(/^Medida 1, punto 2/).focus();
  await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{ArrowRight}{/Shift}');
  expect(within(list).getByText(/mm ± /).textContent).not.toBe(before);
  expect(await seriousFindings()).toEqual([]);
  button('Guardar').focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const { measure } = sent[0] as { measure: { add: { corners: number[]; found: boolean; shapes: unknown[] }[] } };
  expect(measure.add).toHaveLength(1);
  expect(measure.add[0]).toMatchObject({ reference: 'plate', found: false, shapes: [{ kind: 'length' }] });
  expect(measure.add[0]?.corners.slice(0, 2)).toEqual([0.27, 0.39623]);
});

// MEASURE-12
it('finds corners in the picture, also where it is pressed, and says so when there are none', async () => {
  const find = vi.spyOn(search, 'findInPicture').mockResolvedValueOnce(null);
  await open();
  await userEvent.click(button('Buscar en la foto'));
  await screen.findByText(/No se ha encontrado/);
  find.mockResolvedValueOnce({ corners, score: 0.5 });
  const shown = screen.getByAltText('Foto 1');
  const box = shown.parentElement as HTMLElement;
  box.getBoundingClientRect = () => ({ left: 0, top: 0, width: 1000, height: 500 }) as DOMRect;
  fireEvent.pointerUp(shown, { clientX: 500, clientY: 250, button: 0 });
  await screen.findByText('Esquinas encontradas. Compruébelas con la lupa.');
  expect(find.mock.calls[1]?.slice(1)).toEqual([
    [520, 110],
    [0.5, 0.5],
  ]);
  // Dragged, the corner moves by as much as the finger, wherever that took hold of it.
  fireEvent.pointerDown(corner(2), { clientX: 705, clientY: 205, button: 0, pointerId: 1 });
  fireEvent.pointerMove(corner(2), { clientX: 715, clientY: 205, pointerId: 1 });
  fireEvent.pointerUp(corner(2), { pointerId: 1 });
  expect(corner(2).getAttribute('aria-label')).toContain('71 % desde la izquierda');
  await screen.findByText(/Lleve cada esquina/);
  find.mockRejectedValueOnce(new Error('NO_WORKER'));
  await userEvent.click(button('Buscar en la foto'));
  await screen.findByText(/Este navegador no puede buscarlo/);
});

// MEASURE-4, MEASURE-5
it('warns of a wide lens, and does not keep what cannot be measured', async () => {
  await renderPage(<MeasureModal item={{ ...picture, lens: 'Trasera 0,5×' }} title="Foto 1" onClose={onClose} />);
  await screen.findByRole('dialog', { name: 'Medir en la foto' });
  await userEvent.click(button('Colocar a mano'));
  screen.getByText(/objetivo gran angular/);
  expect(button('Guardar')).toHaveProperty('disabled', false);
  // The first corner beyond the opposite one.
  const box = screen.getByAltText('Foto 1').parentElement as HTMLElement;
  box.getBoundingClientRect = () => ({ left: 0, top: 0, width: 1000, height: 500 }) as DOMRect;
  fireEvent.pointerDown(corner(1), { clientX: 250, clientY: 195, button: 0, pointerId: 1 });
  fireEvent.pointerMove(corner(1), { clientX: 800, clientY: 345, pointerId: 1 });
  fireEvent.pointerUp(corner(1), { pointerId: 1 });
  screen.getByText('Las cuatro esquinas no forman un rectángulo visto en perspectiva.');
  expect(button('Guardar')).toHaveProperty('disabled', true);
});

// MEASURE-6
it('goes on with what is kept, asks before leaving, and removes everything', async () => {
  const shape = { id: 'shape0001', kind: 'length' as const, points: [0.3, 0.4, 0.7, 0.4], value: 520, error: 2 };
  const plane = {
    id: 'plane0001',
    reference: 'plate' as const,
    corners: corners.flat(),
    found: true,
    wide: false,
    shapes: [shape],
  };
  kept = [
    { mediaId: 'm1', revision: 3, planes: [plane], sha256: 'ab', url: '/uploads/m1.measures.svg', by: 'u1', at: null },
  ];
  await open();
  await screen.findByText('520 mm ± 4 mm');
  await userEvent.click(button('Cancelar'));
  expect(onClose).toHaveBeenCalledTimes(1);
  await userEvent.click(button('Borrar todo'));
  await userEvent.click(button('Cancelar'));
  await screen.findByText('¿Salir sin guardar?');
  expect(onClose).toHaveBeenCalledTimes(1);
  const asked = screen.getByText('¿Salir sin guardar?').closest('[role="dialog"]') as HTMLElement;
  await userEvent.click(within(asked).getByRole('button', { name: 'Cancelar' }));
  await userEvent.click(button('Guardar'));
  await waitFor(() => expect(sent).toEqual([{ measure: { add: [], remove: ['plane0001'] } }]));
});

// MEASURE-13
it('works on a phone', async () => {
  setViewport(390, 844);
  await open();
  await userEvent.click(button('Colocar a mano'));
  await userEvent.click(button('Área'));
  const list = screen.getByRole('list', { name: 'Lo medido' });
  within(list).getByText(/cm² ± /);
  await userEvent.click(button('Añadir una esquina al área 1'));
  button(/^Medida 1, punto 5/);
  await userEvent.click(button('Quitar la medida 1'));
  expect(screen.queryByRole('list', { name: 'Lo medido' })).toBeNull();
  expect(await seriousFindings()).toEqual([]);
});
