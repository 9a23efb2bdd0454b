import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { ConferenceShots } from '@/api/types';

export type RequestState = 'sent' | 'opened' | 'partial' | 'complete' | 'expired' | 'cancelled';
export type ItemState = 'asked' | 'received' | 'approved' | 'rejected';

/** One thing that was asked for. */
export interface RequestItem {
  _id: string;
  shot: string | null;
  label: string;
  hint: string | null;
  state: ItemState;
  note: string | null;
  mediaIds: string[];
}

/** A request as the adjuster sees it; `to` is masked. */
export interface FileRequest {
  _id: string;
  conferenceId: string;
  expedientNumber: string;
  /** 1 SMS, 2 e-mail (SPEC §3 Client-file request). */
  contactType: 1 | 2;
  to: string;
  contactText: string;
  emailTitle: string | null;
  pageShowText: string | null;
  userName: string;
  createdAt: string;
  expiresAt: string;
  openedAt: string | null;
  finishedAt: string | null;
  cancelledAt: string | null;
  state: RequestState;
  remind: boolean;
  notify: boolean;
  items: RequestItem[];
  received: number;
  approved: number;
}

/** The body of `client-files/new`. */
export interface NewRequest {
  contactType: 1 | 2;
  contactText: string;
  pageShowText: string | null;
  conferenceId: string;
  to: string;
  emailTitle: string | null;
  items: { shot?: string; label: string; hint?: string }[];
  remind: boolean;
  notify: boolean;
}

const root = '/api/v1';
const part = encodeURIComponent;

/** While somebody looks at them. Milliseconds. */
const LOOK_AGAIN_MS = 10_000;

export const requestsQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['client_files', conferenceId],
    queryFn: async () =>
      (await api.get<{ requests: FileRequest[] }>(`${root}/client-files/${part(conferenceId)}`)).requests,
    refetchInterval: LOOK_AGAIN_MS,
  });

export const shotsQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['conference_shots', conferenceId],
    queryFn: () => api.get<ConferenceShots>(`${root}/conference-shots/${part(conferenceId)}`),
  });

/** `POST client-files/new` (SPEC §7). Throws `ApiError`. */
export const sendRequest = async (body: NewRequest): Promise<FileRequest> =>
  (await api.post<{ request: FileRequest }>(`${root}/client-files/new`, body)).request;

/** Sends the same link once more by the same channel. Throws `ApiError`. */
export const resendRequest = async (id: string): Promise<FileRequest> =>
  (await api.post<{ request: FileRequest }>(`${root}/client-files-resend/${part(id)}`)).request;

/** Ends the link. Throws `ApiError`. */
export const cancelRequest = async (id: string): Promise<FileRequest> =>
  (await api.post<{ request: FileRequest }>(`${root}/client-files-cancel/${part(id)}`)).request;
