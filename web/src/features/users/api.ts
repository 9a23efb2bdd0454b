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
      return { rows: page.users, total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

export const exportUsers = (company: string, list: ListState, name: string) =>
  downloadXlsx(`/api/v1/users/${part(company)}`, exportQuery(list), name);

/**
 * Changes a user. Keys that the caller may not set are ignored by the server. `pendingUserName` is the log-in name that
 * the old and the new address have to confirm first.
 */
export const saveUser = (change: UserChange) => operation('put', '/api/v1/user', { body: { user: change } });

/** Turns the second factor of somebody else off, without a code: administrator, principal of the company. */
export const resetSecondFactor = (userId: string) => operation('post', '/api/v1/disable2fa', { body: { userId } });
