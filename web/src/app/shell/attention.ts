import { useDocumentVisibility, useReducedMotion } from '@mantine/hooks';
import { useEffect } from 'react';
import { setTitleAlert } from '@/shared/lib/page';

/** How long each of the two titles stays, milliseconds. */
const TURN_MS = 1_000;
const CALM_ICON = '/mark.svg';
/** The mark with an amber light: somebody waits. */
const CALLING_ICON = '/mark-waiting.svg';

function setIcon(href: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link && link.getAttribute('href') !== href) link.setAttribute('href', href);
}

/**
 * Title and icon of the tab take turns while `text` is given: somebody waits, and the person looks elsewhere. With
 * reduced motion they stay on the calling ones.
 */
export function useAttention(text: string | null): void {
  const still = useReducedMotion();
  useEffect(() => {
    if (!text) return undefined;
    let calling = false;
    const turn = () => {
      calling = !calling || still;
      setTitleAlert(calling ? text : null);
      setIcon(calling ? CALLING_ICON : CALM_ICON);
    };
    turn();
    const timer = setInterval(turn, TURN_MS);
    return () => {
      clearInterval(timer);
      setTitleAlert(null);
      setIcon(CALM_ICON);
    };
  }, [text, still]);
}

/** Whether the person looks at another tab or has the window minimised. */
export const useHiddenTab = () => useDocumentVisibility() === 'hidden';
