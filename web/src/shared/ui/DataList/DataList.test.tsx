import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import { Providers } from '@/test/providers';
import { setViewport } from '@/test/render';
import { useTexts } from '@/test/texts';
import { DataList, type DataListProps } from './DataList';
import type { ListControls } from './types';

interface Row {
  id: string;
  name: string;
  city: string;
}
const rows: Row[] = [
  { id: 'a', name: 'Ñu Peritos', city: 'Valencia' },
  { id: 'b', name: 'Zafra', city: 'Madrid' },
];
const controls = (part: Partial<ListControls> = {}): ListControls => ({
  search: '',
  filters: {},
  sort: 'name',
  page: 1,
  pageSize: 2,
  setSearch: vi.fn(),
  setFilter: vi.fn(),
  setFilters: vi.fn(),
  setSort: vi.fn(),
  setPage: vi.fn(),
  setPageSize: vi.fn(),
  clear: vi.fn(),
  ...part,
});
const go = vi.fn();
const onExport = vi.fn(async () => {});

function show(part: Partial<DataListProps<Row>> = {}) {
  const list = part.list ?? controls();
  const shown = (
    <Providers env="test">
      <DataList<Row>
        name="things"
        title="Clientes"
        list={list}
        source={{ data: { rows, total: 26 }, error: null, isPending: false, refetch: vi.fn() }}
        columns={[
          { key: 'name', title: 'Empresa', help: 'Como se llama.', render: (row) => row.name, sort: true, fixed: true },
          { key: 'city', title: 'Población', render: (row) => row.city },
          { key: 'id', title: 'Clave', render: (row) => row.id },
          { key: 'kind', title: 'Tipo', render: () => 'x', off: true },
        ]}
        rowKey={(row) => row.id}
        narrow={(row) => ({ title: row.name, text: row.city })}
        open={{ href: (row) => `/x/${row.id}`, go }}
        search="Buscar empresa"
        filters={[{ name: 'status', label: 'Estado', options: [{ value: '2', label: 'Activo' }] }]}
        onExport={onExport}
        empty={{ icon: 'users', title: 'Aún no hay clientes' }}
        {...part}
      />
    </Providers>
  );
  return { list, ...render(shown) };
}

beforeAll(() => useTexts());
beforeEach(() => {
  vi.clearAllMocks();
});

