import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { ConferenceRow } from '@/api/types';
import { daysOf } from '@/shared/lib/conferences';
import { downloadXlsx } from '@/shared/lib/download';
import type { ConferenceChoice, Opener } from '@/shared/lib/modals';
import type { ListControls } from '@/shared/ui/DataList';
import { type IncidenceValues, toBody } from './model';
import type { IncidenceDetail, NewImage, SentIncidence, Status } from './types';

/** Lines of a page, as the server cuts them. */
export const PAGE_SIZE = 20;

/** One page of a user's incidences, the latest change first; an administrator's own id lists everybody's. */
export const listIncidences = (user: string, list: Pick<ListControls, 'search' | 'filters' | 'page'>) => {
  const { status, type, reason, company, begin, end } = list.filters;
  const query = { q: list.search || undefined, status, type, reason, company, begin, end, page: list.page };
  return queryOptions({
    queryKey: ['list_incidences', user, query],
    queryFn: async ({ signal }) => {
      const found = await operation('get', '/api/v1/incidences/{id}', { path: { id: user }, query, signal });
      return { rows: found.incidences, total: found.total };
    },
    placeholderData: keepPreviousData,
  });
};

/** Every row of the filter as a workbook. */
export function exportIncidences(user: string, list: Pick<ListControls, 'search' | 'filters'>, name: string) {
  const query = { ...list.filters, ...(list.search && { q: list.search }) };
  return downloadXlsx(`/api/v1/incidences/${encodeURIComponent(user)}`, query, name);
}

/** Everything of one. Asking for it marks it as read. */
export const getIncidence = (id: string) =>
  queryOptions({
    queryKey: ['get_incidence', id],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/incidence/{id}', { path: { id }, signal })).incidence as IncidenceDetail,
  });

/** What was done to it, by whom and when. */
export const incidenceLogs = (id: string) =>
  queryOptions({
    queryKey: ['incidence_logs', id],
    queryFn: async ({ signal }) => (await operation('get', '/api/v1/logs/{id}', { path: { id }, signal })).logs,
  });

/** Sends what the modal holds. */
export async function sendIncidence(opener: Opener, values: IncidenceValues): Promise<IncidenceDetail> {
  // The document has no type for the facts about a browser, which are any.
  const body = toBody(opener, values) as unknown as SentIncidence;
  return (await operation('post', '/api/v1/send-incidence', { body })).incidence as IncidenceDetail;
}

export interface Change {
  _id: string;
  status?: Status;
  answer?: string;
  /** Of administrators, for administrators. */
  note?: string;
  files?: NewImage[];
}

export async function changeIncidence(change: Change): Promise<IncidenceDetail> {
  const body = { incidence: { status: null, answer: null, note: null, files: [], ...change } };
  return (await operation('put', '/api/v1/incidence', { body })).incidence as IncidenceDetail;
}

/** Lists and logs are asked for again; the incidence itself is what the server answered. */
export function keepIncidence(client: QueryClient, incidence: IncidenceDetail): void {
  client.setQueryData(getIncidence(incidence._id).queryKey, incidence);
  void client.invalidateQueries({ queryKey: ['list_incidences'] });
  void client.invalidateQueries({ queryKey: ['incidence_logs', incidence._id] });
}

/** Offered per type; who looks for another one types more of it. */
const OFFERED = 20;
const LISTS = ['/api/v1/conferences-autos-details/{id}', '/api/v1/conferences-div-details/{id}'] as const;

/** The company's conferences of the last 7 days, both types, the newest first; company `0` is everybody's. */
export const recentConferences = (company: string, search: string) =>
  queryOptions({
    queryKey: ['recent_conferences', company, search],
    queryFn: async ({ signal }): Promise<ConferenceChoice[]> => {
      const { begin, end } = daysOf({}, new Date());
      const query = { limit: OFFERED, sort: '-createdAt', search: search || undefined };
      const ask = (list: (typeof LISTS)[number]) =>
        operation('post', list, { path: { id: company }, query, body: { begin, end }, signal });
      const rows = (await Promise.all(LISTS.map(ask))).flatMap((page) => page.conferences as ConferenceRow[]);
      return rows
        .filter((row) => !row.erased)
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
        .map(({ _id, expedientNumber, contactPerson, createdAt }) => ({
          _id,
          expedientNumber,
          contactPerson,
          createdAt,
        }));
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

/** What phones could do when people tried them, newest first, or the result of a code. */
export const listPhoneChecks = (code: string) => {
  const query = { code: code.trim() || undefined };
  return queryOptions({
    queryKey: ['list_phone_checks', query],
    queryFn: async ({ signal }) => (await operation('get', '/api/v1/phone-checks', { query, signal })).phoneChecks,
    placeholderData: keepPreviousData,
  });
};
