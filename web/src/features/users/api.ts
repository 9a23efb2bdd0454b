import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { User } from '@/api/types';
import { downloadXlsx } from '@/shared/lib/download';
import { exportQuery, listQuery } from '@/shared/lib/list-state';
import type { ListControls, ListState } from '@/shared/ui/DataList';

const part = encodeURIComponent;

export type ListedUser = User & { lastLogin: string | null; createdAt: string };

/** Everything under this key changes when a user does. */
export const USERS_KEY = 'list_users';

/** One page of a company's users. Administrator and principals of that company. */
export const listUsers = (company: string, list: ListControls) => {
  const query = listQuery(list, list.pageSize);
  return queryOptions({
    queryKey: [USERS_KEY, company, query],
    queryFn: async ({ signal }) => {
      const path = `/api/v1/users/${part(company)}?${new URLSearchParams(query)}`;
      const page = await api.get<{ users: ListedUser[]; total: number }>(path, { signal });
      return { rows: page.users, total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

export const exportUsers = (company: string, list: ListState, name: string) =>
  downloadXlsx(`/api/v1/users/${part(company)}`, exportQuery(list), name);

export const getUser = (id: string) =>
  queryOptions({
    queryKey: ['get_user', id],
    queryFn: async ({ signal }) => (await api.get<{ user: User }>(`/api/v1/user/${part(id)}`, { signal })).user,
  });

/** The company of a list: name and kind. */
export const getParent = (id: string) =>
  queryOptions({
    queryKey: ['get_parent_company', id],
    queryFn: async ({ signal }) => {
      type Answer = { parent: { _id: string; company: string; companyType: string } };
      return (await api.get<Answer>(`/api/v1/get-parent/${part(id)}`, { signal })).parent;
    },
  });

/** Changes a user. Keys that the caller may not set are ignored by the server (DESIGN §2). */
export const saveUser = async (change: Record<string, unknown>): Promise<User> =>
  (await api.put<{ user: User }>('/api/v1/user', { user: change })).user;

/** Turns the second factor of somebody else off, without a code: administrator, principal of the company. */
export const resetSecondFactor = (userId: string) => api.post<void>('/api/v1/disable2fa', { userId });