describe('list', () => {
  it('opens the detail by the whole row and by its link', () => {
    show();
    fireEvent.click(screen.getByText('Valencia'));
    expect(go).toHaveBeenLastCalledWith(rows[0]);
    const link = screen.getByRole('link', { name: 'Zafra' });
    expect(link.getAttribute('href')).toBe('/x/b');
    fireEvent.click(link);
    expect(go).toHaveBeenLastCalledWith(rows[1]);
    expect(go).toHaveBeenCalledTimes(2);
  });

  it('searches after a pause, at once on Enter', async () => {
    const { list } = show();
    const box = screen.getByLabelText('Buscar empresa');
    await userEvent.type(box, 'leva');
    expect(list.setSearch).not.toHaveBeenCalled();
    await waitFor(() => expect(list.setSearch).toHaveBeenCalledWith('leva'));
    await userEvent.type(box, 'nte{Enter}');
    expect(list.setSearch).toHaveBeenLastCalledWith('levante');
  });

  it('searches among the choices of a filter once there are more than ten', async () => {
    const choices = (n: number) =>
      ['Álvarez e hijos', ...Array.from({ length: n - 1 }, (_, i) => `Empresa ${i}`)].map((label) => ({
        value: label,
        label,
      }));
    const filter = (n: number) => [{ name: 'customer', label: 'Empresa', options: choices(n) }];
    const { list } = show({ filters: filter(11) });
    fireEvent.click(screen.getByRole('button', { name: 'Empresa Todos' }));
    const box = await screen.findByRole('searchbox', { name: 'Buscar: Empresa' });
    fireEvent.change(box, { target: { value: 'alva' } });
    const found = screen.getAllByRole('menuitemradio');
    expect(found.map((one) => one.textContent)).toEqual(['Álvarez e hijos']);
    fireEvent.click(found[0] as HTMLElement);
    expect(list.setFilter).toHaveBeenCalledWith('customer', 'Álvarez e hijos');
  });

  it('has no search among ten choices', async () => {
    const options = Array.from({ length: 10 }, (_, i) => ({ value: `${i}`, label: `Empresa ${i}` }));
    show({ filters: [{ name: 'customer', label: 'Empresa', options }] });
    fireEvent.click(screen.getByRole('button', { name: 'Empresa Todos' }));
    expect(await screen.findAllByRole('menuitemradio')).toHaveLength(11);
    expect(screen.queryByRole('searchbox', { name: 'Buscar: Empresa' })).toBeNull();
  });

  it('carries the × of an applied filter', () => {
    const { list } = show({ list: controls({ filters: { status: '2' } }) });
    expect(screen.getByRole('button', { name: 'Estado Activo' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Quitar el filtro Estado' }));
    expect(list.setFilter).toHaveBeenCalledWith('status', null);
  });

  it('sorts by a header', () => {
    const { list } = show();
    fireEvent.click(screen.getByText('Empresa'));
    expect(list.setSort).toHaveBeenCalledWith('-name');
  });

  it('pages, and goes to a typed page only when it exists', async () => {
    const { list } = show();
    expect(screen.getByText('1–2 de 26')).toBeTruthy();
    const pages = within(screen.getByRole('navigation', { name: 'Páginas' }));
    expect(pages.getByRole('button', { name: 'Anterior' })).toHaveProperty('disabled', true);
    fireEvent.click(pages.getByRole('button', { name: 'Siguiente' }));
    expect(list.setPage).toHaveBeenLastCalledWith(2);
    const goTo = screen.getByLabelText('Ir a la página');
    await userEvent.type(goTo, '14{Enter}');
    expect(list.setPage).toHaveBeenCalledTimes(1);
    expect(goTo.getAttribute('aria-describedby')).toBe(screen.getByText('Escriba un número de 1 a 13').id);
    await userEvent.clear(goTo);
    expect(screen.queryByText('Escriba un número de 1 a 13')).toBeNull();
    await userEvent.type(goTo, '13{Enter}');
    expect(list.setPage).toHaveBeenLastCalledWith(13);
  });

  it('comes back from a page that no longer exists', () => {
    const { list } = show({ list: controls({ page: 20 }) });
    expect(list.setPage).toHaveBeenCalledWith(13);
  });

  it('hides a column and keeps the choice', async () => {
    const first = show();
    await userEvent.click(screen.getByRole('button', { name: /Columnas/ }));
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Población' }));
    expect(screen.queryByText('Valencia')).toBeNull();
    first.unmount();
    show();
    expect(screen.queryByText('Valencia')).toBeNull();
    expect(Object.keys(window.localStorage)).toEqual([]);
  });

  it('says why it failed and tries again', async () => {
    const refetch = vi.fn();
    const error = new ApiError({ code: 'NETWORK', status: 0, message: '' });
    show({ source: { error, isPending: false, refetch } });
    expect(screen.getByRole('alert').textContent).toContain('No hemos podido conectar');
    fireEvent.click(screen.getByRole('button', { name: 'Reintentar' }));
    expect(refetch).toHaveBeenCalledOnce();
  });

  it('shows the skeleton only after 200 ms', async () => {
    show({ source: { error: null, isPending: true, refetch: vi.fn() } });
    expect(screen.queryByTestId('list-skeleton')).toBeNull();
    expect(await screen.findByTestId('list-skeleton')).toBeTruthy();
  });

  it('tells nothing at all from nothing found', () => {
    const nothing = { data: { rows: [], total: 0 }, error: null, isPending: false, refetch: vi.fn() };
    const first = show({ source: nothing });
    expect(screen.getByText('Aún no hay clientes')).toBeTruthy();
    first.unmount();
    const { list } = show({ source: nothing, list: controls({ search: 'zzz' }) });
    fireEvent.click(screen.getByRole('button', { name: 'Quitar búsqueda y filtros' }));
    expect(list.clear).toHaveBeenCalledOnce();
  });

  it('exports, and offers another try when that failed', async () => {
    onExport.mockRejectedValueOnce(new ApiError({ code: 'NETWORK', status: 0, message: '' }));
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Exportar a Excel' }));
    const failed = await screen.findByText('No se ha podido exportar a Excel');
    expect(failed).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Reintentar' }));
    await waitFor(() => expect(onExport).toHaveBeenCalledTimes(2));
  });

  it('says how many rows a workbook would have that is too long', async () => {
    const message = 'El Excel tendría 50001 filas y admite 50000: acote la búsqueda o las fechas';
    onExport.mockRejectedValueOnce(new ApiError({ code: 'WORKBOOK_TOO_LONG', status: 422, message }));
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Exportar a Excel' }));
    expect(await screen.findByText(message)).toBeTruthy();
  });

  it('explains its columns by keyboard, without sorting', async () => {
    const { list } = show();
    const tip = screen.getByRole('button', { name: 'Qué significa cada columna' });
    tip.focus();
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText('Como se llama.')).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByText('Como se llama.')).toBeNull());
    expect(list.setSort).not.toHaveBeenCalled();
  });

  it('tells the direction of the sort', () => {
    show({ list: controls({ sort: '-name' }) });
    expect(screen.getByRole('columnheader', { name: /Empresa/ }).getAttribute('aria-sort')).toBe('descending');
    expect(screen.getByRole('columnheader', { name: /Clave/ }).getAttribute('aria-sort')).toBeNull();
  });

  it('offers larger pages where there is more than one', async () => {
    const data = { rows, total: 180 };
    const source = { data, error: null, isPending: false, refetch: vi.fn() };
    const { list } = show({ list: controls({ pageSize: 50 }), source });
    await userEvent.selectOptions(screen.getByLabelText('Filas por página'), '200');
    expect(list.setPageSize).toHaveBeenCalledWith(200);
  });

  it('draws only the rows in sight of a long page, and says how many there are', () => {
    const many = Array.from({ length: 200 }, (_, n) => ({ id: `r${n}`, name: `Empresa ${n}`, city: 'Gandia' }));
    const source = { data: { rows: many, total: 200 }, error: null, isPending: false, refetch: vi.fn() };
    show({ list: controls({ pageSize: 200 }), source });
    const table = screen.getByRole('table');
    expect(table.getAttribute('aria-rowcount')).toBe('201');
    expect(table.querySelectorAll('tbody tr').length).toBeLessThan(60);
  });
});

