import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { type ConferenceShot, cleaned, type Shot, type ShotLists, type ShotState, type ShotType } from './model';

const part = encodeURIComponent;

/** Both lists of a company; company `0` is the platform's defaults. */
export const shotLists = (company: string) =>
  queryOptions({
    queryKey: ['get_shots', company],
    queryFn: ({ signal }) => api.get<ShotLists>(`/api/v1/shots/${part(company)}`, { signal }),
    // A form starts with it: fresh at every visit, never changed under somebody who types.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** 422 INVALID_FIELDS. */
export const saveShots = (company: string, type: ShotType, shots: readonly Shot[]) =>
  api.put<ShotLists>(`/api/v1/shots/${part(company)}`, { type, shots: cleaned(shots) });

/** Back to the platform's list, and with it from now on. */
export const resetShots = (company: string, type: ShotType) =>
  api.post<ShotLists>(`/api/v1/shots-reset/${part(company)}`, { type });

const shotsPath = (conferenceId: string) => `/api/v1/conference-shots/${part(conferenceId)}`;

/** The list of a conference with its ticks. */
export const conferenceShots = (conferenceId: string) =>
  queryOptions({
    queryKey: ['get_conference_shots', conferenceId],
    queryFn: async ({ signal }) =>
      (await api.get<{ shots: ConferenceShot[] }>(shotsPath(conferenceId), { signal })).shots,
  });

/** Ticks a shot with a picture, marks it for another try, or takes its picture off it. Answers the whole list. */
export const tickShot = async (conferenceId: string, tick: { key: string; state: ShotState; mediaId?: string }) =>
  (await api.put<{ shots: ConferenceShot[] }>(shotsPath(conferenceId), tick)).shots;
