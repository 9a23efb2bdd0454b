/** Opens the camera, the microphone and the position, one at a time, and keeps the two tracks for the call. */
import type { RefusalKind } from './model';

export interface Fix {
  latitude: number;
  longitude: number;
  /** Metres, radius of 95 % confidence. */
  accuracy: number;
  /** RFC 3339, UTC. */
  at: string;
}

/** 720p at 24 frames: enough to see a dent, light enough for an old phone. */
export const CAMERA: MediaTrackConstraints = {
  facingMode: { ideal: 'environment' },
  width: { ideal: 1280 },
  height: { ideal: 720 },
  frameRate: { ideal: 24, max: 24 },
};

export const MICROPHONE: MediaTrackConstraints = {
  echoCancellation: true,
  noiseSuppression: true,
  autoGainControl: true,
  channelCount: { ideal: 1 },
};

/** The open tracks. A page has one camera and one microphone, hence a module variable. */
export const held: { camera: MediaStreamTrack | null; microphone: MediaStreamTrack | null } = {
  camera: null,
  microphone: null,
};

export class Refused extends Error {
  constructor(readonly kind: RefusalKind) {
    super(kind);
  }
}

/** Maps `getUserMedia`'s names. `AbortError` and `NotReadableError` both mean that the device is taken or broken. */
export function refusalOf(error: unknown): RefusalKind {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotFoundError' || name === 'OverconstrainedError' || name === 'DevicesNotFoundError') return 'missing';
  if (name === 'NotReadableError' || name === 'AbortError' || name === 'TrackStartError') return 'busy';
  return 'blocked';
}

async function open(kind: 'camera' | 'microphone', constraints: MediaStreamConstraints): Promise<MediaStreamTrack> {
  try {
    const stream = await navigator.mediaDevices.getUserMedia(constraints);
    const track = stream.getTracks()[0];
    if (!track) throw new Refused('missing');
    held[kind]?.stop();
    held[kind] = track;
    return track;
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(refusalOf(error));
  }
}

export const openCamera = () => open('camera', { video: CAMERA });
export const openMicrophone = () => open('microphone', { audio: MICROPHONE });

export function release(kind: 'camera' | 'microphone'): void {
  held[kind]?.stop();
  held[kind] = null;
}

export function toFix(position: GeolocationPosition): Fix {
  const { latitude, longitude, accuracy } = position.coords;
  return { latitude, longitude, accuracy, at: new Date(position.timestamp).toISOString() };
}

/** The first position. Waits as long as the person reads the prompt; 20 s for the satellites after that. */
export function readPosition(): Promise<Fix> {
  return new Promise((resolve, reject) => {
    if (!navigator.geolocation) {
      reject(new Refused('missing'));
      return;
    }
    navigator.geolocation.getCurrentPosition(
      (position) => resolve(toFix(position)),
      (error) => reject(new Refused(error.code === error.PERMISSION_DENIED ? 'blocked' : 'missing')),
      { enableHighAccuracy: true, timeout: 20_000, maximumAge: 30_000 },
    );
  });
}
