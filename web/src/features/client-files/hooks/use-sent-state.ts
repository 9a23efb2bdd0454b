import { queryOptions, useQuery } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { FileRequest, MessageState } from '@/api/types';
import { stateOfSent } from '../model';

/** The outbox takes a moment; after that the state is no news any more. Milliseconds. */
const ASK_AGAIN_MS = 1_000;
const GIVE_UP_MS = 15_000;

const messagesQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['conference_messages', conferenceId],
    queryFn: async () =>
      (await operation('get', '/api/v1/conferences-details/{id}', { path: { id: conferenceId } })).messages,
    retry: false,
    gcTime: 0,
  });

/** What became of the message of a request just made: `null` while that is not known. */
export function useSentState(request: Pick<FileRequest, 'conferenceId' | 'createdAt'>): MessageState | null {
  const since = request.createdAt;
  const { data } = useQuery({
    ...messagesQuery(request.conferenceId),
    refetchInterval: ({ state }) => {
      const known = state.data && stateOfSent(state.data, since);
      const waiting = state.status !== 'error' && (!known || known === 'queued');
      return waiting && state.dataUpdateCount * ASK_AGAIN_MS < GIVE_UP_MS ? ASK_AGAIN_MS : false;
    },
  });
  return data ? stateOfSent(data, since) : null;
}
