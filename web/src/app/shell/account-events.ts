import { useEffect, useState } from 'react';
import { send } from '@/api/client';
import { operation } from '@/api/operation';
import type { User } from '@/api/types';
import { followEvents } from '@/shared/lib/event-stream';
import { inOneTab } from '@/shared/lib/one-tab';
import type { ServerSentEvent } from '@/shared/lib/sse';
import { session, useSession } from '@/shared/session';

/** State of the entries that lead to video-call requests: SPEC §4 Blocking, DESIGN §5. */
export type MenuState = 'blocked' | 'unblocked' | 'mobile-unblocked';

const STATES: readonly string[] = ['blocked', 'unblocked', 'mobile-unblocked'] satisfies MenuState[];

/** Reads the data of an `unblockMenu` event; `null` when it says nothing that we know. */
export function readMenuState(data: string): MenuState | null {
  try {
    const { state } = JSON.parse(data) as { state?: unknown };
    return typeof state === 'string' && STATES.includes(state) ? (state as MenuState) : null;
  } catch {
    return null;
  }
}

/** Takes user and menu afresh from the server; a failure is only logged (SPEC §8). */
export async function refreshAccount(): Promise<void> {
  try {
    const { user, menu } = await operation('get', '/api/v1/me');
    await session.refresh(user, menu);
  } catch (error) {
    console.warn('the account could not be refreshed', error);
  }
}

/** What an event asks for: `sync` says that something was missed; `null` is nothing. */
function readSignal({ event, data }: ServerSentEvent): MenuState | 'sync' | null {
  if (event === 'sync') return 'sync';
  return event === 'unblockMenu' ? readMenuState(data) : null;
}

/**
 * Follows what happens to the account while the shell is open: each signal takes user and menu afresh, so that the menu
 * changes without a reload. One tab holds the stream and tells the others. Answers the last signal.
 */
export function useAccountEvents(): MenuState | null {
  const userId = useSession()?.user._id;
  const [state, setState] = useState<MenuState | null>(null);
  useEffect(() => {
    if (!userId) return undefined;
    setState(null);
    const name = `atalaya-account-${userId}`;
    const tabs = new BroadcastChannel(name);
    const take = (signal: MenuState | 'sync') => {
      if (signal !== 'sync') setState(signal);
      void refreshAccount();
    };
    tabs.onmessage = ({ data }: MessageEvent<MenuState | 'sync'>) => take(data);
    const stop = inOneTab(name, () =>
      followEvents({
        open: (signal) => send('GET', '/api/v1/account-events', { headers: { Accept: 'text/event-stream' }, signal }),
        onEvent: (event) => {
          const signal = readSignal(event);
          if (!signal) return;
          take(signal);
          tabs.postMessage(signal);
        },
      }),
    );
    return () => {
      stop();
      tabs.close();
    };
  }, [userId]);
  return state;
}

/**
 * What holds: "mobile-unblocked" only comes as a signal, the rest the company's facts say. The platform's own company
 * takes no requests, so nothing of its people is blocked.
 */
export function menuState(signal: MenuState | null, { company }: User): MenuState {
  if (!company || company.companyType === '1') return 'unblocked';
  if (signal === 'mobile-unblocked') return signal;
  return company.blocked ? 'blocked' : 'unblocked';
}
