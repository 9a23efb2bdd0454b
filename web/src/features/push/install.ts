import { useSyncExternalStore } from 'react';

/** Chromium's offer to install the page as an app; no other browser has it. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let held: InstallPrompt | null = null;
const listeners = new Set<() => void>();

function hold(next: InstallPrompt | null): void {
  held = next;
  for (const listener of listeners) listener();
}

/** Keeps the browser's own bar away and the offer for later. Called once, when the app starts. */
export function keepInstallOffer(target: Window): void {
  target.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    hold(event as InstallPrompt);
  });
  target.addEventListener('appinstalled', () => hold(null));
}

/** How to install the app, while the browser offers it. */
export function useInstall(): (() => Promise<void>) | null {
  const prompt = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => held,
  );
  if (!prompt) return null;
  return async () => {
    // An offer can be taken up once.
    hold(null);
    await prompt.prompt();
  };
}
