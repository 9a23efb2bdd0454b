import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { operation } from '@/api/operation';
import type { User } from '@/api/types';
import { type AnyKind, type Company, nounOf } from './kinds';

/** The company of a list: name and kind. */
export const getParent = (id: string) =>
  queryOptions({
    queryKey: ['get_parent_company', id],
    queryFn: async ({ signal }) => (await operation('get', '/api/v1/get-parent/{id}', { path: { id }, signal })).parent,
  });

/** A company with all that the caller may see of it. */
export const getCompany = (kind: AnyKind, id: string) =>
  queryOptions({
    queryKey: ['get_company', id],
    queryFn: async ({ signal }) => {
      const noun = nounOf(kind);
      return (await api.get<Record<typeof noun, Company>>(`/api/v1/${noun}/${encodeURIComponent(id)}`, { signal }))[
        noun
      ];
    },
    // A form starts with it: fresh at every visit, never changed under somebody who types.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Somebody of a company. */
export const getUser = (id: string) =>
  queryOptions({
    queryKey: ['get_user', id],
    queryFn: async ({ signal }): Promise<User> =>
      (await operation('get', '/api/v1/user/{id}', { path: { id }, signal })).user,
  });
