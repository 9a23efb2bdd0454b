import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';

/** Languages change with a release only. */
const STALE_MS = 60 * 60_000;

export const availableLanguages = () =>
  queryOptions({
    queryKey: ['available_languages'],
    queryFn: () => operation('get', '/available-languages', { anonymous: true }),
    staleTime: STALE_MS,
  });

export const phonePrefixes = () =>
  queryOptions({
    queryKey: ['phone_prefixes'],
    queryFn: () => operation('get', '/phone-prefixes', { anonymous: true }),
    staleTime: STALE_MS,
  });
