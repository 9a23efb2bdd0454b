import { useEffect, useState } from 'react';
import { heldPreference, readPreference, writePreference } from '@/shared/lib/preferences';
import { session } from '@/shared/session';
import type { ListColumn } from './types';

/** Keys of the columns that are switched off; anything but a list of known keys counts as never chosen. */
export function hiddenOf(stored: unknown, columns: Pick<ListColumn<never>, 'key' | 'fixed' | 'off'>[]): string[] {
  const chosen = Array.isArray(stored) ? stored : columns.filter((column) => column.off).map((column) => column.key);
  return columns.filter((column) => !column.fixed && chosen.includes(column.key)).map((column) => column.key);
}

/** Which columns are shown, remembered per person and list. */
export function useColumns<R>(list: string, columns: ListColumn<R>[]) {
  const key = `${session.peek()?.user._id ?? ''}.columns.${list}`;
  const [stored, setStored] = useState<unknown>(() => heldPreference(key));
  useEffect(() => {
    let left = false;
    void readPreference(key).then((value) => !left && setStored(value));
    return () => {
      left = true;
    };
  }, [key]);
  const hidden = hiddenOf(stored, columns);
  const toggle = (column: string) => {
    const next = hidden.includes(column) ? hidden.filter((other) => other !== column) : [...hidden, column];
    setStored(next);
    void writePreference(key, next);
  };
  return { hidden, toggle, shown: columns.filter((column) => !hidden.includes(column.key)) };
}
