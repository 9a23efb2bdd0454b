import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { Expedient } from '@/api/types';

/** 404 EXPEDIENT_NOT_FOUND. */
export const getExpedient = (expedientNumber: string) =>
  queryOptions({
    queryKey: ['get_expedient', expedientNumber],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/expedient/{expedientNumber}', {
        path: { expedientNumber },
        signal,
      })) as Expedient,
  });

export const addNote = (expedientNumber: string, text: string) =>
  operation('post', '/api/v1/expedient-notes/{expedientNumber}', { path: { expedientNumber }, body: { text } });

export const deleteNote = (id: string) => operation('post', '/api/v1/expedient-note-delete/{id}', { path: { id } });
