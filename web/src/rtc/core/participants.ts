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
  client: ParticipantView | null;
}

export const nobody: People = { me: null, others: [], client: null };

const QUALITIES: readonly string[] = ['excellent', 'good', 'poor', 'lost'];

function trackView(publication: PublicationPort | undefined): TrackView | null {
  if (!publication) return null;
  return { sid: publication.trackSid, muted: publication.isMuted, track: publication.track ?? null };
}

function nameOf(participant: ParticipantPort): string {
  if (participant.name) return participant.name;
  try {
    const metadata: unknown = JSON.parse(participant.metadata ?? '');
    if (typeof metadata === 'object' && metadata !== null && 'name' in metadata && typeof metadata.name === 'string') {
      return metadata.name;
    }
  } catch {
    // Metadata is optional and not ours to trust: no name then.
  }
  return '';
}

export function participantView(participant: ParticipantPort): ParticipantView {
  const publications = [...participant.trackPublications.values()];
  const bySource = (source: string) => trackView(publications.find((one) => one.source === source));
  return {
    identity: participant.identity,
    name: nameOf(participant),
    kind: senderOf(participant.identity) === 'client' ? 'client' : 'staff',
    speaking: participant.isSpeaking,
    quality: (QUALITIES.includes(participant.connectionQuality) ? participant.connectionQuality : 'unknown') as Quality,
    camera: bySource('camera'),
    microphone: bySource('microphone'),
    screen: bySource('screen_share'),
    screenAudio: bySource('screen_share_audio'),
  };
}

/** Who is in the room now, as plain values. */
export function peopleOf(room: RoomPort): People {
  const others = [...room.remoteParticipants.values()].map(participantView);
  others.sort((a, b) => (a.kind === b.kind ? a.identity.localeCompare(b.identity) : a.kind === 'client' ? -1 : 1));
  return {
    me: room.localParticipant.identity ? participantView(room.localParticipant) : null,
    others,
    client: others.find((one) => one.kind === 'client') ?? null,
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