it('makes room for the longest text that must be whole, also of rows out of sight', () => {
  const many = Array.from({ length: 200 }, (_, n) => ({ id: `r${n}`, name: `Empresa ${n}`, city: 'Gandia' }));
  const rows = [...many, { id: 'last', name: 'EXP-2026-000000000000000118392', city: 'Oliva' }];
  const source = { data: { rows, total: 201 }, error: null, isPending: false, refetch: vi.fn() };
  const columns = [{ key: 'name', title: 'Expediente', render: (row: Row) => row.name, whole: (row: Row) => row.name }];
  show({ list: controls({ pageSize: 201 }), source, columns });
  const head = screen.getByRole('columnheader', { name: 'Expediente' });
  expect(head.querySelector('[aria-hidden]')?.textContent).toBe('EXP-2026-000000000000000118392');
  expect(screen.queryByRole('link', { name: 'EXP-2026-000000000000000118392' })).toBeNull();
});

it('says on a phone what is kept whole before what may be cut', () => {
  setViewport(390, 844);
  show({ narrow: (row) => ({ title: row.name, keep: '1234 BCD', text: row.city }) });
  const line = screen.getAllByText('1234 BCD')[0]?.parentElement;
  expect(line?.textContent).toBe('1234 BCDValencia');
  setViewport(1440, 900);
});

describe('keys of a list', () => {
  const media = vi.fn();
  const keys = [{ key: 'm', label: 'Multimedia', run: media }];

  it('goes from row to row, runs the row’s letters and searches', async () => {
    show({ keys });
    await userEvent.keyboard('m');
    expect(media).not.toHaveBeenCalled();
    await userEvent.keyboard('jj');
    expect(document.activeElement?.textContent).toBe('Zafra');
    await userEvent.keyboard('k');
    expect(document.activeElement?.textContent).toBe('Ñu Peritos');
    await userEvent.keyboard('M');
    expect(media).toHaveBeenCalledExactlyOnceWith(rows[0]);
    await userEvent.keyboard('{Enter}');
    expect(go).toHaveBeenLastCalledWith(rows[0]);
    await userEvent.keyboard('/');
    expect(document.activeElement).toBe(screen.getByLabelText('Buscar empresa'));
    await userEvent.keyboard('m');
    expect(media).toHaveBeenCalledTimes(1);
  });

  it('lists them on ?, and rests while that is open', async () => {
    show({ keys });
    await userEvent.keyboard('?');
    const help = await screen.findByRole('dialog');
    expect(within(help).getByText('Multimedia')).toBeTruthy();
    await userEvent.keyboard('j');
    expect(help.contains(document.activeElement)).toBe(true);
  });
});

describe('several rows', () => {
  const run = vi.fn();
  const bulk = {
    name: (row: Row) => `Elegir ${row.name}`,
    actions: (chosen: Row[]) => (
      <button type="button" onClick={() => run(chosen)}>
        Todos a la vez
      </button>
    ),
  };

  it('ticks one or all of a page and acts on what is ticked', async () => {
    show({ bulk });
    expect(screen.queryByText('Todos a la vez')).toBeNull();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Elegir Zafra' }));
    expect(go).not.toHaveBeenCalled();
    await userEvent.click(screen.getByText('Todos a la vez'));
    expect(run).toHaveBeenLastCalledWith([rows[1]]);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Elegir todas las filas de la página' }));
    await userEvent.click(screen.getByText('Todos a la vez'));
    expect(run).toHaveBeenLastCalledWith(rows);
    await userEvent.click(screen.getByRole('button', { name: 'Quitar la selección' }));
    expect(screen.queryByText('Todos a la vez')).toBeNull();
  });
});

it('says where else a search found something', () => {
  const source = { data: { rows: [], total: 0 }, error: null, isPending: false, refetch: vi.fn() };
  show({ source, list: controls({ search: 'leva' }), elsewhere: <p>Ayer</p> });
  expect(screen.getByText('Ayer')).toBeTruthy();
});
