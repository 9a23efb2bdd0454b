/** Opens the camera, the microphone and the position, and keeps the two tracks for the call. */
import { DEVICES, type Device, type Permission, type RefusalKind } from './model';

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

/**
 * Maps `getUserMedia`'s names. `AbortError` and `NotReadableError` both mean that the device is taken or broken. Closing a
 * prompt without an answer has the name of a refusal; only Chrome's message tells them apart.
 */
export function refusalOf(error: unknown): RefusalKind {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotFoundError' || name === 'OverconstrainedError' || name === 'DevicesNotFoundError') return 'missing';
  if (name === 'NotReadableError' || name === 'AbortError' || name === 'TrackStartError') return 'busy';
  return /dismissed/i.test(error instanceof Error ? error.message : '') ? 'unanswered' : 'blocked';
}

const KINDS: Record<Device, 'video' | 'audio'> = { camera: 'video', microphone: 'audio' };

async function stateOf(permission: Permission): Promise<PermissionState | null> {
  const status = await navigator.permissions?.query({ name: permission as PermissionName }).catch(() => null);
  return status?.state ?? null;
}

async function open(devices: readonly Device[], constraints: MediaStreamConstraints): Promise<MediaStreamTrack> {
  try {
    const stream = await navigator.mediaDevices.getUserMedia(constraints);
    let first: MediaStreamTrack | undefined;
    for (const device of devices) {
      const track = stream.getTracks().find(({ kind }) => kind === KINDS[device]) ?? stream.getTracks()[0];
      if (!track) throw new Refused('missing');
      held[device]?.stop();
      held[device] = track;
      first ??= track;
    }
    return first as MediaStreamTrack;
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(refusalOf(error));
  }
}

export const openCamera = () => open(['camera'], { video: CAMERA });
export const openMicrophone = () => open(['microphone'], { audio: MICROPHONE });
/** Both in one prompt. */
export const openDevices = () => open(DEVICES, { video: CAMERA, audio: MICROPHONE });

/**
 * Which of the two to ask for on its own after both together failed: the error does not say which one it was. A device
 * that the browser had blocked before is the culprit; the other one may still be opened.
 */
export async function blockedBefore(): Promise<Device | null> {
  const [camera, microphone] = await Promise.all([stateOf('camera'), stateOf('microphone')]);
  if (camera === 'denied' && microphone !== 'denied') return 'camera';
  return microphone === 'denied' && camera !== 'denied' ? 'microphone' : null;
}

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
