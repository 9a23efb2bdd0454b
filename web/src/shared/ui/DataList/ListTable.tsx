import { VisuallyHidden } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useRef } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '../Icon';
import classes from './DataList.module.css';
import { nextSort } from './pages';
import { follow, newTab, type RowTarget } from './row-target';
import type { ListColumn } from './types';
import { useMoreBeside } from './use-more-beside';
import { useSteadyColumns } from './use-steady-columns';

interface ListTableProps<R> {
  label: string;
  rows: R[];
  rowKey: (row: R) => string;
  open?: RowTarget<R>;
  columns: ListColumn<R>[];
  sort: string;
  onSort: (sort: string) => void;
  actions?: (row: R) => ReactNode;
  /** Which rows are ticked, where several can be chosen. */
  ticks?: Ticks<R>;
}

export interface Ticks<R> {
  has: (row: R) => boolean;
  toggle: (row: R) => void;
  /** All of this page, or none. */
  toggleAll: () => void;
  all: boolean;
  some: boolean;
  name: (row: R) => string;
}

/** Px of a row with its line. */
const ROW = 45;
/** From this many rows on, only those in sight are drawn. */
const VIRTUAL_FROM = 60;

/** The table of a wide screen: sticky head, sort by header, the whole row opens the detail, long pages virtualised. */
export function ListTable<R>({ label, rows, rowKey, columns, open, sort, onSort, actions, ticks }: ListTableProps<R>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = rows.length >= VIRTUAL_FROM;
  const layout = `${columns.map(({ key }) => key)}${rows[0] && rowKey(rows[0])}`;
  const { table, box } = useSteadyColumns(virtual, layout, scroller);
  useMoreBeside(scroller, layout);
  const virtualizer = useVirtualizer({
    count: rows.length,
    enabled: virtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const first = virtual ? (items[0]?.index ?? 0) : 0;
  const end = virtual ? (items.at(-1)?.index ?? -1) + 1 : rows.length;
  const width = columns.length + (actions ? 1 : 0) + (ticks ? 1 : 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too
    <div className={classes.table} ref={box} tabIndex={0}>
      <table ref={table} aria-label={label} aria-rowcount={rows.length + 1}>
        <colgroup>
          {ticks && <col className={classes.tickColumn} />}
          {columns.map((column) => (
            <col key={column.key} />
          ))}
          {actions && <col />}
        </colgroup>
        <thead className={classes.head}>
          <tr>
            {ticks && <TicksHead ticks={ticks} />}
            {columns.map((column) => (
              <Head
                key={column.key}
                column={column}
                longest={virtual ? longestOf(column, rows) : undefined}
                {...{ sort, onSort }}
              />
            ))}
            {actions && <ActionsHead />}
          </tr>
        </thead>
        <tbody>
          <Space height={first * ROW} width={width} />
          {rows.slice(first, end).map((row, index) => (
            <Row
              key={rowKey(row)}
              index={first + index}
              {...{ row, columns, open, actions, ticks, ticked: ticks?.has(row) }}
            />
          ))}
          <Space height={(rows.length - end) * ROW} width={width} />
        </tbody>
      </table>
    </div>
  );
}

/** The longest text of a column that must show whole: rows out of sight do not widen their column. */
function longestOf<R>({ whole }: ListColumn<R>, rows: R[]): string | undefined {
  if (!whole) return undefined;
  return rows
    .map((row) => whole(row) ?? '')
    .reduce((longest, one) => (one.length > longest.length ? one : longest), '');
}

interface RowProps<R> {
  row: R;
  /** Place among all rows, from 0. */
  index: number;
  columns: ListColumn<R>[];
  open?: RowTarget<R>;
  actions?: (row: R) => ReactNode;
  ticks?: Ticks<R>;
  ticked?: boolean;
}

function PlainRow<R>({ row, index, columns, open, actions, ticks, ticked }: RowProps<R>) {
  return (
    <tr
      className={classes.row}
      data-opens={open ? true : undefined}
      data-ticked={ticked || undefined}
      aria-rowindex={index + 2}
      onClick={open && ((event) => follow(event, () => open.go(row)))}
    >
      {ticks && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a click beside the box from opening the row
        <td className={classes.tick} onClick={(event) => event.stopPropagation()}>
          <input
            type="checkbox"
            aria-label={ticks.name(row)}
            checked={ticked ?? false}
            onChange={() => ticks.toggle(row)}
          />
        </td>
      )}
      {columns.map((column, at) => (
        <td key={column.key} data-right={column.right || undefined}>
          {at === 0 && open ? <RowLink row={row} open={open} column={column} /> : column.render(row)}
        </td>
      ))}
      {actions && (
        <td className={classes.last}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps a click on a button from opening the row */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons inside have their own keys */}
          <div className={classes.actions} onClick={(event) => event.stopPropagation()}>
            {actions(row)}
          </div>
        </td>
      )}
    </tr>
  );
}

/** While one scrolls, only the rows that come into sight are drawn anew. */
const Row = memo(PlainRow) as typeof PlainRow;

/** The rows that are not drawn, above or below those in sight. */
const Space = ({ height, width }: { height: number; width: number }) =>
  height > 0 ? (
    <tr className={classes.space}>
      <td colSpan={width} style={{ height }} />
    </tr>
  ) : null;

function TicksHead<R>({ ticks }: { ticks: Ticks<R> }) {
  const t = useT();
  return (
    <th className={classes.tick}>
      <input
        type="checkbox"
        aria-label={t('common.tickAll')}
        checked={ticks.all}
        ref={(box) => {
          if (box) box.indeterminate = ticks.some && !ticks.all;
        }}
        onChange={ticks.toggleAll}
      />
    </th>
  );
}

function ActionsHead() {
  const t = useT();
  return (
    <th className={classes.last}>
      <VisuallyHidden>{t('common.actions')}</VisuallyHidden>
    </th>
  );
}

function RowLink<R>({ row, open, column }: { row: R; open: RowTarget<R>; column: ListColumn<R> }) {
  return (
    <a
      className={classes.open}
      data-row
      href={open.href(row)}
      onClick={(event) => {
        // The row itself goes there.
        if (!newTab(event)) event.preventDefault();
      }}
    >
      {column.render(row)}
    </a>
  );
}

interface HeadProps<R> {
  column: ListColumn<R>;
  /** What the column must have room for. */
  longest?: string;
  sort: string;
  onSort: (sort: string) => void;
}

function Head<R>({ column, longest, sort, onSort }: HeadProps<R>) {
  const field = typeof column.sort === 'string' ? column.sort : column.key;
  const down = sort === `-${field}`;
  const sorted = Boolean(column.sort) && (down || sort === field);
  return (
    <th
      data-right={column.right || undefined}
      aria-sort={sorted ? (down ? 'descending' : 'ascending') : undefined}
      style={{ width: column.width }}
    >
      <span className={classes.headCell}>
        {column.sort ? (
          <button
            type="button"
            className={classes.sort}
            data-on={sorted || undefined}
            onClick={() => onSort(nextSort(sort, field))}
          >
            {column.title}
            {sorted && <Icon name="sort" size={14} className={down ? undefined : classes.ascending} />}
          </button>
        ) : (
          column.title
        )}
      </span>
      {longest && (
        <span className={`${classes.sizer} num`} aria-hidden="true">
          {longest}
        </span>
      )}
    </th>
  );
}
