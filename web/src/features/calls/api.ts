import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { ChatMessage, ConferenceDetails, MediaItem, RecordingState } from '@/api/types';

const id = encodeURIComponent;

const fetchDetails = (conferenceId: string) =>
  api.get<ConferenceDetails>(`/api/v1/conferences-details/${id(conferenceId)}`);

export const detailsQuery = (conferenceId: string) =>
  queryOptions({ queryKey: ['get_conference_details', conferenceId], queryFn: () => fetchDetails(conferenceId) });

/** A fresh media token and server. Asked before each connection to the room. */
export async function joinTicket(conferenceId: string): Promise<{ url: string; token: string }> {
  const { conference, url } = await fetchDetails(conferenceId);
  // A closed conference has no token: the same refusal as a closed room's (DESIGN §4).
  if (!conference.jwt) throw Object.assign(new Error('CONFERENCE_CLOSED'), { status: 410, code: 'CONFERENCE_CLOSED' });
  return { url, token: conference.jwt };
}

export const chatQuery = (conferenceId: string) =>
  queryOptions({
    queryKey: ['list_conference_chat', conferenceId],
    queryFn: async () =>
      (await api.get<{ messages: ChatMessage[] }>(`/api/v1/conference-chat/${id(conferenceId)}`)).messages,
    staleTime: Number.POSITIVE_INFINITY,
  });

export async function sendChat(conferenceId: string, text: string): Promise<ChatMessage> {
  const path = `/api/v1/conference-chat/${id(conferenceId)}`;
  return (await api.post<{ message: ChatMessage }>(path, { text })).message;
}

export type RecordingAction = 'start' | 'pause' | 'resume' | 'stop';

export async function record(conferenceId: string, action: RecordingAction): Promise<RecordingState> {
  const path = `/api/v1/conference-recording/${id(conferenceId)}`;
  return (await api.post<{ recording: RecordingState }>(path, { action })).recording;
}

export const muteParticipant = (conferenceId: string, identity: string, trackSid: string, muted: boolean) =>
  api.post<void>(`/api/v1/conference-mute/${id(conferenceId)}`, { identity, trackSid, muted });

export const removeParticipant = (conferenceId: string, identity: string) =>
  api.post<void>(`/api/v1/conference-remove/${id(conferenceId)}`, { identity });

/** Adds a file of ours to the case. 413 FILE_TOO_LARGE, 422 for a type that is not accepted. */
export async function uploadDocument(conferenceId: string, file: File): Promise<MediaItem> {
  const form = new FormData();
  form.append('meta', JSON.stringify({ name: file.name }));
  form.append('file', file, file.name);
  const path = `/api/v1/conference-media/${id(conferenceId)}`;
  return (await api.post<{ media: MediaItem }>(path, form)).media;
}
