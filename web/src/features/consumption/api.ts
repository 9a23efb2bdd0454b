import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { RunningMonth } from './types';

/** The month moves while people work. Milliseconds. */
const EVERY_MS = 60_000;

/** What a company has consumed of the running month. */
export const getUnits = (company: string) =>
  queryOptions({
    queryKey: ['get_customer_units', company],
    queryFn: ({ signal }) => operation('get', '/api/v1/customer-units/{id}', { path: { id: company }, signal }),
    refetchInterval: EVERY_MS,
  });

/** The invoice that would be issued now. Its calls are asked for when a line is opened (`shared/statement`). */
export const getRunningMonth = (company: string) =>
  queryOptions({
    queryKey: ['get_running_month', company],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/get-details/{id}', {
        path: { id: company },
        query: { limit: 1 },
        signal,
      })) as unknown as RunningMonth,
    refetchInterval: EVERY_MS,
  });
