import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { ConferenceRow } from '@/api/types';

/** The two lists of conferences. */
export type ConferenceType = 'autos' | 'div';

export const CONFERENCE_LISTS = {
  autos: '/api/v1/conferences-autos-details/{id}',
  div: '/api/v1/conferences-div-details/{id}',
} as const satisfies Record<ConferenceType, string>;

/** Before the first conference there ever was. */
const FOREVER = '2000-01-01';
/** Matches of each list that are worth showing. */
const FOUND = 10;

async function find(
  type: ConferenceType,
  company: string,
  search: string,
  user: string | undefined,
  signal: AbortSignal,
) {
  const query = { search, sort: '-createdAt', limit: FOUND, ...(user && { user }) };
  const given = { path: { id: company }, query, body: { begin: FOREVER }, signal };
  const { conferences, total } = await operation('post', CONFERENCE_LISTS[type], given);
  return { rows: conferences as ConferenceRow[], total };
}

/**
 * What a search finds in both lists on any day, the newest of each first, and how much there is: by case number, plate,
 * telephone or name. Company `0` is everybody's, for administrators; `user` narrows it to what that user opened.
 */
export const findConferences = (company: string, search: string, user?: string) =>
  queryOptions({
    queryKey: ['find_conferences', company, search, user],
    queryFn: async ({ signal }) => {
      const found = await Promise.all([
        find('autos', company, search, user, signal),
        find('div', company, search, user, signal),
      ]);
      const rows = found.flatMap((one) => one.rows).sort((a, b) => b.createdAt.localeCompare(a.createdAt));
      return { rows, total: found.reduce((sum, one) => sum + one.total, 0) };
    },
    staleTime: 30_000,
  });
