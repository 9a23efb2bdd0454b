import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { OpenApi } from './openapi';

/** A living key as it is shown: never the key itself. */
export interface ApiKey {
  _id: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
  createdBy: { _id: string; name: string };
}

/** Two keys may live at once (contract), so that a rotation has no gap. */
export const MAX_KEYS = 2;

const of = (customerId: string | null) => (customerId ? `?customerId=${encodeURIComponent(customerId)}` : '');

/** The keys of one's own company, or of the customer that an administrator names. */
export const listKeys = (customerId: string | null) =>
  queryOptions({
    queryKey: ['get_api_key', customerId],
    queryFn: async ({ signal }) =>
      (await api.get<{ apiKeys: ApiKey[] }>(`/api/v1/get-apiKey${of(customerId)}`, { signal })).apiKeys,
  });

/** Answers the key, once. */
export const generateKey = async (customerId: string | null): Promise<string> =>
  (await api.post<{ apiKey: string; key: ApiKey }>(`/api/v1/generate-apiKey${of(customerId)}`)).apiKey;

export const revokeKey = (id: string) => api.post<void>(`/api/v1/revoke-apiKey/${encodeURIComponent(id)}`);

/** The description of the calls that a key may make. */
export const getApiDoc = () =>
  queryOptions({
    queryKey: ['api_doc'],
    queryFn: ({ signal }) => api.get<OpenApi>('/ext-api/api-doc', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
