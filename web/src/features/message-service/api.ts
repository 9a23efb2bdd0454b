import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { OutboxMessage } from '@/api/types';

export interface OutboxFilter {
  channel: string | null;
  to: string;
}

/** Messages as they left, newest first; `captured` ones went no further than here. */
export const listOutbox = (filter: OutboxFilter) =>
  queryOptions({
    queryKey: ['list_outbox', filter],
    queryFn: async ({ signal }) => {
      const query = { limit: 50, channel: filter.channel ?? undefined, to: filter.to || undefined };
      const { outbox } = await operation('get', '/api/v1/outbox', { query, signal });
      return outbox as OutboxMessage[];
    },
    refetchInterval: 5_000,
  });
