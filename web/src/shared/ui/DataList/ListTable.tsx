import 'mantine-datatable/styles.css';
import { VisuallyHidden } from '@mantine/core';
import { DataTable } from 'mantine-datatable';
import type { MouseEvent, ReactNode } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '../Icon';
import classes from './DataList.module.css';
import type { ListColumn, NarrowRow } from './types';

/** Where a row leads. The link makes it reachable by keyboard and by "open in a new tab"; `go` stays inside the app. */
export interface RowTarget<R> {
  href: (row: R) => string;
  go: (row: R) => void;
}

interface RowsProps<R> {
  rows: R[];
  rowKey: (row: R) => string;
  open?: RowTarget<R>;
}

interface ListTableProps<R> extends RowsProps<R> {
  label: string;
  columns: ListColumn<R>[];
  sort: string;
  onSort: (sort: string) => void;
  actions?: (row: R) => ReactNode;
}

const fieldOf = <R,>(column: ListColumn<R>) => (typeof column.sort === 'string' ? column.sort : column.key);

/** The table of a wide screen: sticky head, sort by header, the whole row opens the detail. */
export function ListTable<R>({ label, rows, rowKey, columns, open, sort, onSort, actions }: ListTableProps<R>) {
  const field = sort.replace(/^-/, '');
  return (
    <DataTable<R>
      aria-label={label}
      records={rows}
      idAccessor={rowKey}
      minHeight={0}
      // A wide table is scrolled by keyboard too.
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      className={classes.table}
      classNames={{ header: classes.head }}
      rowClassName={classes.row}
      highlightOnHover
      withRowBorders
      verticalSpacing={0}
      horizontalSpacing={12}
      backgroundColor="var(--at-s1)"
      borderColor="var(--at-line)"
      highlightOnHoverColor="var(--at-s2)"
      noRecordsIcon={<span />}
      noRecordsText=""
      sortStatus={{
        columnAccessor: columns.find((column) => fieldOf(column) === field)?.key ?? '',
        direction: sort.startsWith('-') ? 'desc' : 'asc',
      }}
      onSortStatusChange={({ columnAccessor, direction }) => {
        const column = columns.find(({ key }) => key === columnAccessor);
        if (column) onSort((direction === 'desc' ? '-' : '') + fieldOf(column));
      }}
      // The library turns the icon over for the other direction; ours points down.
      sortIcons={{ sorted: <Icon name="sort" size={14} className={classes.ascending} />, unsorted: <span /> }}
      onRowClick={open && (({ record, event }) => follow(event, () => open.go(record)))}
      columns={[
        ...columns.map((column, index) => ({
          accessor: column.key,
          title: fieldOf(column) === field ? <SortedTitle title={column.title} sort={sort} /> : column.title,
          sortable: Boolean(column.sort),
          textAlign: column.right ? ('right' as const) : undefined,
          width: column.width,
          noWrap: true,
          render: (row: R) => {
            if (index > 0 || !open) return column.render(row);
            return (
              <a
                className={classes.open}
                href={open.href(row)}
                onClick={(event) => {
                  if (!newTab(event)) event.preventDefault();
                }}
              >
                {column.render(row)}
              </a>
            );
          },
        })),
        ...(actions
          ? [
              {
                accessor: '_actions',
                title: '',
                textAlign: 'right' as const,
                width: '0%',
                render: (row: R) => (
                  // biome-ignore lint/a11y/noStaticElementInteractions: only keeps a click on a button from opening the row
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the buttons inside have their own keys
                  <div className={classes.actions} onClick={(event) => event.stopPropagation()}>
                    {actions(row)}
                  </div>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

/** The library does not say the direction to a screen reader. */
function SortedTitle({ title, sort }: { title: string; sort: string }) {
  const t = useT();
  return (
    <b className={classes.sorted}>
      {title}
      <VisuallyHidden>, {sort.startsWith('-') ? t('common.sortDescending') : t('common.sortAscending')}</VisuallyHidden>
    </b>
  );
}

const newTab = (event: MouseEvent) => event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;

/** A click that selects text or asks for another tab opens nothing here. */
function follow(event: MouseEvent, go: () => void): void {
  if (newTab(event) || window.getSelection()?.isCollapsed === false) return;
  go();
}

interface NarrowRowsProps<R> extends RowsProps<R> {
  label: string;
  narrow: (row: R) => NarrowRow;
  actions?: (row: R) => ReactNode;
}

/** Two lines per row, for screens up to 768 px (LOOK.md "Layout"). */
export function NarrowRows<R>({ label, rows, rowKey, open, narrow, actions }: NarrowRowsProps<R>) {
  return (
    <ul className={classes.narrow} aria-label={label}>
      {rows.map((row) => {
        const { title, badge, text, aside } = narrow(row);
        const lines = (
          <>
            <span className={classes.line}>
              <b className={classes.cut}>{title}</b>
              {badge}
            </span>
            <span className={classes.line} data-second>
              <span className={classes.cut}>{text}</span>
              {aside && <span className={`${classes.aside} num`}>{aside}</span>}
            </span>
          </>
        );
        return (
          <li key={rowKey(row)} className={classes.narrowRow}>
            {open ? (
              <a
                className={classes.lines}
                href={open.href(row)}
                onClick={(event) => {
                  if (newTab(event)) return;
                  event.preventDefault();
                  open.go(row);
                }}
              >
                {lines}
              </a>
            ) : (
              <div className={classes.lines}>{lines}</div>
            )}
            {actions?.(row)}
          </li>
        );
      })}
    </ul>
  );
}
