/** The request as the server sees it, and the queue of this phone: both kept up to date while the page is open. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api';
import type { Language } from '../model';
import { getRequest, sendPreview, uploadsOf } from './api';
import type { FilesInfo } from './model';
import { EMPTY, type Queue, type QueueEvent } from './queue';
import type { Sending } from './sending';

export const loadCamera = () => import('./FileCamera');
const loadSending = () => import('./start');

/** How often the visible list is reloaded, because the adjuster may have answered. Milliseconds. */
const LOOK_EVERY = 25_000;
export const TRY_EVERY = 3000;

export type Problem = 'offline' | 'unknown' | null;

/** Accepted files that the server's list does not show yet; they leave the queue once it does. */
export interface Settled {
  keys: Set<string>;
  forget: (key: string) => void;
}

export function useRequest(token: string, language: Language, settled: Settled) {
  const [info, setInfo] = useState<FilesInfo | null>(null);
  const [problem, setProblem] = useState<Problem>(null);
  const spoken = useRef(language);
  spoken.current = language;
  const refresh = useCallback(async () => {
    const seen = [...settled.keys];
    try {
      setInfo(await getRequest(token, spoken.current));
      setProblem(null);
      for (const key of seen) {
        settled.keys.delete(key);
        settled.forget(key);
      }
    } catch (error) {
      const unknown = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
      setProblem(unknown ? 'unknown' : 'offline');
    }
  }, [token]);
  useEffect(() => void refresh(), [language]);
  const lost = problem === 'offline' && info === null;
  useEffect(() => {
    const again = () => document.visibilityState === 'visible' && void refresh();
    const timer = setInterval(again, lost ? TRY_EVERY : LOOK_EVERY);
    addEventListener('online', again);
    document.addEventListener('visibilitychange', again);
    return () => {
      clearInterval(timer);
      removeEventListener('online', again);
      document.removeEventListener('visibilitychange', again);
    };
  }, [lost]);
  return { info, problem, refresh };
}

export interface Told {
  queue: Queue;
  event: QueueEvent;
}

/** The queue, once its code is loaded; loading is retried while the network is down. */
export function useSending(
  token: string,
  info: FilesInfo | null,
  refresh: () => Promise<void>,
  told: (told: Told) => void,
) {
  const open = info?.state === 'open' || info?.state === 'finished';
  const over = info !== null && !open;
  useEffect(() => {
    if (over)
      void loadSending().then(
        ({ forgetAll }) => forgetAll(token),
        () => undefined,
      );
  }, [over]);
  const [queue, setQueue] = useState<Queue>(EMPTY);
  const heard = useRef(told);
  heard.current = told;
  const found = useMemo(() => {
    let ready: (sending: Sending) => void = () => {};
    return { promise: new Promise<Sending>((resolve) => (ready = resolve)), ready: (one: Sending) => ready(one) };
  }, [token]);
  useEffect(() => {
    if (!open) return;
    let sending: Sending | null = null;
    let gone = false;
    const load = async () => {
      try {
        const { startSending } = await loadSending();
        if (gone) return;
        sending = startSending({
          token,
          endpoint: uploadsOf(token),
          look: () => getRequest(token, 'es'),
          sendPreview: (mediaId, preview) => sendPreview(token, mediaId, preview),
          tell: (next, event) => {
            setQueue(next);
            heard.current({ queue: next, event });
          },
          closed: () => void refresh(),
        });
        found.ready(sending);
        // Loaded while there is a network, so that the camera opens at once and photos can be judged offline.
        await Promise.all([import('./pictures'), loadCamera()]).catch(() => undefined);
      } catch {
        if (!gone) setTimeout(load, TRY_EVERY);
      }
    };
    requestAnimationFrame(() => setTimeout(load, 50));
    const online = () => sending?.online();
    const offline = () => sending?.offline();
    addEventListener('online', online);
    addEventListener('offline', offline);
    return () => {
      gone = true;
      sending?.stop();
      removeEventListener('online', online);
      removeEventListener('offline', offline);
    };
  }, [token, open]);
  return { queue, sending: () => found.promise };
}
