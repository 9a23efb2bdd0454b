import { queryOptions } from '@tanstack/react-query';
import { api, send } from '@/api/client';
import type { Conference, ConferenceShots, MediaItem } from '@/api/types';
import type { Names } from './model';

export interface ConferenceMedia {
  conference: Conference;
  media: MediaItem[];
}

export const mediaQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['get_conference_media', conferenceId],
    queryFn: () => api.get<ConferenceMedia>(`/api/v1/conference-media/${encodeURIComponent(conferenceId)}`),
    staleTime: 30_000,
  });

/** What may be changed of a file: words about it, never the file. */
export type MediaText = 'label' | 'note';

/** `PUT media/{id}`. Throws `ApiError`. */
export async function saveText(mediaId: string, field: MediaText, value: string): Promise<MediaItem> {
  const path = `/api/v1/media/${encodeURIComponent(mediaId)}`;
  return (await api.put<{ media: MediaItem }>(path, { media: { [field]: value } })).media;
}

/** The verdict on a file that was asked for; a rejection asks the client again. Throws `ApiError`. */
export async function reviewMedia(mediaId: string, approve: boolean, note?: string): Promise<MediaItem> {
  const path = `/api/v1/media-review/${encodeURIComponent(mediaId)}`;
  return (await api.post<{ media: MediaItem }>(path, { approve, note })).media;
}

export interface CertificateFacts {
  certificates: {
    _id: string;
    number: string;
    code: string;
    issuedAt: string;
    issuedBy: string | null;
    state: 'valid' | 'void' | 'filesExpired';
    url: string;
  }[];
  seal: {
    head: string;
    root: string;
    sealedAt: string;
    events: number;
    media: number;
    timestamp: { authority: string; serial: string; at: string; qualified: boolean } | null;
  } | null;
  chain: { valid: boolean; brokenAt: number | null };
}

export const certificatesQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['certificates', conferenceId],
    queryFn: () => api.get<CertificateFacts>(`/api/v1/certificates/${encodeURIComponent(conferenceId)}`),
  });

export const certificatePath = (conferenceId: string): string =>
  `/api/v1/print-cert/${encodeURIComponent(conferenceId)}`;

/** Names of the shots of this conference's list, by key. */
export const shotNamesQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['conference_shots', conferenceId],
    queryFn: () => api.get<ConferenceShots>(`/api/v1/conference-shots/${encodeURIComponent(conferenceId)}`),
    select: ({ shots }): Names => Object.fromEntries(shots.map((shot) => [shot.key, shot.label])),
    staleTime: 60_000,
  });

/** In which words each thing was asked for, by its id. */
export const askedNamesQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['client_files', conferenceId],
    queryFn: async () => {
      const path = `/api/v1/client-files/${encodeURIComponent(conferenceId)}`;
      return (await api.get<{ requests: { items: { _id: string; label: string }[] }[] }>(path)).requests;
    },
    select: (requests): Names =>
      Object.fromEntries(requests.flatMap(({ items }) => items.map(({ _id, label }) => [_id, label]))),
  });

/** Address of the whole conference as one file; the server streams it (DESIGN §4). */
export async function zipUrl(conferenceId: string): Promise<string> {
  return (await api.get<{ zip: string }>(`/api/v1/zip/${encodeURIComponent(conferenceId)}`)).zip;
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
