/**
 * Runs `start` in one tab of this browser at a time; when that tab goes, the next one starts. Every open stream takes
 * one of the six connections that a browser allows to a server over HTTP/1.1, whatever the number of tabs.
 * Answers how to stop. Without Web Locks every tab runs its own.
 */
export function inOneTab(name: string, start: () => () => void, locks: LockManager | undefined = navigator.locks) {
  if (!locks) return start();
  const stopped = new AbortController();
  const hold = () =>
    new Promise<void>((resolve) => {
      if (stopped.signal.aborted) {
        resolve();
        return;
      }
      const stop = start();
      stopped.signal.addEventListener('abort', () => {
        stop();
        resolve();
      });
    });
  // Stopped while it waited for its turn.
  locks.request(name, { signal: stopped.signal }, hold).catch(() => {});
  return () => stopped.abort();
}
