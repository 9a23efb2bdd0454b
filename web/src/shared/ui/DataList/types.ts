import type { ReactNode } from 'react';
import type { IconName } from '../Icon';

/** What a list shows of all there is: kept in the URL by `useListState` (shared/lib/list-state). */
export interface ListState {
  search: string;
  /** Chosen value of each filter by its name; absent = all. */
  filters: Record<string, string>;
  /** `field` or `-field`, as the server takes it. */
  sort: string;
  /** From 1. */
  page: number;
}

export interface ListControls extends ListState {
  pageSize: number;
  setSearch: (search: string) => void;
  setFilter: (name: string, value: string | null) => void;
  /** Several at once; null removes. */
  setFilters: (values: Record<string, string | null>) => void;
  setSort: (sort: string) => void;
  setPage: (page: number) => void;
  setPageSize: (size: number) => void;
  /** Search and filters to nothing. */
  clear: () => void;
}

export interface ListColumn<R> {
  /** Name of the column; of the server's sort field too, unless `sort` says another. */
  key: string;
  title: string;
  /** What the value means and how it is reached: the tip beside the title. */
  help?: string;
  render: (row: R) => ReactNode;
  /** True, or the server's field to sort by. */
  sort?: boolean | string;
  /** Numbers stand right. */
  right?: boolean;
  width?: number | string;
  /** A text that is never cut: the column is as wide as the longest of the page, drawn or not. */
  whole?: (row: R) => string | null | undefined;
  /** Cannot be switched off: what names the row. */
  fixed?: boolean;
  /** Switched off until somebody wants it; `compact`: only where the window has no room for all. */
  off?: boolean | 'compact';
  /** Heading above it, and those that follow with the same, among the columns to choose from. */
  group?: string;
}

/** A letter that does something with the chosen row. */
export interface RowKey<R> {
  /** Lower case. */
  key: string;
  label: string;
  run: (row: R) => void;
}

export interface ListFilter {
  name: string;
  label: string;
  options: { value: string; label: string }[];
}

/** What a row says on a narrow screen, in two lines. */
export interface NarrowRow {
  title: ReactNode;
  badge?: ReactNode;
  /** Stands before the text and is never cut. */
  keep?: ReactNode;
  text?: ReactNode;
  aside?: ReactNode;
  /** A line below that is never cut. */
  note?: ReactNode;
}

/** The part of a TanStack query that a list looks at. */
export interface ListSource<R> {
  data?: { rows: R[]; total: number };
  error: unknown;
  isPending: boolean;
  /** True while the rows shown are those of the page before. */
  isPlaceholderData?: boolean;
  refetch: () => unknown;
}

export interface EmptyState {
  icon: IconName;
  title: string;
  text?: string;
  action?: { label: string; run: () => void; icon?: IconName };
}
