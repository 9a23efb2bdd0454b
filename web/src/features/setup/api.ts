import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';

export type SetupItem = components['schemas']['SetupItem'];
export type Setup = components['schemas']['SetupAnswer'];

/** What the installation lacks for real work. For administrators. */
export const setupState = queryOptions({
  queryKey: ['get_setup'],
  queryFn: ({ signal }): Promise<Setup> => operation('get', '/api/v1/setup', { signal }),
  staleTime: 60_000,
});
