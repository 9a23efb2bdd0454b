// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { pageCount, pageNumbers, typedPage } from './pages';
import { hiddenOf } from './use-columns';

describe('pages', () => {
  it.each([
    [1, 1, '1'],
    [1, 2, '1 2'],
    [2, 3, '1 2 3'],
    [1, 13, '1 2 3 … 13'],
    [3, 13, '1 2 3 4 … 13'],
    [7, 13, '1 … 6 7 8 … 13'],
    [12, 13, '1 … 11 12 13'],
    [13, 13, '1 … 11 12 13'],
    [4, 4, '1 2 3 4'],
  ])('page %i of %i shows %s', (page, pages, shown) => {
    expect(
      pageNumbers(page, pages)
        .map((number) => number ?? '…')
        .join(' '),
    ).toBe(shown);
  });

  it('counts pages, one at least', () => {
    expect([0, 1, 50, 51, 10_000].map((total) => pageCount(total, 50))).toEqual([1, 1, 1, 2, 200]);
  });

  it('takes only a number from 1 to the total', () => {
    expect(['1', ' 13 ', '0', '14', '-1', '1.5', '1e1', '', 'x'].map((text) => typedPage(text, 13))).toEqual([
      1,
      13,
      ...Array(7).fill(null),
    ]);
  });
});

describe('columns', () => {
  const columns = [{ key: 'company', fixed: true }, { key: 'cif' }, { key: 'created', off: true }];
  it('hides what was chosen, never the fixed one, and starts with the default', () => {
    expect(hiddenOf(undefined, columns)).toEqual(['created']);
    expect(hiddenOf([], columns)).toEqual([]);
    expect(hiddenOf(['company', 'cif', 'gone'], columns)).toEqual(['cif']);
    expect(hiddenOf('nonsense', columns)).toEqual(['created']);
    const compact = [...columns, { key: 'address', off: 'compact' as const }];
    expect(hiddenOf(undefined, compact)).toEqual(['created']);
    expect(hiddenOf(undefined, compact, true)).toEqual(['created', 'address']);
    expect(hiddenOf([], compact, true)).toEqual([]);
  });
});
