import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { ConferenceRow } from '@/shared/lib/conferences';
import { downloadXlsx } from '@/shared/lib/download';
import { exportQuery, listQuery } from '@/shared/lib/list-state';
import type { ListControls } from '@/shared/ui/DataList';
import type { CustomerCount, RangeTab } from './model';

/** Where each report comes from, and under which noun it answers. */
const CALLS = {
  messages: { path: '/api/v1/getLogsByDateRange', noun: 'logs' },
  tracks: { path: '/api/v1/getTracksByDateRange', noun: 'tracks' },
  media: { path: '/api/v1/getMediasByDateRange', noun: 'medias' },
} as const satisfies Record<RangeTab, { path: string; noun: string }>;

export type Days = { begin: string; end: string };

/** Newest first; the days travel in the body. */
const plain = <L extends ListControls>(list: L): L => ({ ...list, filters: {} });

/** One page of what happened within these days. Administrators. */
export const report = <R>(tab: RangeTab, days: Days, list: ListControls) => {
  const { path, noun } = CALLS[tab];
  const { sort: _newestFirst, ...query } = listQuery(plain(list), list.pageSize);
  return queryOptions({
    queryKey: ['list_report', tab, days, query],
    queryFn: async ({ signal }) => {
      type Page = { total: number } & Record<string, unknown>;
      const page = await api.post<Page>(`${path}?${new URLSearchParams(query)}`, days, { signal });
      return { rows: page[noun] as R[], total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

export function exportReport(tab: RangeTab, days: Days, list: ListControls, name: string): Promise<void> {
  const { sort: _newestFirst, ...query } = exportQuery(plain(list));
  return downloadXlsx(CALLS[tab].path, query, name, days);
}

/** Every customer that has opened a conference, with how many. Answered as a whole; a page of it is cut here. */
export const customersWithConferences = (list: ListControls) =>
  queryOptions({
    queryKey: ['list_customers_with_conferences'],
    queryFn: async ({ signal }) =>
      (await api.get<{ customers: CustomerCount[] }>('/api/v1/customersWithConferences', { signal })).customers,
    select: (customers) => ({
      rows: customers.slice((list.page - 1) * list.pageSize, list.page * list.pageSize),
      total: customers.length,
    }),
  });

export const exportCustomers = (name: string) => downloadXlsx('/api/v1/customersWithConferences', {}, name);

const conferencesPath = (customer: string) => `/api/v1/customer-conferences/${encodeURIComponent(customer)}`;

/** One page of all conferences of a customer, whenever they were. */
export const customerConferences = (customer: string, list: ListControls) => {
  const query = listQuery(plain(list), list.pageSize);
  return queryOptions({
    queryKey: ['list_customer_conferences', customer, query],
    queryFn: async ({ signal }) => {
      const path = `${conferencesPath(customer)}?${new URLSearchParams(query)}`;
      const page = await api.get<{ conferences: ConferenceRow[]; total: number }>(path, { signal });
      return { rows: page.conferences, total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

export const exportCustomerConferences = (customer: string, list: ListControls, name: string) =>
  downloadXlsx(conferencesPath(customer), exportQuery(plain(list)), name);
