import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { playNotice } from '@/shared/lib/sounds';
import { socketEvents, useSocketEvent } from '@/shared/socket';
import { listNotices } from './api';
import type { Notice } from './model';

/** How long the bell shakes, milliseconds. */
export const SHAKE_MS = 1000;
/** Those that come together are asked for together, milliseconds. */
const GATHER_MS = 250;
/** A general one reaches everybody at the same moment: the questions are spread over this time, milliseconds. */
const SPREAD_MS = 1000;

interface Arrivals {
  userId: string;
  /** At once, for each. */
  onArrival: () => void;
  /** Those that came, with their text; undefined for one that could not be read. */
  onRead: (notices: (Notice | undefined)[]) => void;
}

/** The id in the payload of a live notification. */
const idOf = (payload: unknown): string | null => {
  const id = (payload as { _id?: unknown } | null)?._id;
  return typeof id === 'string' ? id : null;
};

/**
 * Live notifications: the count, the shake and the sound at once; the text follows, since an event names only the id.
 * Answers whether the bell shakes.
 */
export function useArrivals({ userId, onArrival, onRead }: Arrivals): boolean {
  const queries = useQueryClient();
  const [shakes, setShakes] = useState(0);
  const [shaking, setShaking] = useState(false);
  const waiting = useRef<string[]>([]);
  const known = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const told = useRef({ onArrival, onRead });
  told.current = { onArrival, onRead };

  const read = useCallback(async () => {
    timer.current = undefined;
    const ids = waiting.current.splice(0);
    // Into the panel's own list: an open one shows them as well.
    const all = await queries.fetchQuery(listNotices).catch(() => []);
    told.current.onRead(ids.map((id) => all.find(({ _id }) => _id === id)));
  }, [queries]);

  const arrive = (spread: number) => (payload: unknown) => {
    const id = idOf(payload);
    if (id === null || known.current.has(id)) return;
    known.current.add(id);
    waiting.current.push(id);
    told.current.onArrival();
    setShakes((count) => count + 1);
    void playNotice();
    timer.current ??= setTimeout(read, GATHER_MS + Math.random() * spread);
  };
  useSocketEvent(socketEvents.personalNotification(userId), arrive(0));
  useSocketEvent(socketEvents.generalNotification, arrive(SPREAD_MS));
  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    if (shakes === 0) return;
    setShaking(true);
    const end = setTimeout(() => setShaking(false), SHAKE_MS);
    return () => clearTimeout(end);
  }, [shakes]);
  return shaking;
}
