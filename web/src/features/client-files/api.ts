import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { FileRequest } from '@/api/types';

/** The body of `client-files/new`. */
export type NewRequest = components['schemas']['NewRequest'];

const on = (conferenceId: string) => ({ path: { conferenceId } });

/** While somebody looks at them. Milliseconds. */
const LOOK_AGAIN_MS = 10_000;

export const requestsQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['client_files', conferenceId],
    queryFn: async () =>
      (await operation('get', '/api/v1/client-files/{conferenceId}', on(conferenceId))).requests as FileRequest[],
    refetchInterval: LOOK_AGAIN_MS,
  });

/** `POST client-files/new`. Throws `ApiError`. */
export const sendRequest = async (body: NewRequest) =>
  (await operation('post', '/api/v1/client-files/new', { body })).request;

/** Sends the same link once more by the same channel. Throws `ApiError`. */
export const resendRequest = async (id: string) =>
  (await operation('post', '/api/v1/client-files-resend/{id}', { path: { id } })).request;

/** Ends the link. Throws `ApiError`. */
export const cancelRequest = async (id: string) =>
  (await operation('post', '/api/v1/client-files-cancel/{id}', { path: { id } })).request;
