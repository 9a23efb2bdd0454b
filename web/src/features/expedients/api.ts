import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { MediaItem } from '@/api/types';
import type { ConferenceRow } from '@/shared/lib/conferences';

export interface ExpedientNote {
  _id: string;
  text: string;
  userName: string;
  createdAt: string;
  /** Whether the caller wrote it. */
  own: boolean;
}

/** What of a file request the page of its case shows. */
export interface ExpedientRequest {
  _id: string;
  conferenceId: string;
  contactType: 1 | 2;
  /** Masked. */
  to: string;
  userName: string;
  createdAt: string;
  expiresAt: string;
  state: 'sent' | 'opened' | 'partial' | 'complete' | 'expired' | 'cancelled';
  items: { _id: string; label: string; state: 'asked' | 'received' | 'approved' | 'rejected' }[];
  received: number;
  approved: number;
}

/** Everything of one case that the caller may see. */
export interface Expedient {
  expedientNumber: string;
  conferences: ConferenceRow[];
  media: MediaItem[];
  requests: ExpedientRequest[];
  notes: ExpedientNote[];
}

const part = encodeURIComponent;

/** 404 EXPEDIENT_NOT_FOUND. */
export const getExpedient = (expedientNumber: string) =>
  queryOptions({
    queryKey: ['get_expedient', expedientNumber],
    queryFn: ({ signal }) => api.get<Expedient>(`/api/v1/expedient/${part(expedientNumber)}`, { signal }),
  });

export const addNote = (expedientNumber: string, text: string) =>
  api.post<{ note: ExpedientNote }>(`/api/v1/expedient-notes/${part(expedientNumber)}`, { text });

export const deleteNote = (id: string) => api.post<void>(`/api/v1/expedient-note-delete/${part(id)}`, {});
