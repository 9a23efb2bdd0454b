import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { OpenApi } from './openapi';

/** A living key as it is shown: never the key itself. */
export type ApiKey = components['schemas']['ApiKey'];

/** Two keys may live at once (contract), so that a rotation has no gap. */
export const MAX_KEYS = 2;

const of = (customerId: string | null) => (customerId ? { customerId } : {});

/** The keys of one's own company, or of the customer that an administrator names. */
export const listKeys = (customerId: string | null) =>
  queryOptions({
    queryKey: ['get_api_key', customerId],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/get-apiKey', { query: of(customerId), signal })).apiKeys,
  });

/** Answers the key, once. */
export const generateKey = async (customerId: string | null): Promise<string> =>
  (await operation('post', '/api/v1/generate-apiKey', { query: of(customerId) })).apiKey;

export const revokeKey = (id: string) => operation('post', '/api/v1/revoke-apiKey/{id}', { path: { id } });

/** The description of the calls that a key may make. */
export const getApiDoc = () =>
  queryOptions({
    queryKey: ['api_doc'],
    queryFn: ({ signal }) => api.get<OpenApi>('/ext-api/api-doc', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
