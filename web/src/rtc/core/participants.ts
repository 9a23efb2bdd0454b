import { senderOf } from './messages';
import type { ParticipantPort, PublicationPort, Quality, RoomPort, TrackPort } from './ports';

export interface TrackView {
  sid: string;
  muted: boolean;
  track: TrackPort | null;
}

export interface ParticipantView {
  identity: string;
  name: string;
  /** What a client holds in their hand (`iPhone · Safari`), as the server told the room; null when unknown. */
  device: string | null;
  kind: 'staff' | 'client';
  speaking: boolean;
  quality: Quality;
  camera: TrackView | null;
  microphone: TrackView | null;
  screen: TrackView | null;
  screenAudio: TrackView | null;
}

export interface People {
  me: ParticipantView | null;
  /** Everybody else, the client first, then by identity: the order does not jump while people talk. */
  others: ParticipantView[];
  /** The client's device that the adjuster works with: the one chosen, else the first that came. */
  client: ParticipantView | null;
}

export const nobody: People = { me: null, others: [], client: null };

const QUALITIES: readonly string[] = ['excellent', 'good', 'poor', 'lost'];

function trackView(publication: PublicationPort | undefined): TrackView | null {
  if (!publication) return null;
  return { sid: publication.trackSid, muted: publication.isMuted, track: publication.track ?? null };
}

/** A text of the participant's metadata, which are optional and not ours to trust. */
function told(participant: ParticipantPort, key: 'name' | 'device'): string {
  try {
    const metadata: unknown = JSON.parse(participant.metadata ?? '');
    const value = (metadata as Record<string, unknown> | null)?.[key];
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}

export function participantView(participant: ParticipantPort): ParticipantView {
  const publications = [...participant.trackPublications.values()];
  const bySource = (source: string) => trackView(publications.find((one) => one.source === source));
  return {
    identity: participant.identity,
    name: participant.name || told(participant, 'name'),
    device: told(participant, 'device') || null,
    kind: senderOf(participant.identity) === 'client' ? 'client' : 'staff',
    speaking: participant.isSpeaking,
    quality: (QUALITIES.includes(participant.connectionQuality) ? participant.connectionQuality : 'unknown') as Quality,
    camera: bySource('camera'),
    microphone: bySource('microphone'),
    screen: bySource('screen_share'),
    screenAudio: bySource('screen_share_audio'),
  };
}

/** Who is in the room now, as plain values. `chosen`: identity of the client's device to work with. */
export function peopleOf(room: RoomPort, chosen: string | null = null): People {
  const others = [...room.remoteParticipants.values()].map(participantView);
  others.sort((a, b) => (a.kind === b.kind ? a.identity.localeCompare(b.identity) : a.kind === 'client' ? -1 : 1));
  return {
    me: room.localParticipant.identity ? participantView(room.localParticipant) : null,
    others,
    client:
      others.find((one) => one.kind === 'client' && one.identity === chosen) ??
      others.find((one) => one.kind === 'client') ??
      null,
  };
}

export const isLive = (view: TrackView | null | undefined): boolean => Boolean(view?.track && !view.muted);

/** What the stage shows large: a screen share before a camera, the client before colleagues. */
export function mainPicture(people: People): { participant: ParticipantView; view: TrackView; screen: boolean } | null {
  const everybody = people.others;
  const sharing = everybody.find((one) => isLive(one.screen));
  if (sharing?.screen) return { participant: sharing, view: sharing.screen, screen: true };
  if (people.client?.camera && isLive(people.client.camera)) {
    return { participant: people.client, view: people.client.camera, screen: false };
  }
  return null;
}
