import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { downloadXlsx } from '@/shared/lib/download';
import { exportQuery, listQuery } from '@/shared/lib/list-state';
import type { ListControls } from '@/shared/ui/DataList';
import type { ConferenceRow } from './model';

export type ConferenceType = 'autos' | 'div';
export type Days = { begin: string; end: string };

const address = (type: ConferenceType, company: string) =>
  `/api/v1/conferences-${type}-details/${encodeURIComponent(company)}`;

/** The list's state without the days, which travel in the body. */
const withoutDays = <L extends ListControls>(list: L): L => ({ ...list, filters: {} });

/** One page of a company's conferences; company `0` is everybody's, for administrators (DESIGN §10). */
export const listConferences = (type: ConferenceType, company: string, days: Days, list: ListControls) => {
  const query = listQuery(withoutDays(list), list.pageSize);
  return queryOptions({
    queryKey: ['list_conferences', type, company, days, query],
    queryFn: async ({ signal }) => {
      const path = `${address(type, company)}?${new URLSearchParams(query)}`;
      const page = await api.post<{ conferences: ConferenceRow[]; total: number }>(path, days, { signal });
      return { rows: page.conferences, total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

export const exportConferences = (
  type: ConferenceType,
  company: string,
  days: Days,
  list: ListControls,
  name: string,
) => downloadXlsx(address(type, company), exportQuery(withoutDays(list)), name, days);
