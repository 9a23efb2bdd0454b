import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';

export interface Links {
  businessUrl: string;
  contactEmail: string;
  /** Address of map tiles with `{z}`, `{x}`, `{y}`; null = maps are drawn without any. */
  mapTilesUrl?: string | null;
}

/** Addresses of this installation; they do not change while a page is open. */
export const linksQuery = queryOptions({
  queryKey: ['get_links'],
  queryFn: async () => (await operation('get', '/api/v1/get-links', { anonymous: true })) as Links,
  staleTime: Number.POSITIVE_INFINITY,
});
