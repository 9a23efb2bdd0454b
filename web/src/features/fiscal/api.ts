import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { FiscalField, FiscalIdentity, FiscalRequest, Regime } from './types';

const V1 = '/api/v1';
const part = encodeURIComponent;

/** A company's fiscal data, their history and its requests. Its principal and administrators. */
export const fiscalIdentity = (company: string) =>
  queryOptions({
    queryKey: ['get_fiscal_identity', company],
    queryFn: async ({ signal }) => {
      const path = `${V1}/fiscal-identity/${part(company)}`;
      return (await api.get<{ fiscalIdentity: FiscalIdentity }>(path, { signal })).fiscalIdentity;
    },
  });

/** The requests of every company: those that wait, or all of them. Administrators. */
export const fiscalRequests = (open: boolean) =>
  queryOptions({
    queryKey: ['list_fiscal_requests', open],
    queryFn: async ({ signal }) => {
      const path = `${V1}/fiscal-requests?limit=200${open ? '&status=open' : ''}`;
      return (await api.get<{ fiscalRequests: FiscalRequest[] }>(path, { signal })).fiscalRequests;
    },
  });

const requestOf = ({ fiscalRequest }: { fiscalRequest: FiscalRequest }) => fiscalRequest;

export const fiscalRequest = (id: string) =>
  queryOptions({
    queryKey: ['get_fiscal_request', id],
    queryFn: async ({ signal }) =>
      requestOf(await api.get<{ fiscalRequest: FiscalRequest }>(`${V1}/fiscal-request/${part(id)}`, { signal })),
  });

/** Where the document of a request is. */
export const documentPath = (id: string): string => `${V1}/fiscal-request-document/${part(id)}`;

/** What is asked for: changed fields, the day from which it is so, the document. */
export interface Wish {
  fields: Partial<Record<FiscalField, string>>;
  since: string;
  note: string;
  file: File;
}

export async function askFiscalChange(company: string, { fields, since, note, file }: Wish): Promise<FiscalRequest> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('since', since);
  form.append('note', note);
  form.append('file', file);
  return requestOf(await api.post<{ fiscalRequest: FiscalRequest }>(`${V1}/fiscal-requests/${part(company)}`, form));
}

export async function attachDocument(id: string, file: File): Promise<FiscalRequest> {
  const form = new FormData();
  form.append('file', file);
  return requestOf(await api.post<{ fiscalRequest: FiscalRequest }>(documentPath(id), form));
}

export const withdrawRequest = async (id: string): Promise<FiscalRequest> =>
  requestOf(await api.post<{ fiscalRequest: FiscalRequest }>(`${V1}/fiscal-request-withdraw/${part(id)}`, {}));

export interface Decision {
  approve: boolean;
  reason: string;
  regime?: Regime;
}

export const decideRequest = async (id: string, decision: Decision): Promise<FiscalRequest> =>
  requestOf(await api.post<{ fiscalRequest: FiscalRequest }>(`${V1}/fiscal-request-decide/${part(id)}`, decision));

/** What an administrator writes at once. */
export type FiscalChange = Partial<Record<FiscalField | 'country', string>> & {
  since: string;
  reason: string;
  regime?: Regime;
};

export const changeFiscalIdentity = async (company: string, change: FiscalChange): Promise<FiscalIdentity> => {
  const path = `${V1}/fiscal-identity/${part(company)}`;
  return (await api.put<{ fiscalIdentity: FiscalIdentity }>(path, { fiscalIdentity: change })).fiscalIdentity;
};
