import { useElementSize, useMergedRef } from '@mantine/hooks';
import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Column widths that do not move while one scrolls: the browser lays the first rows out as it likes, then the widths
 * stay until the columns, the rows (`layout`) or the room for them change. Only needed where not every row is drawn.
 */
export function useSteadyColumns(active: boolean, layout: unknown, scroller: RefObject<HTMLDivElement | null>) {
  const table = useRef<HTMLTableElement>(null);
  const { ref: sized, width } = useElementSize<HTMLDivElement>();
  const box = useMergedRef(scroller, sized);
  // `layout` and `width` only say when to measure again.
  useLayoutEffect(() => {
    const element = table.current;
    const columns = element ? [...element.querySelectorAll('col')] : [];
    if (!element) return;
    element.style.tableLayout = '';
    element.style.width = '';
    for (const column of columns) column.style.width = '';
    if (!active) return;
    const widths = [...element.querySelectorAll('thead th')].map((head) => head.getBoundingClientRect().width);
    columns.forEach((column, index) => {
      column.style.width = `${widths[index] ?? 0}px`;
    });
    element.style.width = `${widths.reduce((sum, one) => sum + one, 0)}px`;
    element.style.tableLayout = 'fixed';
  }, [active, layout, width]);
  return { table, box };
}
