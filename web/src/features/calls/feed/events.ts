import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { send } from '@/api/client';
import { ConferenceFeed, type Feed } from './feed';
import type { FeedEvent } from './feed-state';

export type { Feed, FeedStatus } from './feed';
export type { FeedEvent } from './feed-state';

interface Shared {
  feed: ConferenceFeed;
  users: number;
}

// Several components of one screen follow the same conference over one connection.
const shared = new Map<string, Shared>();

function sharedFeed(conferenceId: string): Shared {
  const found = shared.get(conferenceId);
  if (found) return found;
  const path = `/api/v1/conference-events/${encodeURIComponent(conferenceId)}`;
  const open = (signal: AbortSignal) => send('GET', path, { headers: { Accept: 'text/event-stream' }, signal });
  const made: Shared = { feed: new ConferenceFeed({ open }), users: 0 };
  shared.set(conferenceId, made);
  return made;
}

/**
 * The live state of a conference: the server's snapshot merged with its events, reconnecting by itself.
 * `onEvent` is called once per event; `retry` tries again at once.
 */
export function useConferenceEvents(
  conferenceId: string,
  onEvent?: (event: FeedEvent) => void,
): Feed & { retry: () => void } {
  const entry = useMemo(() => sharedFeed(conferenceId), [conferenceId]);
  useEffect(() => {
    const online = () => entry.feed.retryNow();
    entry.users += 1;
    shared.set(conferenceId, entry);
    entry.feed.start();
    window.addEventListener('online', online);
    return () => {
      window.removeEventListener('online', online);
      entry.users -= 1;
      // Later than now: React's strict mode and a route change unmount and mount in one breath.
      setTimeout(() => {
        if (entry.users > 0) return;
        entry.feed.stop();
        if (shared.get(conferenceId) === entry) shared.delete(conferenceId);
      });
    };
  }, [conferenceId, entry]);
  useEffect(() => (onEvent ? entry.feed.onEvent(onEvent) : undefined), [entry, onEvent]);
  const feed = useSyncExternalStore(
    (listener) => entry.feed.subscribe(listener),
    () => entry.feed.current(),
  );
  return { ...feed, retry: () => entry.feed.retryNow() };
}
