/** What the media room tells the session, and how the two tracks are sent. */
import { type RemoteVideoTrack, Track, type TrackPublishOptions, VideoPresets } from 'livekit-client';
import type { Pointed } from '../../src/rtc/pointing/channel';
import type { JoinAnswer } from '../model';
import type { Incoming } from './messages';
import type { Link } from './view';

export interface RoomListener {
  link(link: Link): void;
  joined(answer: JoinAnswer): void;
  message(message: Incoming, sender: string | null): void;
  /** Somebody points at the picture of this device. */
  pointed(pointed: Pointed): void;
  /** Somebody draws; not read yet. */
  drawn(payload: Uint8Array, from: string | undefined): void;
  staff(name: string | null): void;
  pictures(face: RemoteVideoTrack | null, screen: RemoteVideoTrack | null): void;
  sound(blocked: boolean): void;
  weak(weak: boolean): void;
  mutedByStaff(): void;
  closed(): void;
  keyInvalid(): void;
  /** The server answers, and no media passes. */
  noMedia(): void;
  /** Called when both tracks are published, so that what we send reaches everybody. */
  ready(): void;
}

export const CAMERA_OPTIONS: TrackPublishOptions = {
  source: Track.Source.Camera,
  simulcast: true,
  videoCodec: 'vp8',
  backupCodec: false,
  videoEncoding: { maxBitrate: 1_700_000, maxFramerate: 24 },
  videoSimulcastLayers: [VideoPresets.h180, VideoPresets.h360],
  degradationPreference: 'balanced',
};

export const MICROPHONE_OPTIONS: TrackPublishOptions = {
  source: Track.Source.Microphone,
  red: true,
  dtx: true,
  audioPreset: { maxBitrate: 32_000 },
};
