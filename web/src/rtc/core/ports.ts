/**
 * The part of livekit-client (2.23) that the core uses, as interfaces, so that the core imports no library and
 * tests bring fakes. `rtc/livekit.ts` is the only place that makes the real thing.
 */

export type Source = 'camera' | 'microphone' | 'screen_share' | 'screen_share_audio' | 'unknown';
export type Quality = 'excellent' | 'good' | 'poor' | 'lost' | 'unknown';

/** Counters of one received or sent track; every field may be missing while a track is young. */
export interface TrackStats {
  packetsLost?: number;
  packetsReceived?: number;
  packetsSent?: number;
  /** Seconds. */
  jitter?: number;
  /** Seconds. */
  roundTripTime?: number;
  framesDecoded?: number;
  frameWidth?: number;
  frameHeight?: number;
  concealedSamples?: number;
  bytesReceived?: number;
  qualityLimitationReason?: string;
}

/** The part of `RTCRtpSender` and `RTCRtpReceiver` that tells how the path of the media is. */
export interface PathPort {
  readonly transport?: { readonly iceTransport?: { readonly state: RTCIceTransportState } } | null;
  getStats?(): Promise<{ values(): Iterable<unknown> }>;
}

export interface TrackPort {
  readonly kind: string;
  readonly mediaStreamTrack?: { readonly readyState: string };
  /** Of our own tracks. */
  readonly sender?: PathPort;
  /** Of the others' tracks. */
  readonly receiver?: PathPort;
  attach(element: HTMLMediaElement): HTMLMediaElement;
  detach(element: HTMLMediaElement): HTMLMediaElement;
  getReceiverStats?(): Promise<TrackStats | undefined>;
  getSenderStats?(): Promise<TrackStats | TrackStats[] | undefined>;
}

export interface PublicationPort {
  readonly trackSid: string;
  readonly source: string;
  readonly kind: string;
  readonly isMuted: boolean;
  readonly track?: TrackPort;
}

export interface ParticipantPort {
  readonly identity: string;
  readonly name?: string;
  readonly metadata?: string;
  readonly isSpeaking: boolean;
  readonly connectionQuality: string;
  readonly trackPublications: ReadonlyMap<string, PublicationPort>;
}

export interface LocalParticipantPort extends ParticipantPort {
  setMicrophoneEnabled(enabled: boolean): Promise<unknown>;
  setCameraEnabled(enabled: boolean): Promise<unknown>;
  setScreenShareEnabled(enabled: boolean): Promise<unknown>;
  publishData(
    data: Uint8Array,
    options: { reliable: boolean; topic: string; destinationIdentities?: string[] },
  ): Promise<void>;
}

export interface RoomPort {
  readonly state: string;
  readonly localParticipant: LocalParticipantPort;
  readonly remoteParticipants: ReadonlyMap<string, ParticipantPort>;
  readonly canPlaybackAudio: boolean;
  connect(url: string, token: string): Promise<void>;
  disconnect(stopTracks?: boolean): Promise<void>;
  startAudio(): Promise<void>;
  /** `signal-reconnect` connects the signalling anew, which negotiates a new path for the media. */
  simulateScenario?(scenario: 'signal-reconnect'): Promise<void>;
  getActiveDevice(kind: MediaDeviceKind): string | undefined;
  switchActiveDevice(kind: MediaDeviceKind, deviceId: string, exact?: boolean): Promise<boolean>;
  // The library's emitter is typed per event; the core names events by their wire strings.
  on(event: string, handler: (...args: never[]) => void): unknown;
  off(event: string, handler: (...args: never[]) => void): unknown;
}
