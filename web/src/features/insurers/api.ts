import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';

/** The customers that work for an insurance company. */
export const customersOf = (companyId: string) =>
  queryOptions({
    queryKey: ['list_customer_insurance', companyId],
    queryFn: async ({ signal }) => {
      const path = { companyId };
      // A bare array.
      const found = await operation('get', '/api/v1/customer-insurance/{companyId}', { path, signal });
      return found;
    },
  });

export const createInsurer = (name: string) =>
  operation('post', '/api/v1/insuranceCompanies', { body: { insuranceCompany: { name } } });

export const changeInsurer = (insuranceCompany: { _id: string; name: string; active: boolean }) =>
  operation('put', '/api/v1/insuranceCompanies', { body: { insuranceCompany } });
