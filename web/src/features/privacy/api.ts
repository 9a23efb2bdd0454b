import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { Breach, PrivacyRequest } from '@/api/types';
import { download, downloadXlsx } from '@/shared/lib/download';
import { exportQuery, listQuery } from '@/shared/lib/list-state';
import type { ListControls } from '@/shared/ui/DataList';

export type BreachInput = components['schemas']['NewBreach'];

const part = encodeURIComponent;

/** The conferences of a person by phone or e-mail, exactly. */
export const personConferences = (company: string, search: string) =>
  queryOptions({
    queryKey: ['find_person', company, search],
    queryFn: async ({ signal }) => {
      const given = { path: { companyId: company }, body: { search }, signal };
      const { conferences, total } = await operation('post', '/api/v1/persons/{companyId}', given);
      return { conferences: conferences, total };
    },
    // Whether somebody is known here is asked for anew each time.
    gcTime: 0,
    retry: false,
  });

/** A ZIP with everything of a person; it is written down who took it. */
export const exportPerson = (company: string, search: string) =>
  download(`/api/v1/person-export/${part(company)}`, {}, 'datos-personales.zip', { search });

export const erasePerson = (company: string, search: string, reason: string) =>
  operation('post', '/api/v1/person-erase/{companyId}', { path: { companyId: company }, body: { search, reason } });

export const eraseConference = async (conferenceId: string, reason: string) =>
  (await operation('post', '/api/v1/conference-erase/{id}', { path: { id: conferenceId }, body: { reason } })).erasure;

/** The server's query of a page of a register, newest first. */
const pageOf = (list: ListControls) => {
  const { sort: _newestFirst, ...query } = listQuery(list, list.pageSize);
  return query;
};

/** A company's erasures; company `0` is everybody's. */
export const listErasures = (company: string, list: ListControls) => {
  const query = pageOf(list);
  return queryOptions({
    queryKey: ['list_erasures', company, query],
    queryFn: async ({ signal }) => {
      const given = { path: { companyId: company }, query, signal };
      const { erasures, total } = await operation('get', '/api/v1/erasures/{companyId}', given);
      return { rows: erasures, total };
    },
    placeholderData: keepPreviousData,
  });
};

/** What persons asked of a company; company `0` is everybody's. */
export const listRequests = (company: string, list: ListControls) => {
  const query = pageOf(list);
  return queryOptions({
    queryKey: ['list_privacy-requests', company, query],
    queryFn: async ({ signal }) => {
      const given = { path: { companyId: company }, query, signal };
      const { requests, total } = await operation('get', '/api/v1/privacy-requests/{companyId}', given);
      return { rows: requests as PrivacyRequest[], total };
    },
    placeholderData: keepPreviousData,
  });
};

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

/** How long each class of data is kept, and who processes data for the platform. */
export const dataTerms = () =>
  queryOptions({
    queryKey: ['get_data_terms'],
    queryFn: ({ signal }) => operation('get', '/api/v1/data-terms', { signal }),
  });

/** What the terms would block and delete at the beginning of a day, or now without one. */
export const previewTerms = (date: string) =>
  operation('get', '/api/v1/data-terms-preview', { query: date ? { date } : {} });

export const PAPERS = ['activities', 'impact', 'breaches'] as const;
export type Paper = (typeof PAPERS)[number];

export const downloadPaper = (paper: Paper) => download(`/api/v1/privacy-paper/${paper}`, {}, `${paper}.pdf`);

/** The register of security breaches. */
export const listBreaches = (list: ListControls) => {
  const query = pageOf(list);
  return queryOptions({
    queryKey: ['list_security_breaches', query],
    queryFn: async ({ signal }) => {
      const { breaches, total } = await operation('get', '/api/v1/security-breaches', { query, signal });
      return { rows: breaches as Breach[], total };
    },
    placeholderData: keepPreviousData,
  });
};

export const addBreach = (breach: BreachInput) => operation('post', '/api/v1/security-breaches', { body: { breach } });
