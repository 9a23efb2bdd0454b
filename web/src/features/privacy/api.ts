import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { operation } from '@/api/operation';
import type { Conference } from '@/api/types';
import { download, downloadXlsx } from '@/shared/lib/download';
import { exportQuery, listQuery } from '@/shared/lib/list-state';
import type { ListControls } from '@/shared/ui/DataList';
import type { Erasure, PrivacyRequest } from './model';

const part = encodeURIComponent;

/** The conferences of a person by phone or e-mail, exactly. */
export const personConferences = (company: string, search: string) =>
  queryOptions({
    queryKey: ['find_person', company, search],
    queryFn: ({ signal }) =>
      api.get<{ conferences: Conference[]; total: number }>(
        `/api/v1/persons/${part(company)}?${new URLSearchParams({ search })}`,
        { signal },
      ),
    // Whether somebody is known here is asked for anew each time.
    gcTime: 0,
    retry: false,
  });

/** A ZIP with everything of a person; it is written down who took it. */
export const exportPerson = (company: string, search: string) =>
  download(`/api/v1/person-export/${part(company)}`, {}, 'datos-personales.zip', { search });

export const erasePerson = (company: string, search: string, reason: string) =>
  api.post<{ erasures: Erasure[] }>(`/api/v1/person-erase/${part(company)}`, { search, reason });

export const eraseConference = async (conferenceId: string, reason: string) =>
  (await api.post<{ erasure: Erasure }>(`/api/v1/conference-erase/${part(conferenceId)}`, { reason })).erasure;

/** A paged register of a company; company `0` is everybody's. */
const register = <R>(name: string, noun: string, company: string, list: ListControls) => {
  const { sort: _newestFirst, ...query } = listQuery(list, list.pageSize);
  return queryOptions({
    queryKey: [`list_${name}`, company, query],
    queryFn: async ({ signal }) => {
      type Page = { total: number } & Record<string, unknown>;
      const page = await api.get<Page>(`/api/v1/${name}/${part(company)}?${new URLSearchParams(query)}`, { signal });
      return { rows: page[noun] as R[], total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

export const listErasures = (company: string, list: ListControls) =>
  register<Erasure>('erasures', 'erasures', company, list);

export const listRequests = (company: string, list: ListControls) =>
  register<PrivacyRequest>('privacy-requests', 'requests', company, list);

export function exportRegister(name: 'erasures' | 'privacy-requests', company: string, list: ListControls, as: string) {
  const { sort: _newestFirst, ...query } = exportQuery(list);
  return downloadXlsx(`/api/v1/${name}/${part(company)}`, query, as);
}

/** How long the company's files stay beyond the rule, in days; `null` when the rule holds. */
export const companyRetention = (company: string) =>
  queryOptions({
    queryKey: ['get_company_retention', company],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/customer/{id}', { path: { id: company }, signal })).customer.retentionDays ??
      null,
  });
