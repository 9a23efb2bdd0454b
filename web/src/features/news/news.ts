import { useSyncExternalStore } from 'react';

// Local storage keys, spelled as browsers have stored them for years. A logout leaves both.
/** The news have opened once, by themselves or by the entry: they never open by themselves again. */
const SEEN = 'hasSeenNewFeautures';
/** The entry "Novedades" was followed at least once: it loses its dot. */
const CLICKED = 'clickedOnNews';
const YES = 'true';

/** Milliseconds from the first visit until the news open by themselves. */
export const OPENS_AFTER_MS = 2000;

const listeners = new Set<() => void>();
let opened = false;

function tell(): void {
  for (const listener of listeners) listener();
}

/** A browser whose storage is closed to us remembers nothing, so nothing opens by itself there. */
function remembered(key: string): boolean {
  try {
    return window.localStorage.getItem(key) !== null;
  } catch {
    return true;
  }
}

function remember(key: string): void {
  try {
    window.localStorage.setItem(key, YES);
  } catch {
    // As above.
  }
}

export const mayOpenByItself = (): boolean => !remembered(SEEN) && !remembered(CLICKED);

/** `asked`: somebody followed the entry; without it they open by themselves. */
export function openNews(asked: boolean): void {
  remember(SEEN);
  if (asked) remember(CLICKED);
  opened = true;
  tell();
}

export function closeNews(): void {
  opened = false;
  tell();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const useNewsOpened = (): boolean => useSyncExternalStore(subscribe, () => opened);

/** Whether the entry still carries its dot. */
export const useNewsUnseen = (): boolean => useSyncExternalStore(subscribe, () => !remembered(CLICKED));
