import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';

/** Matches that are shown of each kind. */
export const FOUND = 6;

/** Customers by name, tax id or e-mail, and how many there are. Administrator only. */
export const findCustomers = (text: string) =>
  queryOptions({
    queryKey: ['find_customers', text],
    queryFn: async ({ signal }) => {
      const query = { search: text, limit: FOUND };
      const { customers, total } = await operation('get', '/api/v1/customers', { query, signal });
      return { rows: customers.map(({ _id, company, name, cif }) => ({ _id, title: company || name, cif })), total };
    },
    staleTime: 30_000,
  });
