import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { Price, PriceTable } from '@/shared/lib/prices';
import type { Simulated } from './simulation';

/** A version of the prices with what became of it: whom alone it was offered to, how many accepted it, whether it holds. */
export type PriceVersion = Price & Pick<components['schemas']['PriceVersion'], 'company' | 'accepted' | 'inForce'>;

export const PRICES = 'list_prices';

/** Every version, newest first. Administrator only. */
export const listPrices = queryOptions({
  queryKey: [PRICES],
  queryFn: async ({ signal }) => (await operation('get', '/api/v1/prices', { signal })).prices,
});

/** A new version; `validFrom` absent: from now on. */
export type NewPrice = PriceTable & { validFrom?: string; companyId?: string };

type PriceBody = components['schemas']['NewPrice'];

// The document does not say of what the discounts are made.
export const publishPrice = async (price: NewPrice) =>
  (await operation('post', '/api/v1/price', { body: price as unknown as Partial<PriceBody> })).price;

/** Calculates examples in the format of `billing simulate`; nothing is stored. */
export const simulate = async (file: unknown): Promise<Simulated[]> =>
  (await operation('post', '/api/v1/price-simulate', { body: file as Record<string, never> }))
    .examples as unknown as Simulated[];
