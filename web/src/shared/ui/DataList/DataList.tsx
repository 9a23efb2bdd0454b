import { Skeleton } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { StateView } from '../StateView';
import classes from './DataList.module.css';
import { KeyHelp } from './KeyHelp';
import { NarrowTools, WideTools } from './ListBar';
import { ListTable, type Ticks } from './ListTable';
import { NarrowRows } from './NarrowRows';
import { Pager } from './Pager';
import { pageCount } from './pages';
import type { RowTarget } from './row-target';
import { TickBar } from './TickBar';
import type { EmptyState, ListColumn, ListControls, ListFilter, ListSource, NarrowRow, RowKey } from './types';
import { useColumns } from './use-columns';
import { useRowKeys } from './use-row-keys';
import { useTicks } from './use-ticks';

export interface DataListProps<R> {
  /** Name under which the column choice is remembered. */
  name: string;
  title: string;
  /** Words after the title, such as the number of rows. */
  subtitle?: ReactNode;
  /** Tabs or a note between title and tools. */
  above?: ReactNode;
  /** The page's main action; on a narrow screen it sticks to the bottom. */
  action?: ReactNode;
  list: ListControls;
  source: ListSource<R>;
  columns: ListColumn<R>[];
  rowKey: (row: R) => string;
  narrow: (row: R) => NarrowRow;
  open?: RowTarget<R>;
  /** Small buttons at the end of a row. */
  actions?: (row: R) => ReactNode;
  /** Label of the search field; without it there is none. */
  search?: string;
  /** Days of the list, among the tools. */
  range?: ReactNode;
  filters?: ListFilter[];
  onExport?: () => Promise<void>;
  /** Letters that do something with the chosen row. */
  keys?: RowKey<R>[];
  /** What can be done with several rows; with it each row has a box to tick. */
  bulk?: { name: (row: R) => string; actions: (rows: R[]) => ReactNode };
  /** More to look at when a search finds nothing here. */
  elsewhere?: ReactNode;
  /** What to say when there is nothing at all, with nothing searched or filtered. */
  empty: EmptyState;
  /** Title of the alert when the rows cannot be had. */
  failed?: string;
  /** A part of a page that has its own title and scrolls as a whole: as high as its rows. */
  embedded?: boolean;
}

/**
 * A list of the management pages: title, one line of tools, rows, pages. Search, filters, sort and page come from
 * `useListState`; rows from a query that answers `{rows, total}`.
 */
export function DataList<R>(props: DataListProps<R>) {
  const { title, subtitle, above, action, list, source, embedded } = props;
  // Desktop is above 768 px.
  const narrow = useMediaQuery('(max-width: 768px)', undefined, { getInitialValueInEffect: false }) ?? false;
  const columns = useColumns(props.name, props.columns);
  const total = source.data?.total ?? 0;
  const last = pageCount(total, list.pageSize);

  // The last row of the last page went away: show the page that is now the last.
  const root = useRef<HTMLElement>(null);
  const [helps, help] = useDisclosure(false);
  const rows: R[] = source.data?.rows ?? NO_ROWS;
  const ticks = useTicks(rows, props.rowKey, props.bulk?.name);
  const onHelp = useCallback(() => help.open(), [help.open]);
  const keys: RowKey<R>[] = props.keys ?? NO_KEYS;
  useRowKeys({ root, rows, keys, onTick: ticks?.toggle, onHelp });

  const beyond = source.data !== undefined && !source.isPlaceholderData && list.page > last;
  const { setPage } = list;
  useEffect(() => {
    if (beyond) setPage(last);
  }, [beyond, last, setPage]);

  return (
    <section
      ref={root}
      className={classes.root}
      data-embedded={embedded || undefined}
      aria-label={embedded ? title : undefined}
    >
      {!embedded && (
        <div className={classes.title}>
          <h1>{title}</h1>
          {subtitle && <span className={`${classes.subtitle} num`}>{subtitle}</span>}
          <span className={classes.grow} />
          {!narrow && action}
        </div>
      )}
      {above}
      {narrow && props.range}
      {narrow ? <NarrowTools {...props} /> : <WideTools {...props} shown={columns} />}
      {props.bulk && ticks && ticks.chosen.length > 0 && (
        <TickBar count={ticks.chosen.length} onClear={ticks.clear}>
          {props.bulk.actions(ticks.chosen)}
        </TickBar>
      )}
      <div className={classes.panel} aria-busy={source.isPending || source.isPlaceholderData}>
        <Body {...props} columns={columns.shown} isNarrow={narrow} ticks={ticks} />
        {total > 0 && (
          <Pager
            page={Math.min(list.page, last)}
            pageSize={list.pageSize}
            total={total}
            onPage={setPage}
            onPageSize={list.setPageSize}
          />
        )}
      </div>
      {narrow && action && <div className={classes.bottom}>{action}</div>}
      <KeyHelp
        opened={helps}
        onClose={help.close}
        own={keys}
        ticks={props.bulk !== undefined}
        searches={props.search !== undefined}
      />
    </section>
  );
}

/** The same empty lists in each drawing, so that nothing is registered anew. */
const NO_ROWS: never[] = [];
const NO_KEYS: never[] = [];

function Body<R>({ isNarrow, ticks, ...props }: DataListProps<R> & { isNarrow: boolean; ticks?: Ticks<R> }) {
  const t = useT();
  const { list, source, columns, rowKey, open, actions, narrow, title, empty, failed } = props;
  const late = useLate(source.isPending || source.isPlaceholderData === true);
  if (source.error && !source.data) {
    const retry = { label: t('common.retry'), icon: 'refresh' as const, run: () => void source.refetch() };
    const text = errorText(t, source.error);
    return <StateView icon="warn" tone="bad" title={failed ?? t('common.listFailed')} text={text} action={retry} />;
  }
  if (!source.data) return late ? <Waiting /> : <div className={classes.grow} />;
  const { rows } = source.data;
  if (rows.length === 0) {
    const searched = list.search !== '' || Object.keys(list.filters).length > 0;
    if (!searched) return <StateView {...empty} />;
    const clear = { label: t('common.clearFilters'), run: list.clear };
    return (
      <div className={classes.nothing}>
        <StateView icon="filter" title={t('common.noMatch')} text={t('common.noMatchText')} action={clear} />
        {list.search !== '' && props.elsewhere}
      </div>
    );
  }
  return (
    <div className={classes.rows} data-stale={(late && source.isPlaceholderData) || undefined}>
      {isNarrow ? (
        <NarrowRows label={title} {...{ rows, rowKey, open, narrow, actions }} />
      ) : (
        <ListTable
          label={title}
          {...{ rows, rowKey, columns, open, actions, ticks }}
          sort={list.sort}
          onSort={list.setSort}
        />
      )}
    </div>
  );
}

/** True once `waiting` has lasted 200 ms. */
function useLate(waiting: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!waiting) return;
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, [waiting]);
  return late && waiting;
}

function Waiting() {
  return (
    <div className={classes.waiting} aria-hidden="true" data-testid="list-skeleton">
      {[62, 48, 70, 55, 66, 44, 58, 51].map((width) => (
        <div key={width}>
          <Skeleton h={12} w={`${width * 0.4}%`} />
          <Skeleton h={12} w={`${width * 0.3}%`} />
          <Skeleton h={12} w={`${width * 0.2}%`} />
        </div>
      ))}
    </div>
  );
}
