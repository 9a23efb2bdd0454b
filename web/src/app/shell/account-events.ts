import { useCallback, useEffect, useState } from 'react';
import type { User } from '@/api/types';
import { useSession } from '@/shared/session';
import { refreshAccount } from '@/shared/session/refresh-account';
import { socketEvents, useSocketConnection, useSocketEvent, useSocketSync } from '@/shared/socket';

/** State of the entries that lead to video-call requests. */
export type MenuState = 'blocked' | 'unblocked' | 'mobile-unblocked';

const STATES: readonly unknown[] = ['blocked', 'unblocked', 'mobile-unblocked'] satisfies MenuState[];

/** Reads the payload of an `unblockMenu` event; `null` when it says nothing that we know. */
export function readMenuState(payload: unknown): MenuState | null {
  const state = (payload as { state?: unknown } | null)?.state;
  return STATES.includes(state) ? (state as MenuState) : null;
}

export interface AccountEvents {
  /** The last signal. */
  signal: MenuState | null;
  /** User and menu could not be taken afresh: what is shown may be old. */
  failed: boolean;
  retry: () => Promise<void>;
}

/**
 * Opens the socket and follows what happens to the account while the shell is open: each signal, and each connection
 * (signals may have been missed before it), takes user and menu afresh, so that the menu changes without a reload.
 */
export function useAccountEvents(): AccountEvents {
  const userId = useSession()?.user._id;
  const [state, setState] = useState<MenuState | null>(null);
  const [failed, setFailed] = useState(false);
  const retry = useCallback(async () => setFailed(!(await refreshAccount())), []);
  useEffect(() => {
    setState(null);
    setFailed(false);
  }, [userId]);
  useSocketEvent(userId ? socketEvents.unblockMenu(userId) : null, (payload) => {
    const signal = readMenuState(payload);
    if (!signal) return;
    setState(signal);
    void retry();
  });
  useSocketSync(() => void retry());
  useSocketConnection(userId);
  return { signal: state, failed, retry };
}

/**
 * What holds: "mobile-unblocked" only comes as a signal, the rest the company's facts say. The platform's own company
 * takes no requests, so nothing of its people is blocked.
 */
export function menuState(signal: MenuState | null, { company }: User): MenuState {
  if (!company || company.companyType === '1') return 'unblocked';
  if (!company.blocked) return 'unblocked';
  return signal === 'mobile-unblocked' ? signal : 'blocked';
}
