import type { Conference, ConferenceDetails, MediaItem, Place, Track } from '@/api/types';
import type { Caps, Position } from '@/rtc';
import { countText, fixedText } from '@/shared/lib/format';

/** How the client is called in running text: the first word of the contact person, or null. */
export function firstName(conference: Pick<Conference, 'contactPerson'>): string | null {
  return conference.contactPerson?.trim().split(/\s+/)[0] || null;
}

/** Case number, plate and address: the second line of the header. */
export function caseLine(conference: Conference): string {
  const place = conference.fullAddress || [conference.address, conference.city].filter(Boolean).join(', ');
  return [conference.expedientNumber, conference.carId, place].filter(Boolean).join(' · ');
}

/** When the client first came in, ms since the epoch; null before that. The time stays when the client is gone again. */
export function connectedAt(details: Pick<ConferenceDetails, 'progress'>): number | null {
  const at = details.progress.steps.find((one) => one.step === 'connected')?.at;
  return at ? Date.parse(at) : null;
}

/** Length of the recording in ms: `elapsedMs` as told at `toldAt`, running on only while it records. */
export function recordedMs(
  recording: Pick<ConferenceDetails['recording'], 'state' | 'elapsedMs'>,
  toldAt: number,
  now: number,
): number {
  return recording.elapsedMs + (recording.state === 'recording' ? Math.max(0, now - toldAt) : 0);
}

/** `1×`, `2,5×`. */
export function zoomText(value: number, language: string): string {
  return `${countText(value, language, 1)}×`;
}

/** `×2,0`: how far the picture is enlarged here, as against the camera's own zoom. */
export const enlargedText = (scale: number, language: string): string => `×${fixedText(scale, language, 1)}`;

/** `iPhone 15`, `Android · Chrome`: what the phone says of itself, most telling first; empty when it says nothing. */
export function phoneText(caps: Caps): string {
  const { model, os, browser } = caps.userAgent;
  return model || [os, browser].filter(Boolean).join(' · ');
}

export const pictures = (media: readonly MediaItem[]): MediaItem[] => media.filter((one) => one.type === 'PICTURE');
export const documents = (media: readonly MediaItem[]): MediaItem[] => media.filter((one) => one.type === 'DOCUMENT');
export const videos = (media: readonly MediaItem[]): MediaItem[] => media.filter((one) => one.type === 'VIDEO');

/** Capture order, oldest first: the number under a picture never changes when a later one arrives. */
export function inOrder(media: readonly MediaItem[]): MediaItem[] {
  const at = (one: MediaItem) => Date.parse(one.capturedAt);
  return [...media].sort((a, b) => at(a) - at(b) || a._id.localeCompare(b._id));
}

/** A GEO_FIX track: `position` is "latitude,longitude", absent once it was erased; `accuracyM` whole metres. */
const positionOf = (track: Track): Position | null => {
  const { position, accuracyM, fixAt } = track.data ?? {};
  const [latitude, longitude] = typeof position === 'string' ? position.split(',').map(Number) : [];
  if (latitude === undefined || longitude === undefined) return null;
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return null;
  return {
    latitude,
    longitude,
    accuracy: typeof accuracyM === 'number' ? accuracyM : null,
    at: typeof fixAt === 'string' ? fixAt : track.at,
  };
};

/** Every known fix, oldest first: the recorded ones (GEO_FIX tracks) and those heard in the room, each once. */
export function allPositions(tracks: readonly Track[], heard: readonly Position[]): Position[] {
  const recorded = tracks
    .filter((one) => one.type === 'GEO_FIX')
    .map(positionOf)
    .filter((one) => one !== null);
  const known = new Map<string, Position>();
  for (const one of [...recorded, ...heard]) known.set(`${Date.parse(one.at)}`, one);
  return [...known.values()].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Metres east and north of `origin`; good to centimetres within a few kilometres. */
export function metresFrom(
  origin: Pick<Position, 'latitude' | 'longitude'>,
  point: Pick<Position, 'latitude' | 'longitude'>,
): { east: number; north: number } {
  const metresPerDegree = 111_320;
  return {
    east: (point.longitude - origin.longitude) * metresPerDegree * Math.cos((origin.latitude * Math.PI) / 180),
    north: (point.latitude - origin.latitude) * metresPerDegree,
  };
}

/** A round length (1, 2 or 5 × 10ⁿ m) of at most `metres`, for the plan's scale bar. */
export function roundLength(metres: number): number {
  if (!(metres > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(metres));
  const factor = [5, 2, 1].find((one) => one * power <= metres) ?? 1;
  return factor * power;
}

/** Why the client is not in the call, as far as the chain says: they hung up, were sent out, or their connection broke. */
export function clientGone(tracks: readonly Track[]): 'left' | 'removed' | 'lost' {
  const last = tracks.findLast((one) => one.actor === 'client' && /^(DIS)?CONNECTED$/.test(one.type));
  const reason = last?.type === 'DISCONNECTED' ? last.data?.reason : null;
  return reason === 'left' || reason === 'removed' ? reason : 'lost';
}

export type LinkChannel = 'sms' | 'whatsapp' | 'email';

/** The channel that the link was last sent by: it is sent again the same way. */
export function linkChannel(messages: ConferenceDetails['messages']): LinkChannel {
  const last = [...messages].sort((a, b) => a.createdAt.localeCompare(b.createdAt)).at(-1);
  return last?.channel === 'email' || last?.channel === 'whatsapp' ? last.channel : 'sms';
}

/** What the server says about this position: the same place to some eleven metres. */
export function meaningOf(known: ConferenceDetails['positions'], position: Position): Place | null {
  const key = (one: { latitude: number; longitude: number }) =>
    `${one.latitude.toFixed(4)} ${one.longitude.toFixed(4)}`;
  return known.findLast((one) => key(one) === key(position)) ?? null;
}

/** Keeps what arrives twice (event stream and data channel) once, in time order. */
export function mergeById<T extends { _id: string }>(list: readonly T[], item: T): T[] {
  const found = list.findIndex((one) => one._id === item._id);
  if (found < 0) return [...list, item];
  return list.map((one, index) => (index === found ? item : one));
}
