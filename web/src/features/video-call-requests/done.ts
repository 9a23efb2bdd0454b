import { useSyncExternalStore } from 'react';
import { session } from '@/shared/session';
import { answerOf, type VideoCallRequest } from './model';

// Answers that the starter has seen to. In local storage, so that another tab and the way back from the call know too;
// a logout clears it.
const KEY = 'videocallRequestsDone';
const KEPT = 30;
const listeners = new Set<() => void>();
let known: { text: string; ids: readonly string[] } = { text: '', ids: [] };

function read(): readonly string[] {
  const text = window.localStorage.getItem(KEY) ?? '';
  if (text !== known.text) known = { text, ids: text.split(' ').filter(Boolean) };
  return known.ids;
}

/** Remembers that an answer was dealt with: entered, tried again, left. */
export function markDone(request: VideoCallRequest): void {
  const answer = answerOf(request);
  if (!session.peek() || read().includes(answer)) return;
  window.localStorage.setItem(KEY, [...read(), answer].slice(-KEPT).join(' '));
  for (const listener of listeners) listener();
}

export const isDone = (request: VideoCallRequest) => read().includes(answerOf(request));

/** The answers that were dealt with (`answerOf`). */
export function useDone(): readonly string[] {
  return useSyncExternalStore((onChange) => {
    listeners.add(onChange);
    window.addEventListener('storage', onChange);
    return () => {
      listeners.delete(onChange);
      window.removeEventListener('storage', onChange);
    };
  }, read);
}
