import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Language, Prefix } from '@/api/types';

/** Languages change with a release only. */
const STALE_MS = 60 * 60_000;

export const availableLanguages = () =>
  queryOptions({
    queryKey: ['available_languages'],
    queryFn: () => api.get<Language[]>('/available-languages', { anonymous: true }),
    staleTime: STALE_MS,
  });

export const phonePrefixes = () =>
  queryOptions({
    queryKey: ['phone_prefixes'],
    queryFn: () => api.get<Prefix[]>('/phone-prefixes', { anonymous: true }),
    staleTime: STALE_MS,
  });
