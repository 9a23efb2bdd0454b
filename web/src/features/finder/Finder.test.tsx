import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { answerCalls, logIn, renderPage, seriousFindings } from '@/test/render';
import { useTexts } from '@/test/texts';
import { Finder } from './Finder';

const pages = [
  { label: 'Facturas', run: '/invoices/co1', icon: 'doc' as const },
  { label: 'Estadísticas', run: '/statistics/co1', icon: 'chart' as const },
];
const found = {
  _id: 'c9',
  expedientNumber: 'EXP-9',
  type: 1,
  createdAt: '2026-03-02T09:00:00.000Z',
  carId: '1234BCD',
  phoneNumber: '+34600111222',
};

const done = vi.fn();

beforeAll(() => useTexts());
beforeEach(() => logIn());

it('opens by Ctrl-K and finds pages and cases', async () => {
  const asked = answerCalls((_method, path) =>
    path.includes('conferences-autos-details')
      ? { body: { conferences: [found], total: 1 } }
      : { body: { conferences: [], total: 0 } },
  );
  await renderPage(<Finder pages={pages} />);
  await userEvent.keyboard('{Control>}k{/Control}');
  const box = await screen.findByLabelText(/Expediente, matrícula/);
  expect(await screen.findByText('Facturas')).toBeTruthy();
  await userEvent.type(box, 'esta');
  expect(screen.queryByText('Facturas')).toBeNull();
  expect(screen.getByText('Estadísticas')).toBeTruthy();
  await userEvent.clear(box);
  await userEvent.type(box, '1234');
  expect(await screen.findByText('EXP-9')).toBeTruthy();
  expect(asked.some(({ path }) => path.includes('conferences-div-details') && path.includes('search=1234'))).toBe(true);
  expect(await seriousFindings()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByText('EXP-9')).toBeNull());
});

it('opens while a field has the focus, and does an action', async () => {
  answerCalls(() => ({ body: { conferences: [], total: 0 } }));
  const action = { label: 'Abrir incidencia', icon: 'warn' as const, run: done };
  await renderPage(
    <>
      <input aria-label="Nota" />
      <Finder pages={[...pages, action]} />
    </>,
  );
  await userEvent.click(screen.getByLabelText('Nota'));
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.type(await screen.findByLabelText(/Expediente, matrícula/), 'incid');
  await userEvent.click(await screen.findByText('Abrir incidencia'));
  expect(done).toHaveBeenCalledOnce();
});

// MENU-4
it('says when there are more cases than it shows', async () => {
  const many = Array.from({ length: 7 }, (_, n) => ({ ...found, _id: `c${n}`, expedientNumber: `EXP-${n}` }));
  answerCalls((_method, path) => {
    if (path.includes('conferences-div-details')) return { body: { conferences: [], total: 0 } };
    const conferences = path.includes('search=EXP-3') ? many.slice(3, 4) : many;
    return { body: { conferences, total: conferences.length } };
  });
  await renderPage(<Finder pages={pages} />);
  await userEvent.keyboard('{Control>}k{/Control}');
  const box = await screen.findByLabelText(/Expediente, matrícula/);
  await userEvent.type(box, 'EXP');
  await screen.findByText(/^Hay más/);
  expect(screen.getAllByText(/^EXP-/)).toHaveLength(6);
  await userEvent.type(box, '-3');
  await waitFor(() => expect(screen.queryAllByText(/^EXP-/)).toHaveLength(1));
  expect(screen.queryByText(/^Hay más/)).toBeNull();
  await userEvent.keyboard('{Escape}');
});

it('finds a case by a telephone as people write it', async () => {
  const asked = answerCalls((_method, path) => {
    const search = new URL(path, 'http://x').searchParams.get('search');
    const hit = path.includes('conferences-autos-details') && search === '600 111 222';
    return { body: { conferences: hit ? [found] : [], total: hit ? 1 : 0 } };
  });
  await renderPage(<Finder pages={[]} />);
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.type(await screen.findByLabelText(/Expediente, matrícula/), '600 111 222');
  expect(await screen.findByText('EXP-9')).toBeTruthy();
  expect(screen.getByText('600 11 12 22')).toBeTruthy();
  expect(asked.some(({ path }) => path.includes('conferences-div-details'))).toBe(true);
});
