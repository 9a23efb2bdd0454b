import { useRef, useSyncExternalStore } from 'react';
import { Renewal } from './renewal';
import { type Session, SessionStore } from './session';

export type { EndReason, Session } from './session';

/** The session of this page, and its renewal. Tests build their own. */
export const session = new SessionStore(window.localStorage, Date.now);
export const renewal = new Renewal({
  session,
  storage: window.localStorage,
  fetch: (input, init) => window.fetch(input, init),
  now: Date.now,
  locks: navigator.locks,
});

/** The session as React state; `null` when logged out. */
export function useSession(): Session | null {
  return useSyncExternalStore(
    (onChange) => session.subscribe(onChange),
    () => session.peek(),
  );
}

/** For screens behind the guard, which exist only with a session. */
export function useRequiredSession(): Session {
  const found = useSession();
  // While the router leaves a guarded screen after a logout, that screen renders once more with the session it had.
  const last = useRef<Session | null>(found);
  if (found) last.current = found;
  if (!last.current) throw new Error('this screen needs a session: it is rendered outside the guarded routes');
  return last.current;
}
