import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { Present } from '@/api/types';

type Schemas = components['schemas'];
export type Campaign = Present<Schemas['Campaign']>;
export type CampaignStatus = Schemas['CampaignStatus'];

/** What is sent with `broadcastEmails`. Roles by number; `all` is everybody who has an account. */
export interface NewCampaign {
  subject: string;
  text: string;
  audience: 'all' | { roles: number[] };
  language: string | null;
  /** RFC 3339; null sends at once. */
  sendAt: string | null;
}

export const CAMPAIGNS = 'list_campaigns';
/** How often a campaign that is under way is looked at again, milliseconds. */
const LIVE_MS = 5000;

/** One page of campaigns, newest first, 20 each; looked at again while one of them is being sent. */
export const listCampaigns = (page: number) =>
  queryOptions({
    queryKey: [CAMPAIGNS, page],
    queryFn: async ({ signal }) => {
      const found = await operation('get', '/api/v1/campaigns', { query: { page }, signal });
      return { rows: found.campaigns, total: found.total };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.rows.some(isLive) ? LIVE_MS : false),
  });

/** Whether its numbers still change. */
export const isLive = ({ status, queued }: Pick<Campaign, 'status' | 'queued'>) => status === 'running' || queued > 0;

// The generated shape names only that the audience is an object.
const body = (data: NewCampaign, more: object = {}) => ({ data: { ...data, ...more } }) as never;

/** What it looks like and whom it would reach now. Sends nothing. */
export const previewCampaign = (data: NewCampaign) =>
  queryOptions({
    queryKey: ['preview_campaign', data],
    queryFn: async ({ signal }) =>
      (await operation('post', '/api/v1/broadcastEmails', { body: body(data, { preview: true }), signal })).preview,
    placeholderData: keepPreviousData,
    retry: false,
  });

/** One message to one address. */
export const testCampaign = (data: NewCampaign, email: string) =>
  operation('post', '/api/v1/broadcastEmails', { body: body(data, { test: email }) });

/** The same key for the same press: a second try makes no second campaign. */
export const sendCampaign = (data: NewCampaign, key: string) =>
  operation('post', '/api/v1/broadcastEmails', { body: body(data), headers: { 'Idempotency-Key': key } });

export const stopCampaign = (id: string) => operation('post', '/api/v1/campaign/{id}/stop', { path: { id } });

export const SUPPRESSIONS = 'list_marketing_suppressions';

/** Addresses that get no advertising, newest first. */
export const listSuppressions = (search: string, page: number, pageSize: number) =>
  queryOptions({
    queryKey: [SUPPRESSIONS, search, page, pageSize],
    queryFn: async ({ signal }) => {
      const query = {
        search: search || undefined,
        limit: pageSize,
        cursor: page > 1 ? String((page - 1) * pageSize) : undefined,
      };
      const found = await operation('get', '/api/v1/marketing-suppressions', { query: query as never, signal });
      return { rows: found.suppressions, total: found.total };
    },
    placeholderData: keepPreviousData,
  });

export const setSuppressed = (email: string, suppressed: boolean) =>
  operation('post', '/api/v1/marketing-suppression', { body: { email, suppressed } });
