import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { Conference, Expedient, MediaItem } from '@/api/types';

export interface ConferenceMedia {
  conference: Conference;
  media: MediaItem[];
}

/** The files of a conference. Asking for it marks them as seen. */
export const mediaQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['get_conference_media', conferenceId],
    queryFn: async () =>
      (await operation('get', '/api/v1/conference-media/{id}', { path: { id: conferenceId } })) as ConferenceMedia,
    staleTime: 30_000,
  });

/** The same for a glance: what is new stays new. News of the files reach both. */
export const glanceQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: [...mediaQuery(conferenceId).queryKey, 'glance'],
    queryFn: async () => {
      const given = { path: { id: conferenceId }, query: { peek: true } };
      return (await operation('get', '/api/v1/conference-media/{id}', given)) as ConferenceMedia;
    },
    staleTime: 30_000,
  });

/** The list of a conference with its ticks. */
export const conferenceShots = (conferenceId: string) =>
  queryOptions({
    queryKey: ['get_conference_shots', conferenceId],
    queryFn: async ({ signal }) => {
      const given = { path: { id: conferenceId }, signal };
      return (await operation('get', '/api/v1/conference-shots/{id}', given)).shots;
    },
  });

/** Everything of one case number, white space and letter case apart. 404 EXPEDIENT_NOT_FOUND. */
export const getExpedient = (expedientNumber: string) =>
  queryOptions({
    queryKey: ['get_expedient', expedientNumber],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/expedient/{expedientNumber}', {
        path: { expedientNumber },
        signal,
      })) as Expedient,
  });
