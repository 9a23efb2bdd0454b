import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Funnel, Span } from './model';

/** The weekly funnel of a company; `0` is everybody, for the administrator. */
export const funnelOf = (company: string, weeks: Span) =>
  queryOptions({
    queryKey: ['get_funnel', company, weeks],
    queryFn: ({ signal }) =>
      api.get<Funnel>(`/api/v1/funnel/${encodeURIComponent(company)}?weeks=${weeks}`, { signal }),
    placeholderData: keepPreviousData,
  });
