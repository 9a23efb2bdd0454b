import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { ApiError } from '@/api/errors';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { ChatMessage, ConferenceDetails, MediaItem, RecordingState, ShotState } from '@/api/types';
import type { ConnectionReport } from '@/rtc';
import type { LinkChannel } from './model';

const on = (conferenceId: string) => ({ path: { id: conferenceId } });

const fetchDetails = async (conferenceId: string) =>
  (await operation('get', '/api/v1/conferences-details/{id}', on(conferenceId))) as ConferenceDetails;

export const detailsQuery = (conferenceId: string) =>
  queryOptions({ queryKey: ['get_conference_details', conferenceId], queryFn: () => fetchDetails(conferenceId) });

/** A fresh media token and server. Asked before each connection to the room. */
export async function joinTicket(conferenceId: string): Promise<{ url: string; token: string }> {
  const { conference, url } = await fetchDetails(conferenceId);
  // A closed conference has no token: the same refusal as a closed room's.
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

/** Ready phrases, which the client reads in the client's own language. */
export type Phrase = 'closer' | 'still' | 'side';

export interface Words {
  text: string;
  phrase?: Phrase;
}

export async function sendChat(conferenceId: string, words: Words): Promise<ChatMessage> {
  const given = { ...on(conferenceId), body: words };
  return (await operation('post', '/api/v1/conference-chat/{id}', given)).message as ChatMessage;
}

export type RecordingAction = components['schemas']['RecordingAction'];

export async function record(conferenceId: string, action: RecordingAction): Promise<RecordingState> {
  const given = { ...on(conferenceId), body: { action } };
  return (await operation('post', '/api/v1/conference-recording/{id}', given)).recording;
}

export const muteParticipant = (conferenceId: string, identity: string, trackSid: string, muted: boolean) =>
  operation('post', '/api/v1/conference-mute/{id}', { ...on(conferenceId), body: { identity, trackSid, muted } });

/** Decides about a second device of the client that waits at the door. */
export const admitDevice = (conferenceId: string, identity: string, decision: 'admit' | 'replace' | 'refuse') =>
  operation('post', '/api/v1/conference-admit/{id}', { ...on(conferenceId), body: { identity, decision } });
export const removeParticipant = (conferenceId: string, identity: string) =>
  operation('post', '/api/v1/conference-remove/{id}', { ...on(conferenceId), body: { identity } });

/** Tells how our media come; false when it did not arrive and may be told again. */
export async function tellConnection(conferenceId: string, report: ConnectionReport): Promise<boolean> {
  try {
    await operation('post', '/api/v1/conference-connections/{id}', { ...on(conferenceId), body: report });
    return true;
  } catch (error) {
    // What the server refuses it refuses again.
    return error instanceof ApiError && error.status >= 400 && error.status < 500;
  }
}

/** Adds a file of ours to the case. 413 FILE_TOO_LARGE, 422 for a type that is not accepted. */
export async function uploadDocument(conferenceId: string, file: File): Promise<MediaItem> {
  const form = new FormData();
  form.append('meta', JSON.stringify({ name: file.name }));
  form.append('file', file, file.name);
  // A form, which `operation` does not write.
  const path = `/api/v1/conference-media/${encodeURIComponent(conferenceId)}`;
  return (await api.post<{ media: MediaItem }>(path, form)).media;
}

/**
 * Sends the link again; `to` is another number (E.164) or address. To the case's own number the server uses WhatsApp by
 * itself when the last one went there.
 */
export const resendLink = (conferenceId: string, channel: LinkChannel, to?: string) =>
  operation('post', '/api/v1/conference-resend/{id}', {
    ...on(conferenceId),
    body: { channel: channel === 'email' ? 'email' : 'sms', to },
  });

/** A twelve-digit code to dictate, typed at `/codigo`; lives ten minutes. */
export const dictateCode = (conferenceId: string) =>
  operation('post', '/api/v1/conference-code/{id}', on(conferenceId));

export const closeConference = (conferenceId: string) =>
  operation('post', '/api/v1/conference-close/{id}', on(conferenceId));

/** Ticks a shot with a picture, marks it for another try, or takes its picture off it. Answers the whole list. */
export const tickShot = async (conferenceId: string, tick: { key: string; state: ShotState; mediaId?: string }) => {
  const given = { path: { id: conferenceId }, body: tick };
  return (await operation('put', '/api/v1/conference-shots/{id}', given)).shots;
};
