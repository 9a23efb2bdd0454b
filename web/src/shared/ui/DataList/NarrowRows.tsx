import type { ReactNode } from 'react';
import classes from './DataList.module.css';
import { newTab, type RowTarget } from './row-target';
import type { NarrowRow } from './types';

interface NarrowRowsProps<R> {
  label: string;
  rows: R[];
  rowKey: (row: R) => string;
  open?: RowTarget<R>;
  narrow: (row: R) => NarrowRow;
  actions?: (row: R) => ReactNode;
}

/** Two lines per row, a third for what must be read whole, for screens up to 768 px. The browser draws only those in sight. */
export function NarrowRows<R>({ label, rows, rowKey, open, narrow, actions }: NarrowRowsProps<R>) {
  return (
    <ul className={classes.narrow} aria-label={label}>
      {rows.map((row) => {
        const { title, badge, keep, text, aside, note } = narrow(row);
        const lines = (
          <>
            <span className={classes.line}>
              <b className={classes.cut}>{title}</b>
              {badge}
            </span>
            <span className={classes.line} data-second>
              {keep && <span className={classes.keep}>{keep}</span>}
              <span className={classes.cut}>{text}</span>
              {aside && <span className={`${classes.aside} num`}>{aside}</span>}
            </span>
            {note && <span className={classes.note}>{note}</span>}
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
