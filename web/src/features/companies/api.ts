import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import { type AnyKind, type Company, KINDS, type Kind, nounOf } from '@/shared/company/kinds';
import { downloadXlsx } from '@/shared/lib/download';
import { exportQuery, listQuery } from '@/shared/lib/list-state';
import type { ListControls, ListState } from '@/shared/ui/DataList';

const part = encodeURIComponent;

type Page<N extends string> = Record<N, Company[]> & { total: number; nextCursor: string | null };

/** One page of the companies of a kind. Administrator only. */
export const listCompanies = (kind: Kind, list: ListControls) => {
  const query = listQuery(list, list.pageSize);
  const { list: noun } = KINDS[kind];
  return queryOptions({
    queryKey: ['list_companies', kind, query],
    queryFn: async ({ signal }) => {
      const path = `/api/v1/${noun}?${new URLSearchParams(query)}`;
      const page = await api.get<Page<typeof noun>>(path, { signal });
      return { rows: page[noun], total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

export const exportCompanies = (kind: Kind, list: ListState, name: string) =>
  downloadXlsx(`/api/v1/${KINDS[kind].list}`, exportQuery(list), name);

/** What kind of company an id is; the administrator may open any of them by its address. */
export const parentKind = (id: string) =>
  queryOptions({
    queryKey: ['get_parent', id],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/get-parent/{id}', { path: { id }, signal })).parent.companyType,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Absent keys stay as they are. Keys that the caller may not set are ignored by the server. */
export type CompanyChange = { _id: string } & Record<string, unknown>;

export async function saveCompany(kind: AnyKind, change: CompanyChange): Promise<Company> {
  const noun = nounOf(kind);
  return (await api.put<Record<typeof noun, Company>>(`/api/v1/${noun}`, { [noun]: change }))[noun];
}

/** Activates a company and its principal by the administrator's session, which serves instead of a token. */
export async function activateCompany(kind: Kind, id: string): Promise<Company> {
  const { noun, activate } = KINDS[kind];
  return (await api.put<Record<typeof noun, Company>>(`/api/v1/${activate}/${part(id)}`, { token: '' }))[noun];
}

export type SmsCeilingOf = components['schemas']['SmsCeiling'];

/** How many SMS a company may send, and has sent. Administrators. */
export const smsCeiling = (companyId: string) =>
  queryOptions({
    queryKey: ['get_sms_ceiling', companyId],
    queryFn: ({ signal }): Promise<SmsCeilingOf> =>
      operation('get', '/api/v1/sms-ceiling/{companyId}', { path: { companyId }, signal }),
  });

/** Empty numbers give the company's own up. */
export const saveSmsCeiling = (
  companyId: string,
  change: components['schemas']['SmsCeilingChange'],
): Promise<SmsCeilingOf> => operation('post', '/api/v1/sms-ceiling/{companyId}', { path: { companyId }, body: change });

export type BuyerCodesOf = components['schemas']['BuyerCodes'];

/** What a company wants to read on electronic invoices to it. Administrators. */
export const buyerCodes = (companyId: string) =>
  queryOptions({
    queryKey: ['get_buyer_codes', companyId],
    queryFn: ({ signal }): Promise<BuyerCodesOf> =>
      operation('get', '/api/v1/buyer-codes/{companyId}', { path: { companyId }, signal }),
  });

/** What is empty is given up. */
export const saveBuyerCodes = (
  companyId: string,
  change: components['schemas']['BuyerCodesChange'],
): Promise<BuyerCodesOf> => operation('post', '/api/v1/buyer-codes/{companyId}', { path: { companyId }, body: change });
