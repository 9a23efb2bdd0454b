import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';

export type Webhook = components['schemas']['Webhook'];
export type Delivery = components['schemas']['WebhookDelivery'];

/** Addresses of a customer at most (contract of `WEBHOOK_LIMIT`). */
export const MAX_WEBHOOKS = 5;
/** How often deliveries that are on their way are looked at. Milliseconds. */
const WATCH_MS = 2_000;

const of = (customerId: string | null) => (customerId ? { customerId } : {});
const KEY = 'list_webhooks';

/** The addresses of one's own company, or of the customer that an administrator names, and what they can be told. */
export const listWebhooks = (customerId: string | null) =>
  queryOptions({
    queryKey: [KEY, customerId],
    queryFn: ({ signal }) => operation('get', '/api/v1/webhooks', { query: of(customerId), signal }),
  });

/** Answers the address and, once, the secret that signs its deliveries. */
export const addWebhook = (customerId: string | null, url: string, events: string[]) =>
  operation('post', '/api/v1/webhooks', { query: of(customerId), body: { url, events } });

/** Another address or other events; the secret stays. */
export const changeWebhook = (id: string, url: string, events: string[]) =>
  operation('put', '/api/v1/webhooks/{id}', { path: { id }, body: { url, events } });

export const removeWebhook = (id: string) => operation('delete', '/api/v1/webhooks/{id}', { path: { id } });

/** Sends a trial event; what became of it is read among the deliveries. */
export const testWebhook = async (id: string): Promise<Delivery> =>
  (await operation('post', '/api/v1/webhooks/{id}/test', { path: { id } })).delivery;

/** Sends everything since that moment once more; answers how many. */
export const replayWebhook = async (id: string, from: string): Promise<number> =>
  (await operation('post', '/api/v1/webhooks/{id}/replay', { path: { id }, body: { from } })).replayed;

/** One that nobody has tried to send yet. */
export const isUntried = ({ state, attempts }: Delivery) => state === 'queued' && attempts === 0;

/** What was sent, newest first; asked for again while something is about to leave. */
export const listDeliveries = (id: string, page: number) =>
  queryOptions({
    queryKey: ['webhook_deliveries', id, page],
    queryFn: ({ signal }) =>
      operation('get', '/api/v1/webhooks/{id}/deliveries', { path: { id }, query: { page }, signal }),
    refetchInterval: ({ state }) => (state.data?.deliveries.some(isUntried) ? WATCH_MS : false),
  });

/** After something was sent, added or taken away. */
export const refreshWebhooks = (queries: QueryClient) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: [KEY] }),
    queries.invalidateQueries({ queryKey: ['webhook_deliveries'] }),
  ]);
