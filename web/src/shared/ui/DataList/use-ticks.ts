import { useEffect, useMemo, useState } from 'react';
import type { Ticks } from './ListTable';

/**
 * Which rows of the shown page are ticked; without `name`, nothing can be. What is no longer shown is no longer ticked: a
 * bulk action never touches rows out of sight.
 */
export function useTicks<R>(rows: R[], rowKey: (row: R) => string, name?: (row: R) => string) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const shown = rows.map(rowKey).join();
  useEffect(() => {
    const here = new Set(shown.split(','));
    setTicked((before) => {
      const kept = [...before].filter((key) => here.has(key));
      return kept.length === before.size ? before : new Set(kept);
    });
  }, [shown]);
  return useMemo((): (Ticks<R> & { chosen: R[]; clear: () => void }) | undefined => {
    if (!name) return undefined;
    const chosen = rows.filter((row) => ticked.has(rowKey(row)));
    const all = rows.length > 0 && chosen.length === rows.length;
    return {
      chosen,
      all,
      name,
      some: chosen.length > 0,
      has: (row) => ticked.has(rowKey(row)),
      toggle: (row) =>
        setTicked((before) => {
          const next = new Set(before);
          if (!next.delete(rowKey(row))) next.add(rowKey(row));
          return next;
        }),
      toggleAll: () => setTicked(all ? new Set() : new Set(rows.map(rowKey))),
      clear: () => setTicked(new Set()),
    };
  }, [rows, ticked, rowKey, name]);
}
