import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { ConferenceRow } from '@/api/types';
import { session } from '@/shared/session';
import { fakeServer, press, showPage } from '@/test/pages';
import { setViewport } from '@/test/render';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { waitingDetails } from '@/test/waiting';
import { AutosPage } from './ConferencesPage';

beforeAll(() => useTexts());

let server: ReturnType<typeof fakeServer>;

const row = (part: Partial<ConferenceRow>) =>
  ({ ...waitingDetails().conference, durationState: 'noSession', files: 3, newFiles: 0, ...part }) as ConferenceRow;

beforeEach(async () => {
  setViewport(1280, 800);
  server = fakeServer();
  const conferences = [
    row({ createdAt: '2026-11-05T11:39:00.000Z' }),
    row({ _id: 'conf2', expedientNumber: 'EXP-2', carId: null, files: 0 }),
  ];
  server.answers['conferences-autos-details'] = () => Response.json({ conferences, total: 2, nextCursor: null });
  server.answers['zip/conf1'] = () => Response.json({ zip: '/uploads/conf1.zip' });
  server.answers['print-cert/conf1'] = () => new Response('%PDF');
  URL.createObjectURL = vi.fn(() => 'blob:x');
  URL.revokeObjectURL = vi.fn();
  await session.save(tokenWith({ role: 3, exp: Math.floor(Date.now() / 1000) + 3_600 }), { ...nuria, role: 3 }, []);
});

const show = async (query = '') => {
  const page = showPage(AutosPage, '/conferences-autos/$parent', `/conferences-autos/c1${query}`);
  await screen.findByText('2026-118392');
  return page;
};
const asked = () => new URL(`http://x${server.to('conferences-autos-details').at(-1)?.path}`).searchParams;

it('says day and time of a conference in one short line, and number and plate whole', async () => {
  await show();
  const cells = [...(screen.getByText('2026-118392').closest('tr')?.querySelectorAll('td') ?? [])];
  expect(cells.some((cell) => cell.textContent === '5 nov 2026, 12:39')).toBe(true);
  for (const text of ['2026-118392', '4821 LKM']) expect(screen.getByText(text).hasAttribute('data-whole')).toBe(true);
});

it('explains its columns in one place, with no sign in any heading', async () => {
  await show();
  // The sorted one has its arrow.
  const signed = screen.getAllByRole('columnheader').filter((head) => head.querySelector('svg'));
  expect(signed.map((head) => head.getAttribute('aria-sort'))).toEqual(['descending']);
  expect(screen.getAllByRole('button', { name: 'Qué significa cada columna' })).toHaveLength(1);
});

it('narrows by state, and exports what it shows', async () => {
  await show('?begin=2026-11-01&end=2026-11-06&state=pending');
  expect(asked().get('state')).toBe('pending');
  fireEvent.click(screen.getByRole('button', { name: /^Estado / }));
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Caducada' }));
  await waitFor(() => expect(asked().get('state')).toBe('expired'));
  server.answers['conferences-autos-details'] = () => new Response('PK');
  press('Exportar a Excel');
  await waitFor(() => expect(asked().get('format')).toBe('xlsx'));
  expect(asked().get('state')).toBe('expired');
  expect(server.to('conferences-autos-details').at(-1)?.body).toEqual({ begin: '2026-11-01', end: '2026-11-06' });
});

it('keeps days, search, state and order for another company, but not its person', async () => {
  await session.save(tokenWith({ role: 1, exp: Math.floor(Date.now() / 1000) + 3_600 }), { ...nuria, role: 1 }, []);
  server.answers.customers = () =>
    Response.json({
      customers: [
        { _id: 'c1', company: 'Levante' },
        { _id: 'c2', company: 'Poniente' },
      ],
      total: 2,
    });
  const page = await show('?begin=2026-11-01&end=2026-11-06&state=expired&user=u7&search=118&sort=carId');
  fireEvent.click(screen.getByRole('button', { name: /^Cliente / }));
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Poniente' }));
  await waitFor(() => expect(page.where()).toBe('/conferences-autos/c2'));
  await waitFor(() => expect(server.to('conferences-autos-details/c2')).not.toHaveLength(0));
  const query = Object.fromEntries(asked());
  expect(query).toMatchObject({ state: 'expired', search: '118', sort: 'carId' });
  expect(query).not.toHaveProperty('user');
  expect(server.to('conferences-autos-details/c2').at(-1)?.body).toEqual({ begin: '2026-11-01', end: '2026-11-06' });
});

