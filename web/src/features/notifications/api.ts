import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { type Answer, merged, type Notice } from './model';

const BASE = '/api/v1/notifications';

/** How many the session's person has not seen. */
export const countNotices = queryOptions({
  queryKey: ['count_notifications'],
  queryFn: async ({ signal }) =>
    (await api.get<{ numberNewNotifications: number }>(`${BASE}/get-number-notifications`, { signal }))
      .numberNewNotifications,
});

const NOTICES = ['list_notifications'] as const;

/** General and personal ones together, newest first, each with its text in the page's language. */
export const listNotices = queryOptions({
  queryKey: NOTICES,
  queryFn: async ({ signal }) => merged(await api.get<Answer>(`${BASE}/get-by-user`, { signal })),
  // SPEC §4: the panel reloads them on each opening. A failure is shown at once, with its way out.
  staleTime: 0,
  gcTime: 0,
  retry: false,
});

/** Marks one as read or unread. A refusal (gone, withdrawn, not ours) throws. */
export const markNotice = ({ category, _id }: Notice, readed: boolean) =>
  api.post(`${BASE}/mark-as-${readed ? 'seen' : 'unseen'}-${category}/${encodeURIComponent(_id)}`);

export const markAllNotices = () => api.post(`${BASE}/mark-as-seen-all/`);

export type GeneralState = 'scheduled' | 'active' | 'expired' | 'withdrawn';

/** A notice to many, as the administrator sees it. `roleGroup` 0 is everybody, else a role. */
export interface GeneralNotice {
  _id: string;
  text: string;
  type: number;
  targetValue: string | null;
  url: string | null;
  startAt: string;
  expiresAt: string;
  roleGroup: number;
  state: GeneralState;
  /** How many people marked it as read. */
  readers: number;
}

/** Fields of SPEC §3 "General notification". Moments are RFC 3339. */
export interface NewGeneralNotice {
  text: string;
  url: string | null;
  startAt: string | null;
  expiresAt: string;
  roleGroup: number;
  body: string | null;
}

export const GENERAL = 'list_general_notifications';

/** One page of what was sent, newest first. Administrators. */
export const listGeneral = (page: number, pageSize: number) =>
  queryOptions({
    queryKey: [GENERAL, page, pageSize],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ limit: String(pageSize) });
      if (page > 1) query.set('cursor', String((page - 1) * pageSize));
      const found = await api.get<{ notifications: GeneralNotice[]; total: number }>(`${BASE}/general?${query}`, {
        signal,
      });
      return { rows: found.notifications, total: found.total };
    },
    placeholderData: keepPreviousData,
  });

export const sendGeneral = (notice: NewGeneralNotice) =>
  api.post<{ notification: GeneralNotice }>(`${BASE}/new-general-from-admin`, notice);

export const withdrawGeneral = (id: string) => api.post(`${BASE}/general-withdraw/${encodeURIComponent(id)}`);

/** Markup as the server lets it through. */
export const previewBody = (body: string) =>
  queryOptions({
    queryKey: ['preview_general_notification', body],
    queryFn: async ({ signal }) =>
      (await api.post<{ body: string }>(`${BASE}/preview-general`, { body }, { signal })).body,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
