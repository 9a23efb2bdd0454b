import type { RoomPort, TrackPort } from './ports';

const ofTrack = (track: TrackPort | undefined): RTCIceTransportState | undefined =>
  (track?.sender ?? track?.receiver)?.transport?.iceTransport?.state;

/**
 * How the media's paths are, the worst of ours and theirs; undefined while there is none. A library that is connecting anew by
 * itself counts as a broken path, so that it cannot take longer than the watch allows.
 */
export function pathState(room: RoomPort): RTCIceTransportState | undefined {
  if (room.state === 'reconnecting' || room.state === 'signalReconnecting') return 'disconnected';
  if (room.state !== 'connected') return undefined;
  const people = [room.localParticipant, ...room.remoteParticipants.values()];
  const states = people.flatMap((one) => [...one.trackPublications.values()].map(({ track }) => ofTrack(track)));
  for (const state of ['failed', 'disconnected', 'checking'] as const) if (states.includes(state)) return state;
  return states.find((state) => state === 'connected' || state === 'completed');
}
