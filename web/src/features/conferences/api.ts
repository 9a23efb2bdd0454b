import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { Conference, ConferenceDetails, MediaItem } from '@/api/types';
import type { toRequest } from './videocall-form';

/** Opens a conference: 422 with fields, 403 VIDEO_CALL_NOT_ALLOWED_CUSTOMER or _WORKER. */
export const openConference = (body: ReturnType<typeof toRequest>) => operation('post', '/api/v1/getToken', { body });

const on = (conferenceId: string) => ({ path: { id: conferenceId } });

export const getConferenceDetails = (conferenceId: string) =>
  queryOptions({
    queryKey: ['get_conference_details', conferenceId],
    queryFn: async () =>
      (await operation('get', '/api/v1/conferences-details/{id}', on(conferenceId))) as ConferenceDetails,
  });

/** The files of a conference; the same answer as the media view keeps. Asking for it marks them as seen. */
export const conferenceFiles = (conferenceId: string) =>
  queryOptions({
    queryKey: ['get_conference_media', conferenceId],
    queryFn: async () =>
      (await operation('get', '/api/v1/conference-media/{id}', on(conferenceId))) as {
        conference: Conference;
        media: MediaItem[];
      },
    staleTime: 30_000,
  });

/** Sends the link again; `to` is another number (E.164) or address. */
export const resendLink = (conferenceId: string, channel: 'sms' | 'email', to?: string) =>
  operation('post', '/api/v1/conference-resend/{id}', { ...on(conferenceId), body: { channel, to } });

/** A six-digit code to dictate, typed at `/external`; lives ten minutes. */
export const dictateCode = (conferenceId: string) =>
  operation('post', '/api/v1/conference-code/{id}', on(conferenceId));

export const closeConference = (conferenceId: string) =>
  operation('post', '/api/v1/conference-close/{id}', on(conferenceId));
