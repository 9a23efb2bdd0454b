import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { RoomPort } from '../core/ports';
import type { JoinTicket } from '../core/session';
import type { Readable } from '../core/store';
import { type CallEngine, createEngine } from '../engine';
import { createRoom } from '../livekit';

/** Makes the media room. Tests put a fake here. */
export const RoomFactory = createContext<() => RoomPort>(createRoom);

/** Follows a value of the core. */
export function useReadable<T>(readable: Readable<T>): T {
  return useSyncExternalStore(readable.subscribe, readable.get);
}

/**
 * The engine of one call: made on mount, started, and disposed of when `conferenceId` changes or the page leaves.
 * Null while `enabled` is false. `ticket` is asked before every connection.
 */
export function useCallEngine(
  conferenceId: string,
  enabled: boolean,
  ticket: (conferenceId: string) => Promise<JoinTicket>,
): CallEngine | null {
  const makeRoom = useContext(RoomFactory);
  const [engine, setEngine] = useState<CallEngine | null>(null);
  useEffect(() => {
    if (!enabled) return;
    const made = createEngine(makeRoom(), () => ticket(conferenceId));
    setEngine(made);
    void made.session.start();
    made.health.start();
    return () => {
      setEngine(null);
      made.dispose();
    };
  }, [conferenceId, enabled, makeRoom, ticket]);
  return engine;
}

/** The time in ms, renewed each `everyMs` while `running`. */
export function useNow(everyMs = 1_000, running = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return;
    setNow(Date.now());
    const id = window.setInterval(() => setNow(Date.now()), everyMs);
    return () => window.clearInterval(id);
  }, [everyMs, running]);
  return now;
}
