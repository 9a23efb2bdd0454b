import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { OutboxMessage, Present } from '@/api/types';
import { download } from '@/shared/lib/download';

/** How often a live view asks again. Milliseconds. */
const LIVE_MS = 5_000;

export interface OutboxFilter {
  channel: string | null;
  state: string | null;
  to: string;
}

/** Messages as they left, newest first; `captured` ones went no further than here. */
export const listOutbox = (filter: OutboxFilter) =>
  queryOptions({
    queryKey: ['list_outbox', filter],
    queryFn: async ({ signal }) => {
      const { channel, state, to } = filter;
      const query = { limit: 50, channel: channel ?? undefined, state: state ?? undefined, to: to || undefined };
      const { outbox } = await operation('get', '/api/v1/outbox', { query, signal });
      return outbox as OutboxMessage[];
    },
    refetchInterval: LIVE_MS,
  });

export const downloadAttachment = (id: string, name: string) =>
  download(`/api/v1/outbox-attachment/${encodeURIComponent(id)}`, {}, name);

export type ServiceStatus = components['schemas']['MessageServiceStatus'];
export type ServiceChannel = components['schemas']['MessageServiceChannel'];

/** The dispatcher and its channels now; everything that changes them answers the same. */
export const serviceStatus = queryOptions({
  queryKey: ['message_service_status'],
  queryFn: ({ signal }): Promise<ServiceStatus> => operation('get', '/api/v1/own-message-service/status', { signal }),
  refetchInterval: LIVE_MS,
});

/** Stops or starts the delivery on all nodes; the same twice is no error. */
export const changeRunStatus = (run: boolean): Promise<ServiceStatus> =>
  operation('post', '/api/v1/own-message-service/change-run-status', { body: { run } });

/** Has what waits, and what failed lately for a passing reason, tried now; `reset` says how many. */
export const resetService = (): Promise<ServiceStatus> =>
  operation('post', '/api/v1/own-message-service/reset', { body: { reset: true } });

export type WhatsappStatus = 'STOPPED' | 'STARTING' | 'SCAN_QR_CODE' | 'WORKING' | 'FAILED';

export type WhatsappSession = Omit<Present<components['schemas']['WhatsappSession']>, 'status'> & {
  status: WhatsappStatus;
};

/** The linked telephone. The code to be scanned changes by itself, so it is asked for often. */
export const whatsappSession = queryOptions({
  queryKey: ['whatsapp_status'],
  queryFn: async ({ signal }) => (await operation('get', '/api/v1/whatsapp-status', { signal })) as WhatsappSession,
  refetchInterval: LIVE_MS,
});

export type WhatsappAction = 'restart' | 'stop' | 'clean';

const WHATSAPP_CALLS = {
  restart: '/api/v1/restart-whatsapp',
  stop: '/api/v1/stop-whatsapp',
  clean: '/api/v1/whatsapp-cleanSession',
} as const;

/** Errors: `WHATSAPP_NOT_CONFIGURED`, `WHATSAPP_UNAVAILABLE`. */
export const actOnWhatsapp = async (action: WhatsappAction) =>
  (await operation('post', WHATSAPP_CALLS[action])) as WhatsappSession;

export type Template = components['schemas']['MessageTemplate'];

export const listTemplates = queryOptions({
  queryKey: ['list_message_templates'],
  queryFn: async ({ signal }): Promise<Template[]> =>
    (await operation('get', '/api/v1/message-templates', { signal })).templates,
  staleTime: Number.POSITIVE_INFINITY,
});

/** A message with invented values. */
export const templatePreview = (key: string, language: string) =>
  queryOptions({
    queryKey: ['get_message_template', key, language],
    queryFn: ({ signal }) =>
      operation('get', '/api/v1/message-template/{key}', { path: { key }, query: { language }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
