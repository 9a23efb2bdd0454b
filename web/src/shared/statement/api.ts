import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { BilledCall, CallsQuery } from './types';

/** Calls of a line that are asked for at once. */
const PAGE = 25;

interface CallsPage {
  connections: BilledCall[];
  connectionsTotal: number;
  nextCursor: string | null;
}

/** The calls that a line of an invoice or of a running month adds up, page by page in order of start. */
export const listCalls = ({ id, line, priceId }: CallsQuery) =>
  infiniteQueryOptions({
    queryKey: ['list_billed_calls', id, line, priceId],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: String(PAGE), line });
      if (priceId) query.set('priceId', priceId);
      if (pageParam) query.set('cursor', pageParam);
      return api.get<CallsPage>(`/api/v1/get-details/${encodeURIComponent(id)}?${query}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
