import { Button, Drawer, NativeSelect, Skeleton } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { Icon } from '../Icon';
import { StateView } from '../StateView';
import classes from './DataList.module.css';
import { ExportButton } from './ExportButton';
import { ListTable } from './ListTable';
import { ColumnMenu, FilterMenu, SearchBox } from './ListTools';
import { NarrowRows } from './NarrowRows';
import { Pager } from './Pager';
import { pageCount } from './pages';
import type { RowTarget } from './row-target';
import type { EmptyState, ListColumn, ListControls, ListFilter, ListSource, NarrowRow } from './types';
import { useColumns } from './use-columns';

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
  /** What to say when there is nothing at all, with nothing searched or filtered. */
  empty: EmptyState;
  /** A part of a page that has its own title and scrolls as a whole: as high as its rows. */
  embedded?: boolean;
}

/**
 * A list of the management pages: title, one line of tools, rows, pages. Search, filters, sort and page come from
 * `useListState`; rows from a query that answers `{rows, total}`. Source: LOOK.md "Tables", "Layout"; look/02.
 */
export function DataList<R>(props: DataListProps<R>) {
  const { title, subtitle, above, action, list, source, embedded } = props;
  // SPEC §9: desktop is above 768 px.
  const narrow = useMediaQuery('(max-width: 768px)', undefined, { getInitialValueInEffect: false }) ?? false;
  const columns = useColumns(props.name, props.columns);
  const total = source.data?.total ?? 0;
  const last = pageCount(total, list.pageSize);

  // The last row of the last page went away: show the page that is now the last.
  const beyond = source.data !== undefined && !source.isPlaceholderData && list.page > last;
  const { setPage } = list;
  useEffect(() => {
    if (beyond) setPage(last);
  }, [beyond, last, setPage]);

  return (
    <section className={classes.root} data-embedded={embedded || undefined} aria-label={embedded ? title : undefined}>
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
      <div className={classes.panel} aria-busy={source.isPending || source.isPlaceholderData}>
        <Body {...props} columns={columns.shown} isNarrow={narrow} />
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
    </section>
  );
}

function Body<R>({ isNarrow, ...props }: DataListProps<R> & { isNarrow: boolean }) {
  const t = useT();
  const { list, source, columns, rowKey, open, actions, narrow, title, empty } = props;
  const late = useLate(source.isPending || source.isPlaceholderData === true);
  if (source.error && !source.data) {
    const retry = { label: t('common.retry'), icon: 'refresh' as const, run: () => void source.refetch() };
    const text = errorText(t, source.error);
    return <StateView icon="warn" tone="bad" title={t('common.listFailed')} text={text} action={retry} />;
  }
  if (!source.data) return late ? <Waiting /> : <div className={classes.grow} />;
  const { rows } = source.data;
  if (rows.length === 0) {
    const searched = list.search !== '' || Object.keys(list.filters).length > 0;
    if (!searched) return <StateView {...empty} />;
    const clear = { label: t('common.clearFilters'), run: list.clear };
    return <StateView icon="filter" title={t('common.noMatch')} text={t('common.noMatchText')} action={clear} />;
  }
  return (
    <div className={classes.rows} data-stale={(late && source.isPlaceholderData) || undefined}>
      {isNarrow ? (
        <NarrowRows label={title} {...{ rows, rowKey, open, narrow, actions }} />
      ) : (
        <ListTable label={title} {...{ rows, rowKey, columns, open, actions }} sort={list.sort} onSort={list.setSort} />
      )}
    </div>
  );
}

/** Of fewer columns none is worth hiding. */
const MENU_FROM = 3;

type Tools<R> = Pick<DataListProps<R>, 'title' | 'list' | 'search' | 'range' | 'filters' | 'onExport' | 'columns'>;

function WideTools<R>(props: Tools<R> & { shown: ReturnType<typeof useColumns<R>> }) {
  const { list, search, range, filters = [], onExport, columns, shown } = props;
  return (
    <div className={classes.tools}>
      {search && <SearchBox label={search} value={list.search} onSearch={list.setSearch} />}
      {range}
      {filters.map((filter) => (
        <FilterMenu
          key={filter.name}
          filter={filter}
          value={list.filters[filter.name]}
          onChange={(value) => list.setFilter(filter.name, value)}
        />
      ))}
      <div className={classes.end}>
        {columns.length > MENU_FROM && <ColumnMenu columns={columns} hidden={shown.hidden} onToggle={shown.toggle} />}
        {onExport && <ExportButton onExport={onExport} />}
      </div>
    </div>
  );
}

/** On a narrow screen the filters, the sort and the export move into one sheet, with the phone's own pickers. */
function NarrowTools<R>({ list, search, filters = [], onExport, columns }: Tools<R>) {
  const t = useT();
  const [opened, sheet] = useDisclosure(false);
  const chosen = filters.filter(({ name }) => list.filters[name]).length;
  const sortable = columns.filter((column) => column.sort);
  const field = (column: ListColumn<R>) => (typeof column.sort === 'string' ? column.sort : column.key);
  const box = search && <SearchBox label={search} value={list.search} onSearch={list.setSearch} />;
  // A sheet with nothing but the export in it would be one tap too many.
  if (filters.length === 0 && sortable.length === 0)
    return (
      <div className={classes.tools}>
        {box}
        {onExport && <ExportButton onExport={onExport} />}
      </div>
    );
  return (
    <div className={classes.tools}>
      {box}
      <Button
        variant="default"
        className={chosen ? classes.sheetOn : undefined}
        leftSection={<Icon name="filter" size={16} />}
        onClick={sheet.open}
      >
        {t('common.filters')}
        {chosen > 0 && <span className={`${classes.columnCount} num`}>{chosen}</span>}
      </Button>
      <Drawer
        opened={opened}
        onClose={sheet.close}
        position="bottom"
        size="auto"
        title={t('common.filters')}
        classNames={{ content: classes.sheetContent }}
      >
        <div className={classes.sheet}>
          {filters.map((filter) => (
            <NativeSelect
              key={filter.name}
              label={filter.label}
              rightSection={<Icon name="down" size={16} />}
              data={[{ value: '', label: t('common.all') }, ...filter.options]}
              value={list.filters[filter.name] ?? ''}
              onChange={(event) => list.setFilter(filter.name, event.currentTarget.value || null)}
            />
          ))}
          {sortable.length > 0 && (
            <NativeSelect
              label={t('common.sortBy')}
              rightSection={<Icon name="down" size={16} />}
              data={sortable.flatMap((column) => [
                { value: field(column), label: `${column.title} · ${t('common.sortAscending')}` },
                { value: `-${field(column)}`, label: `${column.title} · ${t('common.sortDescending')}` },
              ])}
              value={list.sort}
              onChange={(event) => list.setSort(event.currentTarget.value)}
            />
          )}
          {onExport && <ExportButton onExport={onExport} />}
          <Button size="md" onClick={sheet.close}>
            {t('common.done')}
          </Button>
        </div>
      </Drawer>
    </div>
  );
}

/** True once `waiting` has lasted 200 ms (LOOK.md "Loading"). */
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
