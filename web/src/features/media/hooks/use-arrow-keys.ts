import { useEffect } from 'react';
import type { MediaItem } from '@/api/types';
import { neighbour } from '../model';

/** Left and right go to the neighbours, except where a key belongs to what has the focus (a field, a video's bar). */
export function useArrowKeys(
  items: readonly MediaItem[],
  openId: string | null,
  onItem: (id: string) => void,
  enabled = true,
): void {
  useEffect(() => {
    if (!openId || !enabled) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      const own = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, video');
      if (own || event.ctrlKey || event.altKey || event.metaKey) return;
      const next = neighbour(items, openId, event.key === 'ArrowRight' ? 1 : -1);
      if (!next) return;
      event.preventDefault();
      onItem(next._id);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [items, openId, onItem, enabled]);
}
