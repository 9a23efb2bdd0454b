import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Conference, ConferenceDetails, Message, OpenConferenceAnswer } from '@/api/types';
import type { toRequest } from './videocall-form';

const id = encodeURIComponent;

/** Opens a conference: 422 with fields, 403 VIDEO_CALL_NOT_ALLOWED_CUSTOMER or _WORKER. */
export const openConference = (body: ReturnType<typeof toRequest>) =>
  api.post<OpenConferenceAnswer>('/api/v1/getToken', body);

export const getConferenceDetails = (conferenceId: string) =>
  queryOptions({
    queryKey: ['get_conference_details', conferenceId],
    queryFn: () => api.get<ConferenceDetails>(`/api/v1/conferences-details/${id(conferenceId)}`),
  });

/** Sends the link again; `to` is another number (E.164) or address. */
export const resendLink = (conferenceId: string, channel: 'sms' | 'email', to?: string) =>
  api.post<{ message: Message }>(`/api/v1/conference-resend/${id(conferenceId)}`, { channel, to });

/** A six-digit code to dictate, typed at `/external`; lives ten minutes. */
export const dictateCode = (conferenceId: string) =>
  api.post<{ code: string; expiresAt: string }>(`/api/v1/conference-code/${id(conferenceId)}`);

export const closeConference = (conferenceId: string) =>
  api.post<{ conference: Conference }>(`/api/v1/conference-close/${id(conferenceId)}`);