it('opens media, zip and certificate of the chosen row by M, Z and S', async () => {
  const page = await show();
  await userEvent.keyboard('j');
  await userEvent.keyboard('z');
  await waitFor(() => expect(server.to('zip/conf1')).toHaveLength(1));
  await userEvent.keyboard('s');
  await waitFor(() => expect(server.to('print-cert/conf1')).toHaveLength(1));
  await userEvent.keyboard('j');
  await userEvent.keyboard('z');
  expect(server.to('zip/')).toHaveLength(1);
  await userEvent.keyboard('m');
  await waitFor(() => expect(page.where()).toBe('/conference-media/conf2'));
});

it('saves the archives of ticked rows, and exports only those', async () => {
  await show();
  await userEvent.click(screen.getByRole('checkbox', { name: '2026-118392' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'EXP-2' }));
  press('Descargar todo (ZIP)');
  await waitFor(() => expect(server.to('zip/conf1')).toHaveLength(1));
  await screen.findByText('1 conferencia no tiene archivos que guardar');
  expect(server.to('zip/')).toHaveLength(1);
  server.answers['conferences-autos-details'] = () => new Response('PK');
  fireEvent.click(screen.getAllByRole('button', { name: 'Exportar a Excel' })[0] as HTMLElement);
  await waitFor(() => expect(asked().get('format')).toBe('xlsx'));
});

it('says in the row who cancelled a call, at a desk and on a phone', async () => {
  const conferences = [
    row({ cancelledBy: 'Luis Ortega' }),
    row({ _id: 'conf2', expedientNumber: 'EXP-2', cancelledBy: '' }),
    row({ _id: 'conf3', expedientNumber: 'EXP-3', cancelledBy: null }),
  ];
  server.answers['conferences-autos-details'] = () => Response.json({ conferences, total: 3, nextCursor: null });
  await show();
  expect(screen.getByText('Cancelada por Luis Ortega').title).toBe('Cancelada por Luis Ortega');
  // Somebody whose name is not known any more.
  expect(screen.getByText('EXP-2').closest('tr')?.textContent).toContain('Cancelada por perito');
  expect(screen.getByText('EXP-3').closest('tr')?.textContent).not.toContain('Cancelada');
  cleanup();
  setViewport(390, 844);
  await show();
  // A line of its own, so that nothing beside it cuts the name.
  expect(
    within(screen.getByText('2026-118392').closest('li') as HTMLElement).getByText('Cancelada por Luis Ortega'),
  ).toBeDefined();
  expect(screen.getByText('EXP-3').closest('li')?.textContent).not.toContain('Cancelada');
});

it('saves the photo report of a row from its menu, of none without files', async () => {
  await show();
  server.answers['photo-report/conf1'] = () => new Response('%PDF');
  press('Más acciones: 2026-118392');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Informe fotográfico' }));
  await waitFor(() => expect(server.to('photo-report/conf1')).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Informe fotográfico' })).toBeNull());
  press('Más acciones: EXP-2');
  const nothing = await screen.findByRole<HTMLButtonElement>('menuitem', { name: 'Informe fotográfico' });
  expect(nothing.disabled).toBe(true);
});

it('says that a photo report could not be made, and offers another try', async () => {
  await show();
  server.answers['photo-report/conf1'] = () => Response.json({ code: 'STORAGE_UNAVAILABLE' }, { status: 503 });
  press('Más acciones: 2026-118392');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Informe fotográfico' }));
  await screen.findByText('Error al descargar el informe fotográfico');
  server.answers['photo-report/conf1'] = () => new Response('%PDF');
  press('Reintentar');
  await waitFor(() => expect(server.to('photo-report/conf1')).toHaveLength(2));
});

it('tells an administrator, who opens no call, what to do with an empty list', async () => {
  await session.save(tokenWith({ role: 1, exp: Math.floor(Date.now() / 1000) + 3_600 }), { ...nuria, role: 1 }, []);
  server.answers['conferences-autos-details'] = () => Response.json({ conferences: [], total: 0, nextCursor: null });
  showPage(AutosPage, '/conferences-autos/$parent', '/conferences-autos/0');
  await screen.findByText('No hay conferencias en estas fechas');
  screen.getByText(/^Cambie las fechas o elija un cliente en los filtros\./);
  expect(screen.queryByText(/inicie una videollamada/)).toBeNull();
});
