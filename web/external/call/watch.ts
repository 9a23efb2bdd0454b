/** What a phone does during a call by itself: it sleeps, it rings, it moves. */
import { type Fix, toFix } from '../devices';

export interface DeviceState {
  /** Null when this call has no such device. */
  camera: { muted: boolean; ended: boolean } | null;
  microphone: { muted: boolean; ended: boolean } | null;
  visible: boolean;
  /** Safari's audio session: a telephone call or Siri has the sound. */
  taken?: boolean;
}

export type Interruption = 'PHONE_CALL' | 'CAMERA_LOST' | 'MICROPHONE_LOST' | null;

/** Milliseconds that a track may stay silent before the person is asked to continue. */
export const PATIENCE_MS = 3000;

/** Milliseconds after which a lost wake lock is asked for again. */
const RELOCK_MS = 1000;

const dead = (device: DeviceState['camera']) => device !== null && (device.muted || device.ended);

/** What took the camera or the microphone away (CLIENT-18). A phone call silences the microphone first, often both. */
export function interruptionOf(state: DeviceState): Interruption {
  if (state.microphone && (state.microphone.muted || state.taken)) return 'PHONE_CALL';
  if (dead(state.microphone)) return 'MICROPHONE_LOST';
  return dead(state.camera) ? 'CAMERA_LOST' : null;
}

/**
 * Watches both tracks and the page. `lost` comes when a device has been dead for 3 s on a visible page, `found` when what was
 * lost is alive again by itself, `hidden` and `shown` when the person leaves the page and returns.
 */
export function watchDevices(
  read: () => DeviceState,
  on: { lost: (why: Exclude<Interruption, null>) => void; found: () => void; hidden: () => void; shown: () => void },
): { attach: (track: MediaStreamTrack) => void; check: () => void; stop: () => void } {
  const watched = new Set<MediaStreamTrack>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lost = false;
  const check = () => {
    clearTimeout(timer);
    if (lost && !interruptionOf(read())) {
      lost = false;
      on.found();
      return;
    }
    timer = setTimeout(() => {
      const state = read();
      const why = interruptionOf(state);
      if (!state.visible || !why) return;
      lost = true;
      on.lost(why);
    }, PATIENCE_MS);
  };
  const visibility = () => {
    if (document.visibilityState === 'visible') {
      on.shown();
      check();
    } else on.hidden();
  };
  document.addEventListener('visibilitychange', visibility);
  return {
    attach(track) {
      if (watched.has(track)) return;
      watched.add(track);
      for (const name of ['mute', 'ended', 'unmute']) track.addEventListener(name, check);
    },
    check,
    stop() {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', visibility);
      for (const track of watched)
        for (const name of ['mute', 'ended', 'unmute']) track.removeEventListener(name, check);
    },
  };
}

/**
 * Keeps the screen on until `stop`; asked again each time the page is shown and whenever the system takes the lock away.
 * `onRefused` once (battery saving).
 */
export function keepAwake(onRefused: () => void): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;
  let told = false;
  // Not at once: a system that takes it away each time would be asked without end.
  const later = () => setTimeout(take, RELOCK_MS);
  const take = async () => {
    if (over || document.visibilityState !== 'visible' || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock.request('screen');
      lock.addEventListener('release', later);
      if (over) void lock.release();
    } catch {
      if (!told) onRefused();
      told = true;
    }
  };
  void take();
  document.addEventListener('visibilitychange', take);
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', take);
    void lock?.release().catch(() => undefined);
  };
}

const EARTH_M = 6_371_000;
const rad = (degrees: number) => (degrees * Math.PI) / 180;

/** Metres between two places (equirectangular: exact enough within a town). */
export function metres(a: Fix, b: Fix): number {
  const x = rad(b.longitude - a.longitude) * Math.cos(rad((a.latitude + b.latitude) / 2));
  return Math.hypot(x, rad(b.latitude - a.latitude)) * EARTH_M;
}

/** Whether a new position is clearly more accurate or clearly elsewhere, and so kept with the case (CLIENT-20). */
export function worthKeeping(last: Fix | null, next: Fix): boolean {
  if (!last) return true;
  return next.accuracy < last.accuracy / 2 || metres(last, next) > Math.max(25, next.accuracy);
}

export function watchPosition(onFix: (fix: Fix) => void): () => void {
  if (!navigator.geolocation) return () => undefined;
  const id = navigator.geolocation.watchPosition(
    (position) => onFix(toFix(position)),
    () => undefined,
    { enableHighAccuracy: true, maximumAge: 10_000 },
  );
  return () => navigator.geolocation.clearWatch(id);
}
