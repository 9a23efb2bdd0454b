import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { ConferenceRow } from '@/api/types';
import { CONFERENCE_LISTS, type ConferenceType } from '@/shared/conference/find';
import { isOpen } from '@/shared/lib/conferences';
import { downloadXlsx } from '@/shared/lib/download';
import { exportQuery, listQuery } from '@/shared/lib/list-state';
import type { ListControls } from '@/shared/ui/DataList';

export type Days = { begin: string; end: string };

/** The list's state without the days, which travel in the body. */
const withoutDays = <L extends ListControls>(list: L): L => {
  const { begin: _begin, end: _end, ...filters } = list.filters;
  return { ...list, filters };
};

/** A call in progress is asked for again this often. Milliseconds. */
const LIVE_EVERY_MS = 20_000;

/** One page of a company's conferences; company `0` is everybody's, for administrators. */
export const listConferences = (type: ConferenceType, company: string, days: Days, list: ListControls) => {
  const query = listQuery(withoutDays(list), list.pageSize);
  return queryOptions({
    queryKey: ['list_conferences', type, company, days, query],
    queryFn: async ({ signal }) => {
      const page = await operation('post', CONFERENCE_LISTS[type], {
        path: { id: company },
        query,
        body: days,
        signal,
      });
      return { rows: page.conferences as ConferenceRow[], total: page.total };
    },
    placeholderData: keepPreviousData,
    refetchInterval: (asked) => (asked.state.data?.rows.some((row) => isOpen(row, new Date())) ? LIVE_EVERY_MS : false),
  });
};

export const exportConferences = (
  type: ConferenceType,
  company: string,
  days: Days,
  list: ListControls,
  name: string,
) =>
  downloadXlsx(
    CONFERENCE_LISTS[type].replace('{id}', encodeURIComponent(company)),
    exportQuery(withoutDays(list)),
    name,
    days,
  );

/** The chosen ones of a list as a workbook. */
export const exportChosen = (
  type: ConferenceType,
  company: string,
  days: Days,
  list: ListControls,
  name: string,
  rows: ConferenceRow[],
) => {
  const query = { ...exportQuery(withoutDays(list)), ids: rows.map(({ _id }) => _id).join() };
  return downloadXlsx(CONFERENCE_LISTS[type].replace('{id}', encodeURIComponent(company)), query, name, days);
};

/** Who opens conferences in this company: the choices of the user filter. Administrator and its principal. */
export const listCallers = (company: string) =>
  queryOptions({
    queryKey: ['list_callers', company],
    queryFn: async ({ signal }) => {
      const query = { sort: 'name', limit: 200 };
      const { users } = await operation('get', '/api/v1/users/{id}', { path: { id: company }, query, signal });
      return users.map(({ _id, name, surname }) => ({ value: _id, label: [name, surname].filter(Boolean).join(' ') }));
    },
    staleTime: 300_000,
  });

/** Companies that have conferences: the administrator's choices of whose to list. */
export const listCustomers = queryOptions({
  queryKey: ['list_customers_of_conferences'],
  queryFn: async ({ signal }) => {
    const { customers } = await operation('get', '/api/v1/customersWithConferences', { signal });
    return customers.map(({ _id, company }) => ({ value: _id, label: company }));
  },
  staleTime: 60_000,
});
