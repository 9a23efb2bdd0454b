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
      // A bare array; beside it the operation answers the administrator's workbook.
      return (await operation('get', '/api/v1/insuranceCompanies', { query, signal })) as Insurer[];
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
