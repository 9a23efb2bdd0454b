import { type RefObject, useEffect } from 'react';

/** Rounded widths differ by less than this. Px. */
const ROUNDING_PX = 1;

/** Whether a box scrolled sideways by `left` still hides something on its right. All in px. */
export const hasMoreBeside = (left: number, shown: number, whole: number): boolean =>
  whole - shown - left > ROUNDING_PX;

/** Marks the box with `data-more` while columns are hidden on its right: its style shows an edge there. */
export function useMoreBeside(box: RefObject<HTMLElement | null>, layout: unknown): void {
  // `layout` only says when to look again.
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () =>
      element.toggleAttribute('data-more', hasMoreBeside(element.scrollLeft, element.clientWidth, element.scrollWidth));
    look();
    element.addEventListener('scroll', look, { passive: true });
    const sizes = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(look);
    sizes?.observe(element);
    if (element.firstElementChild) sizes?.observe(element.firstElementChild);
    return () => {
      element.removeEventListener('scroll', look);
      sizes?.disconnect();
    };
  }, [box, layout]);
}
