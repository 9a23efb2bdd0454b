import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';

/** The place of the row whose middle is nearest to `y`. */
export function placeAt(middles: readonly number[], y: number): number {
  let best = 0;
  for (const [place, middle] of middles.entries()) {
    if (Math.abs(middle - y) < Math.abs((middles[best] ?? 0) - y)) best = place;
  }
  return best;
}

/**
 * Another order by the handle of a row: dragging it with mouse or finger, or the arrow keys on it.
 * `onMove` is called at each step, so that the list shows where the row will be.
 */
export function useReorder(count: number, onMove: (from: number, to: number) => void) {
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const rows = () => Array.from(list.current?.children ?? []);

  const onKey = (from: number) => (event: KeyboardEvent) => {
    const to = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0 || to >= count) return;
    onMove(from, to);
    // The handle goes with its row.
    requestAnimationFrame(() => rows()[to]?.querySelector('button')?.focus());
  };

  const onPress = (from: number) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    let at = from;
    setDragged(at);
    const follow = ({ clientY }: globalThis.PointerEvent) => {
      const middles = rows().map((row) => {
        const { top, height } = row.getBoundingClientRect();
        return top + height / 2;
      });
      const to = placeAt(middles, clientY);
      if (to === at) return;
      onMove(at, to);
      at = to;
      setDragged(to);
    };
    const end = () => {
      setDragged(null);
      window.removeEventListener('pointermove', follow);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
    window.addEventListener('pointermove', follow);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  };
  return { list, dragged, onKey, onPress };
}
