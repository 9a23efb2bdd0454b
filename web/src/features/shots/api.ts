import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { ConferenceShot, ShotLists, ShotState } from '@/api/types';
import { cleaned, type DraftShot, type ShotType } from './model';

const of = (company: string) => ({ path: { companyId: company } });

/** Both lists of a company; company `0` is the platform's defaults. */
export const shotLists = (company: string) =>
  queryOptions({
    queryKey: ['get_shots', company],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/shots/{companyId}', { ...of(company), signal })) as ShotLists,
    // A form starts with it: fresh at every visit, never changed under somebody who types.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** 422 INVALID_FIELDS. */
export const saveShots = async (company: string, type: ShotType, shots: readonly DraftShot[]) => {
  const given = { ...of(company), body: { type, shots: cleaned(shots) } };
  return (await operation('put', '/api/v1/shots/{companyId}', given)) as ShotLists;
};

/** Back to the platform's list, and with it from now on. */
export const resetShots = async (company: string, type: ShotType) =>
  (await operation('post', '/api/v1/shots-reset/{companyId}', { ...of(company), body: { type } })) as ShotLists;

/** The list of a conference with its ticks. */
export const conferenceShots = (conferenceId: string) =>
  queryOptions({
    queryKey: ['get_conference_shots', conferenceId],
    queryFn: async ({ signal }) => {
      const given = { path: { id: conferenceId }, signal };
      return (await operation('get', '/api/v1/conference-shots/{id}', given)).shots as ConferenceShot[];
    },
  });

/** Ticks a shot with a picture, marks it for another try, or takes its picture off it. Answers the whole list. */
export const tickShot = async (conferenceId: string, tick: { key: string; state: ShotState; mediaId?: string }) => {
  const given = { path: { id: conferenceId }, body: tick };
  return (await operation('put', '/api/v1/conference-shots/{id}', given)).shots as ConferenceShot[];
};
