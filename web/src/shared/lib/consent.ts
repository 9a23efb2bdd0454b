import { useSyncExternalStore } from 'react';

// The choice of the cookie banner.

export type Choice = 'allow' | 'deny';

const NAME = 'cookieconsent_status';
/** Twelve months, seconds; then it is asked again. */
const MAX_AGE_S = 31_536_000;

/** Held too, so that a browser that takes no cookies is not asked on every page. */
let held: Choice | null = null;
/** True while a choice is being made again. */
let reopened = false;
const listeners = new Set<() => void>();

const changed = () => {
  for (const listener of listeners) listener();
};

/** What was chosen in this browser; null before that. */
export function storedChoice(): Choice | null {
  const found = /(?:^|; )cookieconsent_status=(allow|deny)(?:;|$)/.exec(document.cookie)?.[1];
  return (found as Choice | undefined) ?? held;
}

/** Whether nothing may be remembered beyond what the service needs. */
export const isDenied = (): boolean => storedChoice() === 'deny';

/** Remembers the choice. A no removes every cookie that scripts see, except the one that says no. */
export function choose(choice: Choice): void {
  held = choice;
  reopened = false;
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  if (choice === 'deny') removeCookies(secure);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox ESR and Safari.
  document.cookie = `${NAME}=${choice}; path=/; max-age=${MAX_AGE_S}; samesite=lax${secure}`;
  changed();
}

/**
 * All of them have the path `/`: no other one of ours is visible to scripts. One whose name begins with `__Host-` is changed
 * by a secure line only, even to take it away.
 */
function removeCookies(secure: string): void {
  for (const part of document.cookie.split('; ')) {
    const name = part.split('=')[0];
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox ESR and Safari.
    if (name && name !== NAME) document.cookie = `${name}=; path=/; max-age=0; samesite=lax${secure}`;
  }
}

/** Shows the banner again: consent is withdrawn as easily as it was given. */
export function askAgain(): void {
  reopened = true;
  changed();
}

/** Forgets what this page holds; for tests. */
export function resetConsent(): void {
  held = null;
  reopened = false;
}

type State = 'asking' | 'again' | Choice;

/** `asking` before the first choice, `again` while it is being changed, else the choice. */
export const consentState = (): State => (reopened ? 'again' : (storedChoice() ?? 'asking'));

export function useConsent(): State {
  return useSyncExternalStore((onChange) => {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  }, consentState);
}
