import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';

/** `active` and `customers` are the administrator's. */
export interface Insurer {
  _id: string;
  name: string;
  active?: boolean;
  customers?: number;
}

/** A customer that works for an insurance company. */
export interface InsurerCustomer {
  _id: string;
  company: string;
  region: string;
  available: boolean;
}

/** The active ones; for the administrator with `all`, every one with its number of customers. */
export const listInsurers = (all: boolean) =>
  queryOptions({
    queryKey: ['list_insurance_companies', all],
    queryFn: async ({ signal }) => {
      const path = `/api/v1/insuranceCompanies${all ? '?all=true' : ''}`;
      return (await api.get<{ insuranceCompanies: Insurer[] }>(path, { signal })).insuranceCompanies;
    },
  });

export const customersOf = (insurer: string) =>
  queryOptions({
    queryKey: ['list_customer_insurance', insurer],
    queryFn: async ({ signal }) =>
      (
        await api.get<{ customers: InsurerCustomer[] }>(`/api/v1/customer-insurance/${encodeURIComponent(insurer)}`, {
          signal,
        })
      ).customers,
  });

/** Ids of the insurance companies that a customer works for. */
export const insurersOf = (company: string) =>
  queryOptions({
    queryKey: ['get_company_insurers', company],
    queryFn: async ({ signal }) =>
      (
        await api.get<{ insuranceCompanies: string[] }>(`/api/v1/company-insurers/${encodeURIComponent(company)}`, {
          signal,
        })
      ).insuranceCompanies,
  });

export const createInsurer = (name: string) =>
  api.post<{ insuranceCompany: Insurer }>('/api/v1/insuranceCompanies', { insuranceCompany: { name } });

export const changeInsurer = (insuranceCompany: Required<Pick<Insurer, '_id' | 'name' | 'active'>>) =>
  api.put<{ insuranceCompany: Insurer }>('/api/v1/insuranceCompanies', { insuranceCompany });
