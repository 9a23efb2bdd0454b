import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ListControls, ListState } from '@/shared/ui/DataList/types';

interface ListOptions {
  /** Sort without a choice, `field` or `-field`. */
  sort: string;
  /** Names of the filters, each a key of the URL. */
  filters?: string[];
  pageSize?: number;
}

/** Rows of a page somebody may choose; the last is the server's largest `limit`. */
export const PAGE_SIZES = [50, 100, 200];
/** Default rows of a page: the server's default `limit`. */
const PAGE_SIZE = 50;
const NONE: string[] = [];

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : '';

/** Reads a list's state out of URL search parameters, whoever wrote them: nonsense falls back to the default. */
export function readListState(search: Record<string, unknown>, options: ListOptions): ListState {
  const page = Number(text(search.page));
  const sort = text(search.sort);
  const filters: Record<string, string> = {};
  for (const name of options.filters ?? NONE) {
    const value = text(search[name]);
    if (value) filters[name] = value;
  }
  return {
    search: text(search.search),
    filters,
    sort: /^-?[A-Za-z_]{1,40}$/.test(sort) ? sort : options.sort,
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
  };
}

/** Rows of a page as the URL says; anything but one of the offered sizes is the list's own. */
export function readPageSize(search: Record<string, unknown>, own: number): number {
  const size = Number(text(search.size));
  return PAGE_SIZES.includes(size) ? size : own;
}

/** The server's query of a page: `cursor` is the offset (plan contract), absent values are left out. */
export function listQuery(state: ListState, pageSize: number): Record<string, string> {
  const query: Record<string, string> = { limit: String(pageSize), sort: state.sort, ...state.filters };
  if (state.search) query.search = state.search;
  if (state.page > 1) query.cursor = String((state.page - 1) * pageSize);
  return query;
}

/** The same filter without its page: what an export takes. */
export function exportQuery(state: ListState): Record<string, string> {
  const query: Record<string, string> = { sort: state.sort, ...state.filters };
  if (state.search) query.search = state.search;
  return query;
}

/**
 * Search, filters, sort and page of the shown list, kept in the URL: a reload, a bookmark and the way back keep them.
 * A change of anything but the page starts at page one again.
 */
export function useListState(options: ListOptions): ListControls {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const { sort, pageSize: ownSize = PAGE_SIZE } = options;
  const names = (options.filters ?? NONE).join();
  return useMemo(() => {
    const state = readListState(search, { sort, filters: names ? names.split(',') : NONE });
    const change = (part: Record<string, string | number | undefined>, replace: boolean) => {
      const next = (before: Record<string, unknown>) => ({ ...before, page: undefined, ...part });
      // The routes do not declare their parameters, so the router's types know none.
      void navigate({ to: '.', search: next as never, replace });
    };
    return {
      ...state,
      pageSize: readPageSize(search, ownSize),
      setPageSize: (size) => change({ size: size === ownSize ? undefined : size }, true),
      setSearch: (wanted) => change({ search: wanted || undefined }, true),
      setFilter: (name, value) => change({ [name]: value ?? undefined }, true),
      setFilters: (values) =>
        change(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? undefined])), true),
      setSort: (wanted) => change({ sort: wanted === sort ? undefined : wanted }, true),
      setPage: (page) => change({ page: page > 1 ? page : undefined }, false),
      clear: () =>
        change({ search: undefined, ...Object.fromEntries(names.split(',').map((name) => [name, undefined])) }, true),
    };
  }, [search, navigate, sort, names, ownSize]);
}

/** Which of several lists a page shows, kept in the URL; changing it starts the other list afresh. The first is the default. */
export function useListTab<N extends string>(tabs: readonly [N, ...N[]]): [N, (tab: N) => void] {
  const { tab } = useSearch({ strict: false }) as { tab?: unknown };
  const navigate = useNavigate();
  const shown = tabs.find((name) => name === tab) ?? tabs[0];
  const show = (name: N) => {
    const search = name === tabs[0] ? {} : { tab: name };
    void navigate({ to: '.', search: search as never, replace: true });
  };
  return [shown, show];
}
