import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { ChatMessage, ConferenceDetails, MediaItem, RecordingState } from '@/api/types';

const on = (conferenceId: string) => ({ path: { id: conferenceId } });

const fetchDetails = async (conferenceId: string) =>
  (await operation('get', '/api/v1/conferences-details/{id}', on(conferenceId))) as ConferenceDetails;

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
      (await operation('get', '/api/v1/conference-chat/{id}', on(conferenceId))).messages as ChatMessage[],
    staleTime: Number.POSITIVE_INFINITY,
  });

export async function sendChat(conferenceId: string, text: string): Promise<ChatMessage> {
  const given = { ...on(conferenceId), body: { text } };
  return (await operation('post', '/api/v1/conference-chat/{id}', given)).message as ChatMessage;
}

export type RecordingAction = components['schemas']['RecordingAction'];

export async function record(conferenceId: string, action: RecordingAction): Promise<RecordingState> {
  const given = { ...on(conferenceId), body: { action } };
  return (await operation('post', '/api/v1/conference-recording/{id}', given)).recording as RecordingState;
}

export const muteParticipant = (conferenceId: string, identity: string, trackSid: string, muted: boolean) =>
  operation('post', '/api/v1/conference-mute/{id}', { ...on(conferenceId), body: { identity, trackSid, muted } });

export const removeParticipant = (conferenceId: string, identity: string) =>
  operation('post', '/api/v1/conference-remove/{id}', { ...on(conferenceId), body: { identity } });

/** Adds a file of ours to the case. 413 FILE_TOO_LARGE, 422 for a type that is not accepted. */
export async function uploadDocument(conferenceId: string, file: File): Promise<MediaItem> {
  const form = new FormData();
  form.append('meta', JSON.stringify({ name: file.name }));
  form.append('file', file, file.name);
  // A form, which `operation` does not write.
  const path = `/api/v1/conference-media/${encodeURIComponent(conferenceId)}`;
  return (await api.post<{ media: MediaItem }>(path, form)).media;
}
