import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { Present } from '@/api/types';
import { merged, type Notice } from './model';

/** How many the session's person has not seen. */
export const countNotices = queryOptions({
  queryKey: ['count_notifications'],
  queryFn: async ({ signal }) =>
    (await operation('get', '/api/v1/notifications/get-number-notifications', { signal })).numberNewNotifications,
});

const NOTICES = ['list_notifications'] as const;

/** General and personal ones together, newest first, each with its text in the page's language. */
export const listNotices = queryOptions({
  queryKey: NOTICES,
  queryFn: async ({ signal }) => merged(await operation('get', '/api/v1/notifications/get-by-user', { signal })),
  // The panel reloads them on each opening. A failure is shown at once, with its way out.
  staleTime: 0,
  gcTime: 0,
  retry: false,
});

/** Marks one as read or unread. A refusal (gone, withdrawn, not ours) throws. */
export const markNotice = ({ category, _id }: Notice, readed: boolean) =>
  operation('post', `/api/v1/notifications/mark-as-${readed ? 'seen' : 'unseen'}-${category}/{id}`, {
    path: { id: _id },
  });

export const markAllNotices = () => operation('post', '/api/v1/notifications/mark-as-seen-all');

type Schemas = components['schemas'];
export type GeneralState = Schemas['GeneralState'];
/** A notice to many, as the administrator sees it. `roleGroup` 0 is everybody, else a role. */
export type GeneralNotice = Present<Schemas['GeneralNotification']>;
/** A general notification. Moments are RFC 3339. */
export type NewGeneralNotice = Schemas['NewGeneralBody'];

export const GENERAL = 'list_general_notifications';

/** One page of what was sent, newest first. Administrators. */
export const listGeneral = (page: number, pageSize: number) =>
  queryOptions({
    queryKey: [GENERAL, page, pageSize],
    queryFn: async ({ signal }) => {
      const query = { limit: pageSize, cursor: page > 1 ? String((page - 1) * pageSize) : undefined };
      const found = await operation('get', '/api/v1/notifications/general', { query, signal });
      return { rows: found.notifications, total: found.total };
    },
    placeholderData: keepPreviousData,
  });

export const sendGeneral = (notice: NewGeneralNotice) =>
  operation('post', '/api/v1/notifications/new-general-from-admin', { body: notice });

export const withdrawGeneral = (id: string) =>
  operation('post', '/api/v1/notifications/general-withdraw/{id}', { path: { id } });

/** Markup as the server lets it through. */
export const previewBody = (body: string) =>
  queryOptions({
    queryKey: ['preview_general_notification', body],
    queryFn: async ({ signal }) =>
      (await operation('post', '/api/v1/notifications/preview-general', { body: { body }, signal })).body ?? '',
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
