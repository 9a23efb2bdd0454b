import { queryOptions } from '@tanstack/react-query';
import { send } from '@/api/client';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { FileRequest, MediaItem } from '@/api/types';
import { conferenceShots } from '@/shared/conference/api';
import type { Names } from './model';

/** What may be changed of a file: words about it, never the file. */
export type MediaText = Exclude<keyof components['schemas']['MediaChange'], 'shot'>;

/** `PUT media/{id}`. Throws `ApiError`. */
export async function saveText(mediaId: string, field: MediaText, value: string): Promise<MediaItem> {
  // A field that is not sent stays as it is; the description calls them all required.
  const media = { [field]: value } as components['schemas']['MediaChange'];
  const given = { path: { id: mediaId }, body: { media } };
  return (await operation('put', '/api/v1/media/{id}', given)).media as MediaItem;
}

/** The verdict on a file that was asked for; a rejection asks the client again. Throws `ApiError`. */
export async function reviewMedia(mediaId: string, approve: boolean, note?: string): Promise<MediaItem> {
  const given = { path: { mediaId }, body: { approve, note } };
  return (await operation('post', '/api/v1/media-review/{mediaId}', given)).media as MediaItem;
}

export const certificatesQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['certificates', conferenceId],
    queryFn: async () => await operation('get', '/api/v1/certificates/{conferenceId}', { path: { conferenceId } }),
  });

export const certificatePath = (conferenceId: string): string =>
  `/api/v1/print-cert/${encodeURIComponent(conferenceId)}`;

/** Names of the shots of this conference's list, by key. */
export const shotNamesQuery = (conferenceId: string) =>
  queryOptions({
    ...conferenceShots(conferenceId),
    select: (shots): Names => Object.fromEntries(shots.map((shot) => [shot.key, shot.label])),
    staleTime: 60_000,
  });

/** In which words each thing was asked for, by its id. */
export const askedNamesQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['client_files', conferenceId],
    queryFn: async () =>
      (await operation('get', '/api/v1/client-files/{conferenceId}', { path: { conferenceId } }))
        .requests as FileRequest[],
    select: (requests): Names =>
      Object.fromEntries(requests.flatMap(({ items }) => items.map(({ _id, label }) => [_id, label]))),
  });

/** Address of the whole conference as one file; the server streams it. */
export async function zipUrl(conferenceId: string): Promise<string> {
  return (await operation('get', '/api/v1/zip/{id}', { path: { id: conferenceId } })).zip;
}

export const downloadUrl = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}download=1`;

/** Asks the server whether a file is there and ours to read, without loading it. Throws `ApiError`. */
export async function probe(url: string): Promise<void> {
  await send('HEAD', url);
}

/** Lets the browser save `url`: the media cookie authorises it, so it streams to disk and not through memory. */
export function save(url: string, filename: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.rel = 'noopener';
  document.body.append(link);
  link.click();
  link.remove();
}
