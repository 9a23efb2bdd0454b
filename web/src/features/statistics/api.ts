import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { Span } from './model';

/** The usable cases of a company; `0` is everybody, for the administrator. */
export const usableOf = (company: string, weeks: Span) =>
  queryOptions({
    queryKey: ['get_usable', company, weeks],
    queryFn: ({ signal }) =>
      operation('get', '/api/v1/usable/{companyId}', {
        path: { companyId: company },
        query: { weeks: Number(weeks) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** The weekly funnel of a company; `0` is everybody, for the administrator. */
export const funnelOf = (company: string, weeks: Span) =>
  queryOptions({
    queryKey: ['get_funnel', company, weeks],
    queryFn: ({ signal }) =>
      operation('get', '/api/v1/funnel/{companyId}', {
        path: { companyId: company },
        query: { weeks: Number(weeks) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
