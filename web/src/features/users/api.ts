import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { User } from '@/api/types';
import { downloadXlsx } from '@/shared/lib/download';
import { exportQuery, listQuery } from '@/shared/lib/list-state';
import type { ListControls, ListState } from '@/shared/ui/DataList';

const part = encodeURIComponent;

export type ListedUser = User & { lastLogin?: string | null; createdAt: string };
/** The body of `PUT user`; absent keys stay as they are. */
export type UserChange = components['schemas']['UserFields'];

/** Everything under this key changes when a user does. */
export const USERS_KEY = 'list_users';

/** One page of a company's users. Administrator and principals of that company. */
export const listUsers = (company: string, list: ListControls) => {
  const query = listQuery(list, list.pageSize);
  return queryOptions({
    queryKey: [USERS_KEY, company, query],
    queryFn: async ({ signal }) => {
      const page = await operation('get', '/api/v1/users/{id}', { path: { id: company }, query, signal });
      return { rows: page.users as ListedUser[], total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

export const exportUsers = (company: string, list: ListState, name: string) =>
  downloadXlsx(`/api/v1/users/${part(company)}`, exportQuery(list), name);

export const getUser = (id: string) =>
  queryOptions({
    queryKey: ['get_user', id],
    queryFn: async ({ signal }): Promise<User> =>
      (await operation('get', '/api/v1/user/{id}', { path: { id }, signal })).user,
  });

/** The company of a list: name and kind. */
export const getParent = (id: string) =>
  queryOptions({
    queryKey: ['get_parent_company', id],
    queryFn: async ({ signal }) => (await operation('get', '/api/v1/get-parent/{id}', { path: { id }, signal })).parent,
  });

/** Changes a user. Keys that the caller may not set are ignored by the server (DESIGN §2). */
export const saveUser = async (change: UserChange): Promise<User> =>
  (await operation('put', '/api/v1/user', { body: { user: change } })).user;

/** Turns the second factor of somebody else off, without a code: administrator, principal of the company. */
export const resetSecondFactor = (userId: string) => operation('post', '/api/v1/disable2fa', { body: { userId } });
