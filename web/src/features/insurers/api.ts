import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';

/** `active` and `customers` are the administrator's. */
export type Insurer = components['schemas']['InsuranceCompany'];

/** The active ones; for the administrator with `all`, every one with its number of customers. */
export const listInsurers = (all: boolean) =>
  queryOptions({
    queryKey: ['list_insurance_companies', all],
    queryFn: async ({ signal }) => {
      const query = all ? { all: 'true' } : {};
      // A bare array (DESIGN §10); beside it the operation answers the administrator's workbook.
      return (await operation('get', '/api/v1/insuranceCompanies', { query, signal })) as Insurer[];
    },
  });

/** The customers that work for an insurance company. */
export const customersOf = (companyId: string) =>
  queryOptions({
    queryKey: ['list_customer_insurance', companyId],
    queryFn: async ({ signal }) => {
      const path = { companyId };
      // A bare array (DESIGN §10).
      const found = await operation('get', '/api/v1/customer-insurance/{companyId}', { path, signal });
      return found;
    },
  });

/** Ids of the insurance companies that a customer works for. */
export const insurersOf = (companyId: string) =>
  queryOptions({
    queryKey: ['get_company_insurers', companyId],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/company-insurers/{companyId}', { path: { companyId }, signal }))
        .insuranceCompanies,
  });

export const createInsurer = (name: string) =>
  operation('post', '/api/v1/insuranceCompanies', { body: { insuranceCompany: { name } } });

export const changeInsurer = (insuranceCompany: { _id: string; name: string; active: boolean }) =>
  operation('put', '/api/v1/insuranceCompanies', { body: { insuranceCompany } });
