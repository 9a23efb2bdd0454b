import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { heldPreference, readPreference, writePreference } from '@/shared/lib/preferences';
import { session } from '@/shared/session';
import type { ListColumn } from './types';

/** Keys of the columns that are switched off; anything but a list of known keys counts as never chosen. */
export function hiddenOf(
  stored: unknown,
  columns: Pick<ListColumn<never>, 'key' | 'fixed' | 'off'>[],
  compact = false,
): string[] {
  const isOff = ({ off }: (typeof columns)[number]) => (off === 'compact' ? compact : off);
  const chosen = Array.isArray(stored) ? stored : columns.filter(isOff).map((column) => column.key);
  return columns.filter((column) => !column.fixed && chosen.includes(column.key)).map((column) => column.key);
}

/** Windows in which the longest lists do not fit beside the sidebar. */
const COMPACT = '(max-width: 1400px)';

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
  const compact = useMediaQuery(COMPACT, undefined, { getInitialValueInEffect: false }) ?? false;
  const hidden = hiddenOf(stored, columns, compact);
  const toggle = (column: string) => {
    const next = hidden.includes(column) ? hidden.filter((other) => other !== column) : [...hidden, column];
    setStored(next);
    void writePreference(key, next);
  };
  return { hidden, toggle, shown: columns.filter((column) => !hidden.includes(column.key)) };
}
