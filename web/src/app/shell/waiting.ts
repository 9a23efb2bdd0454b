import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import { type Person, Role, roleOf } from '@/shared/routes/access';
import { socketEvents, useSocketEvent, useSocketSync } from '@/shared/socket';

/** Those who may answer video-call requests, and so see the counter and hear the alarm. */
export const answersRequests = (person: Person) => {
  const role = roleOf(person);
  return role === Role.customer || role === Role.worker;
};

/** The key of the number of people who wait for a company; whoever answers or refuses invalidates it. */
export const waitingKey = (parent: string) => ['videoCallNumber', parent];

/** What the shell says of a request that came. */
export interface Arrival {
  id: string;
  who: string;
  /** Plate or case number. */
  what: string;
}

/** Reads a `videocallIn` payload; `null` when it is none. */
export function readArrival(payload: unknown): Arrival | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const text = (name: string) => {
    const value = (payload as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : '';
  };
  const id = text('_id');
  if (!id) return null;
  return { id, who: text('starterCompany') || text('starterName'), what: text('plate') || text('expedient') };
}

const idOf = (payload: unknown) => {
  const id = (payload as { _id?: unknown } | null)?._id;
  return typeof id === 'string' ? id : null;
};

interface WaitingDeps {
  onArrival: (arrival: Arrival) => void;
  onLeft: (id: string) => void;
}

/**
 * How many wait for the company `parent`; `undefined` while unknown, `null` parent when nobody is to be counted. Events
 * change the number at once and the server's count corrects it, so that a lost event never leaves a wrong number
 */
export function useWaiting(parent: string | null, { onArrival, onLeft }: WaitingDeps): number | undefined {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: waitingKey(parent ?? ''),
    queryFn: ({ signal }) => countOf(parent ?? '', signal),
    enabled: parent !== null,
    // Once unblocked again, what was counted before is old.
    staleTime: 0,
  });
  useSocketEvent(parent && socketEvents.videocallIn(parent), (payload) => {
    const arrival = readArrival(payload);
    if (!arrival || !parent) return;
    change(client, parent, 1);
    onArrival(arrival);
  });
  useSocketEvent(parent && socketEvents.videocallOut(parent), (payload) => {
    const id = idOf(payload);
    if (!parent) return;
    change(client, parent, -1);
    if (id) onLeft(id);
  });
  const again = () => {
    if (parent) void client.invalidateQueries({ queryKey: waitingKey(parent) });
  };
  useSocketEvent(parent && socketEvents.videocallBulkDelete, again);
  useSocketSync(again);
  return parent === null ? undefined : data;
}

async function countOf(parent: string, signal: AbortSignal): Promise<number> {
  return (await operation('get', '/api/v1/videoCallNumber/{id}', { path: { id: parent }, signal })).count;
}

function change(client: QueryClient, parent: string, by: number): void {
  const queryKey = waitingKey(parent);
  client.setQueryData<number>(queryKey, (now) => Math.max(0, (now ?? 0) + by));
  // A count under way was taken before the event: this one takes its place.
  void client.invalidateQueries({ queryKey });
}
