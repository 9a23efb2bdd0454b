import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { beforeLogout } from '@/api/client';
import { useShownPage } from '@/shared/lib/page';
import { useRequiredSession } from '@/shared/session';
import { socketEvents, useSocketEvent } from '@/shared/socket';
import { closeLapsedNotices, closeNotices, leave, registerWorker, synchronise } from '../push';

/** What the service worker says to a tab. */
type Message = { type: 'open'; url: string } | { type: 'subscription' } | { type: 'where' };

/** Own paths only; the worker sends nothing else, and nothing else is followed. */
const isOwnPath = (url: unknown): url is string => typeof url === 'string' && /^\/(?![/\\])/.test(url);

/**
 * Keeps this browser's subscription and the server's copy of it the same: at each page load, when the browser changed
 * it, and at a logout. Takes away the notices of requests that are over. Draws nothing; for the shell.
 */
export function PushKeeper() {
  const { user } = useRequiredSession();
  const { _id, parent } = user;
  const queries = useQueryClient();
  const router = useRouter();
  const { immersive = false } = useShownPage();
  const busy = useRef(immersive);
  busy.current = immersive;
  useEffect(() => {
    const person = { _id, parent };
    // A failure is not worth a word: the next page load tries again, and the page of the devices says how things stand.
    const settle = () => synchronise(person).catch(() => undefined);
    const tell = () => queries.invalidateQueries({ queryKey: ['push-devices', _id] });
    void registerWorker().then(settle).then(tell);
    const onMessage = ({ data, ports }: MessageEvent<Message | null>) => {
      if (data?.type === 'where') {
        const { pathname: path, search } = window.location;
        ports[0]?.postMessage({ path, search, busy: busy.current });
      }
      if (data?.type === 'subscription') void settle().then(tell);
      if (data?.type === 'open' && isOwnPath(data.url)) void router.navigate({ href: data.url });
    };
    navigator.serviceWorker?.addEventListener('message', onMessage);
    return () => navigator.serviceWorker?.removeEventListener('message', onMessage);
  }, [_id, parent, queries, router]);
  useEffect(() => beforeLogout(leave), []);
  useSocketEvent(socketEvents.videocallOut(parent), (payload) => {
    const over = (payload as { _id?: string } | null)?._id;
    if (over) void closeNotices((request) => request === over);
  });
  useSocketEvent(socketEvents.videocallBulkDelete, () => void closeLapsedNotices(parent));
  return null;
}
