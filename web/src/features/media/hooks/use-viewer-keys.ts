import { type RefObject, useEffect, useRef } from 'react';

interface ViewerKeys {
  step: (by: 1 | -1) => void;
  zoom: (factor: number) => void;
  whole: () => void;
  rotate: () => void;
  fullscreen: () => void;
  /** Absent where nothing can be measured. */
  measure?: () => void;
  /** Out of the comparison, while there is one. */
  leave?: () => void;
}

/** Zoom of one press of + or −. */
export const KEY_ZOOM = 1.5;

const ownsKeys = 'input, textarea, select, video, [contenteditable="true"], [role="listbox"], [role="menu"]';

/**
 * Arrows, + and −, 0, R, M and F work wherever the focus is, except where a key belongs to what has it (a field, a video's
 * bar) and except while a dialog lies over the viewer. Esc leaves
 * a comparison; otherwise it belongs to the dialog or the full screen.
 */
export function useViewerKeys(viewer: RefObject<HTMLElement | null>, keys: ViewerKeys, enabled: boolean): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    if (!enabled) return;
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (event.ctrlKey || event.altKey || event.metaKey || target?.closest(ownsKeys)) return;
      const above = target?.closest('[role="dialog"]');
      if (above && !above.contains(viewer.current)) return;
      const { step, zoom, whole, rotate, fullscreen, measure, leave } = current.current;
      const act: Record<string, () => void> = {
        ArrowLeft: () => step(-1),
        ArrowRight: () => step(1),
        '+': () => zoom(KEY_ZOOM),
        '=': () => zoom(KEY_ZOOM),
        '-': () => zoom(1 / KEY_ZOOM),
        '0': whole,
        r: rotate,
        f: fullscreen,
        ...(measure && { m: measure }),
        ...(leave && !document.fullscreenElement && { Escape: leave }),
      };
      const run = act[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [viewer, enabled]);
}
