import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { ConferenceDetails } from '@/api/types';
import type { toRequest } from './videocall-form';

/** Opens a conference: 422 with fields, 403 VIDEO_CALL_NOT_ALLOWED_CUSTOMER or _WORKER. */
export const openConference = (body: ReturnType<typeof toRequest>) => operation('post', '/api/v1/getToken', { body });

/** The text of the company's SMS; `own` when it wrote one itself. */
export const companySms = (user: string) =>
  queryOptions({
    queryKey: ['company_sms', user],
    queryFn: ({ signal }) => operation('get', '/api/v1/sms-conference-client/{id}', { path: { id: user }, signal }),
    staleTime: 60_000,
  });

const on = (conferenceId: string) => ({ path: { id: conferenceId } });

export const getConferenceDetails = (conferenceId: string) =>
  queryOptions({
    queryKey: ['get_conference_details', conferenceId],
    queryFn: async () =>
      (await operation('get', '/api/v1/conferences-details/{id}', on(conferenceId))) as ConferenceDetails,
  });

/** What both pages told about their connection, in order. */
export const listConnections = (conferenceId: string) =>
  queryOptions({
    queryKey: ['list_connections', conferenceId],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/conference-connections/{id}', { ...on(conferenceId), signal })).connections,
  });
