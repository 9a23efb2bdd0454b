import { useEffect, useRef, useSyncExternalStore } from 'react';
import { api } from '@/api/client';
import { operation } from '@/api/operation';
import { renewal, session } from '@/shared/session';
import { LiveSocket, type SocketHandler, type SocketState } from './live-socket';

export { socketEvents } from '@/api/generated/events';
export type { SocketState } from './live-socket';

/** The socket of this tab; the shell opens it. Pages use the hooks below. */
export const liveSocket = new LiveSocket({
  load: () => import('socket.io-client').then(({ io }) => io),
  token: () => renewal.freshToken(),
  register: (userId, socketId) => api.post(`/api/v1/socket-user/${encodeURIComponent(userId)}`, { socketId }),
  verify: async () => {
    const { user, menu } = await operation('get', '/api/v1/me');
    await session.refresh(user, menu);
  },
});

/** Keeps the socket open for this user while mounted; `undefined` opens none. For the shell. */
export function useSocketConnection(userId: string | undefined): void {
  useEffect(() => (userId ? liveSocket.start(userId) : undefined), [userId]);
}

/** Calls `handler` with the payload of each event of that name while mounted; `null` listens to nothing. */
export function useSocketEvent(name: string | null, handler: SocketHandler): void {
  const latest = useRef(handler);
  latest.current = handler;
  useEffect(() => (name === null ? undefined : liveSocket.on(name, (payload) => latest.current(payload))), [name]);
}

/**
 * Calls `handler` after each connection made while mounted (the first one and every reconnection), and when the server
 * says that events were lost, to count and list again what may have been missed. A screen that mounts on an open connection is not called: it loads by itself.
 */
export function useSocketSync(handler: () => void): void {
  const latest = useRef(handler);
  latest.current = handler;
  useEffect(() => liveSocket.onSync(() => latest.current()), []);
}

/** Whether live views are live: "En directo" or "Sin conexión, reintentando". */
export function useSocketState(): SocketState {
  return useSyncExternalStore(liveSocket.watch, liveSocket.state);
}
