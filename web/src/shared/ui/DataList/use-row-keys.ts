import { type RefObject, useEffect } from 'react';
import type { RowKey } from './types';

interface RowKeysOptions<R> {
  /** The list's own section: rows and search field are looked for inside. */
  root: RefObject<HTMLElement | null>;
  rows: R[];
  keys: RowKey<R>[];
  /** Ticks a row, where several can be chosen. */
  onTick?: (row: R) => void;
  onHelp: () => void;
}

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** A dialog or a panel has the keyboard; so has a menu. */
const covered = () => document.querySelector('[aria-modal="true"], [role="menu"]') !== null;

/** The links of the rows in sight; the one that has the focus is the chosen row. */
const links = (root: HTMLElement) => [...root.querySelectorAll<HTMLElement>('tbody tr[aria-rowindex] a[data-row]')];

/** Place among all rows, from 0; -1 without a chosen row. */
function chosenIndex(root: HTMLElement): number {
  const row = root.contains(document.activeElement) ? document.activeElement?.closest('tr[aria-rowindex]') : null;
  return row ? Number(row.getAttribute('aria-rowindex')) - 2 : -1;
}

function move(root: HTMLElement, step: 1 | -1): void {
  const all = links(root);
  const at = all.findIndex((link) => link.closest('tr') === document.activeElement?.closest('tr'));
  const next = at < 0 ? all[0] : all[at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/**
 * The keys of a list: J and K go from row to row, Enter opens (the row is a link), `/` searches, `?` lists the keys, and
 * one letter each does what the row offers. They rest while somebody types or a dialog is open.
 */
export function useRowKeys<R>({ root, rows, keys, onTick, onHelp }: RowKeysOptions<R>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const list = root.current;
      if (!list || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (typing(event.target) || covered()) return;
      const pressed = event.key.toLowerCase();
      const row = rows[chosenIndex(list)];
      const own = row !== undefined && keys.find(({ key }) => key === pressed);
      if (pressed === 'j' || pressed === 'k') move(list, pressed === 'j' ? 1 : -1);
      else if (pressed === '/') list.querySelector<HTMLInputElement>('input[type="search"]')?.focus();
      else if (pressed === '?') onHelp();
      else if (pressed === 'x' && row !== undefined && onTick) onTick(row);
      else if (own) own.run(row as R);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [root, rows, keys, onTick, onHelp]);
}
