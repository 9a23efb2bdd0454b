// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { fileName } from './download';
import { exportQuery, listQuery, readListState, readPageSize } from './list-state';

const options = { sort: 'company', filters: ['status'] };

describe('state of a list in the URL', () => {
  it('reads what it wrote', () => {
    const state = readListState({ search: 'levante', status: 0, sort: '-created_at', page: 3 }, options);
    expect(state).toEqual({ search: 'levante', filters: { status: '0' }, sort: '-created_at', page: 3 });
    expect(listQuery(state, 50)).toEqual({
      limit: '50',
      sort: '-created_at',
      status: '0',
      search: 'levante',
      cursor: '100',
    });
    expect(exportQuery(state)).toEqual({ sort: '-created_at', status: '0', search: 'levante' });
  });

  it('takes digits for a search text, and leaves other parameters out', () => {
    expect(readListState({ search: 118392, role: 1 }, options)).toEqual({
      search: '118392',
      filters: {},
      sort: 'company',
      page: 1,
    });
  });

  it.each([[{ page: 0 }], [{ page: -2 }], [{ page: 'x' }], [{ page: 1.5 }], [{ page: {} }], [{ sort: 'a b;--' }]])(
    'falls back on nonsense %j',
    (search) => {
      expect(readListState(search, options)).toEqual({ search: '', filters: {}, sort: 'company', page: 1 });
    },
  );

  it('leaves the cursor out of the first page', () => {
    expect(listQuery(readListState({}, options), 25)).toEqual({ limit: '25', sort: 'company' });
  });
});

describe('file name of a download', () => {
  it.each([
    ['attachment; filename="clientes-2026-11-21.xlsx"', 'clientes-2026-11-21.xlsx'],
    ["attachment; filename=x.xlsx; filename*=UTF-8''espa%C3%B1a.xlsx", 'españa.xlsx'],
    ["attachment; filename*=UTF-8''%E0%A4%A", 'lista.xlsx'],
    [null, 'lista.xlsx'],
  ])('%s', (header, name) => {
    expect(fileName(header, 'lista.xlsx')).toBe(name);
  });
});

it('takes only the offered sizes of a page out of the URL', () => {
  expect(readPageSize({ size: 100 }, 50)).toBe(100);
  expect(readPageSize({ size: '200' }, 50)).toBe(200);
  expect([1, 201, 'x', undefined].map((size) => readPageSize({ size }, 50))).toEqual([50, 50, 50, 50]);
});
