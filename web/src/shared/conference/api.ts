import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { Conference, Drawing, Expedient, Frozen, Measures, MediaItem } from '@/api/types';

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

export interface ConferenceDrawings {
  /** The picture that the call is frozen at. */
  frozen: Frozen | null;
  drawings: Drawing[];
}

/** What is frozen and drawn in a conference. */
export const drawingsQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['list_drawings', conferenceId],
    queryFn: async () =>
      (await operation('get', '/api/v1/conference-drawings/{id}', {
        path: { id: conferenceId },
      })) as ConferenceDrawings,
    staleTime: 30_000,
  });

/** The drawing in place of the one before; an older one than is known changes nothing. */
export function withDrawing(known: ConferenceDrawings, drawing: Drawing): ConferenceDrawings {
  const before = known.drawings.find((one) => one.mediaId === drawing.mediaId);
  if (before && before.revision >= drawing.revision) return known;
  return { ...known, drawings: [...known.drawings.filter((one) => one !== before), drawing] };
}

/** What is measured on a conference's pictures. */
export const measuresQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['list_measures', conferenceId],
    queryFn: async () => {
      const given = { path: { id: conferenceId } };
      return (await operation('get', '/api/v1/conference-measures/{id}', given)).measures as Measures[];
    },
    staleTime: 30_000,
  });

/** The measures in place of those before; older ones than are known change nothing. */
export function withMeasures(known: readonly Measures[], measures: Measures): Measures[] {
  const before = known.find((one) => one.mediaId === measures.mediaId);
  if (before && before.revision >= measures.revision) return [...known];
  return [...known.filter((one) => one !== before), measures];
}

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
