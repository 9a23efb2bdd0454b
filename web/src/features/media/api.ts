import { queryOptions } from '@tanstack/react-query';
import { api, send } from '@/api/client';
import type { Conference, MediaItem } from '@/api/types';

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
