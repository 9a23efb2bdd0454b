import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { OutboxMessage } from '@/api/types';

export interface OutboxFilter {
  channel: string | null;
  to: string;
}

/** Messages as they left, newest first; `captured` ones went no further than here. */
export const listOutbox = (filter: OutboxFilter) =>
  queryOptions({
    queryKey: ['list_outbox', filter],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ limit: '50' });
      if (filter.channel) query.set('channel', filter.channel);
      if (filter.to) query.set('to', filter.to);
      return api
        .get<{ outbox: OutboxMessage[] }>(`/api/v1/outbox?${query}`, { signal })
        .then((answer) => answer.outbox);
    },
    refetchInterval: 5_000,
  });
