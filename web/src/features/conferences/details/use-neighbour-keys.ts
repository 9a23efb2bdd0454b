import { useEffect } from 'react';

interface Neighbours {
  previous?: string;
  next?: string;
  onGo?: (id: string) => void;
}

/** What has arrow keys of its own. */
const OWN_ARROWS =
  'input, textarea, select, [role="tab"], [role="menu"], [role="slider"], [contenteditable], .leaflet-container, video';

/** Left and right go through the list while its panel is open. */
export function useNeighbourKeys(opened: boolean, { previous, next, onGo }: Neighbours): void {
  useEffect(() => {
    if (!opened || !onGo) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(OWN_ARROWS)) return;
      const id = event.key === 'ArrowLeft' ? previous : event.key === 'ArrowRight' ? next : undefined;
      if (!id) return;
      event.preventDefault();
      onGo(id);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [opened, previous, next, onGo]);
}
