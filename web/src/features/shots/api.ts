import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import { cleaned, type DraftShot, type ShotType } from './model';

const of = (company: string) => ({ path: { companyId: company } });

/** Both lists of a company; company `0` is the platform's defaults. */
export const shotLists = (company: string) =>
  queryOptions({
    queryKey: ['get_shots', company],
    queryFn: async ({ signal }) => await operation('get', '/api/v1/shots/{companyId}', { ...of(company), signal }),
    // A form starts with it: fresh at every visit, never changed under somebody who types.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** 422 INVALID_FIELDS. */
export const saveShots = async (company: string, type: ShotType, shots: readonly DraftShot[]) => {
  const given = { ...of(company), body: { type, shots: cleaned(shots) } };
  return await operation('put', '/api/v1/shots/{companyId}', given);
};

/** Back to the platform's list, and with it from now on. */
export const resetShots = async (company: string, type: ShotType) =>
  await operation('post', '/api/v1/shots-reset/{companyId}', { ...of(company), body: { type } });
