import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { ConferenceRow } from '@/api/types';
import { downloadXlsx } from '@/shared/lib/download';
import { exportQuery, listQuery } from '@/shared/lib/list-state';
import type { ListControls } from '@/shared/ui/DataList';
import type { RangeTab, Reported, ReportedMedia, ReportedMessage } from './model';

/** Where each report comes from. */
const CALLS = {
  messages: '/api/v1/getLogsByDateRange',
  tracks: '/api/v1/getTracksByDateRange',
  media: '/api/v1/getMediasByDateRange',
} as const satisfies Record<RangeTab, string>;

export type Days = { begin: string; end: string };

/** Newest first; the days travel in the body. */
const plain = <L extends ListControls>(list: L): L => ({ ...list, filters: {} });

interface Asked {
  query: Record<string, string>;
  body: Days;
  signal: AbortSignal;
}

/** Each report answers under its own noun. */
const pages: { [K in RangeTab]: (asked: Asked) => Promise<{ rows: Reported[K][]; total: number }> } = {
  messages: async (asked) => {
    const { logs, total } = await operation('post', CALLS.messages, asked);
    return { rows: logs as ReportedMessage[], total };
  },
  tracks: async (asked) => {
    const { tracks, total } = await operation('post', CALLS.tracks, asked);
    return { rows: tracks, total };
  },
  media: async (asked) => {
    const { medias, total } = await operation('post', CALLS.media, asked);
    return { rows: medias as ReportedMedia[], total };
  },
};

/** One page of what happened within these days. Administrators. */
export const report = <K extends RangeTab>(tab: K, days: Days, list: ListControls) => {
  const { sort: _newestFirst, ...query } = listQuery(plain(list), list.pageSize);
  return queryOptions({
    queryKey: ['list_report', tab, days, query],
    queryFn: ({ signal }) => pages[tab]({ query, body: days, signal }),
    placeholderData: keepPreviousData,
  });
};

export function exportReport(tab: RangeTab, days: Days, list: ListControls, name: string): Promise<void> {
  const { sort: _newestFirst, ...query } = exportQuery(plain(list));
  return downloadXlsx(CALLS[tab], query, name, days);
}

/** Every customer that has opened a conference, with how many. Answered as a whole; a page of it is cut here. */
export const customersWithConferences = (list: ListControls) =>
  queryOptions({
    queryKey: ['list_customers_with_conferences'],
    queryFn: async ({ signal }) => (await operation('get', '/api/v1/customersWithConferences', { signal })).customers,
    select: (customers) => ({
      rows: customers.slice((list.page - 1) * list.pageSize, list.page * list.pageSize),
      total: customers.length,
    }),
  });

export const exportCustomers = (name: string) => downloadXlsx('/api/v1/customersWithConferences', {}, name);

/** One page of all conferences of a customer, whenever they were. */
export const customerConferences = (customer: string, list: ListControls) => {
  const query = listQuery(plain(list), list.pageSize);
  return queryOptions({
    queryKey: ['list_customer_conferences', customer, query],
    queryFn: async ({ signal }) => {
      const given = { path: { id: customer }, query, signal };
      const page = await operation('get', '/api/v1/customer-conferences/{id}', given);
      return { rows: page.conferences as ConferenceRow[], total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

export const exportCustomerConferences = (customer: string, list: ListControls, name: string) =>
  downloadXlsx(`/api/v1/customer-conferences/${encodeURIComponent(customer)}`, exportQuery(plain(list)), name);
