import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { ApiError } from '@/api/errors';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { Price } from '@/shared/lib/prices';

/** A legal text. `type`: 1 general, 2 particular conditions. */
export type LegalText = components['schemas']['Legal'];

export const LEGAL_TEXTS = 'legal_texts';

/** The texts in force in this language, or older ones by their ids. Open to everybody. */
export const legalTexts = (language: string, ids: readonly string[] = ['0']) =>
  queryOptions({
    queryKey: [LEGAL_TEXTS, ...ids, language],
    queryFn: async () => {
      const one = async (legalId: string) => {
        const path = { legalId, languageCode: language };
        return (await operation('get', '/api/v1/legalbylanguage/{legalId}/{languageCode}', { path, anonymous: true }))
          .legal;
      };
      return (await Promise.all(ids.map(one))).flat().sort((a, b) => a.type - b.type);
    },
    staleTime: 10 * 60_000,
  });

/** A price table by its id; `0`: the one that would hold for who asks. Null when there is none. */
export const priceTable = (id = '0') =>
  queryOptions({
    queryKey: [LEGAL_TEXTS, 'price', id],
    queryFn: async ({ signal }) => {
      try {
        return (await api.get<{ price: Price }>(`/api/v1/price-id/${encodeURIComponent(id)}`, { signal })).price;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    staleTime: 10 * 60_000,
  });
