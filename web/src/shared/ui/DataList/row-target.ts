import type { MouseEvent } from 'react';

/** Where a row leads. The link makes it reachable by keyboard and by "open in a new tab"; `go` stays inside the app. */
export interface RowTarget<R> {
  href: (row: R) => string;
  go: (row: R) => void;
}

export const newTab = (event: MouseEvent): boolean =>
  event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;

/** A click that selects text or asks for another tab opens nothing here. */
export function follow(event: MouseEvent, go: () => void): void {
  if (newTab(event) || window.getSelection()?.isCollapsed === false) return;
  go();
}
