/**
 * Watches the path of the media on both sides (CLIENT-17, CALL-60): the signalling can be alive while no packet passes, as when the phone
 * leaves the Wi-Fi. Shows it after one second, asks for a new path after three, reconnects after ten. When the system says that the
 * network has changed, a break is no glitch: the new path is asked for at once, so that it is there within five seconds.
 */
export const RESTART_AFTER_MS = 3000;
export const REJOIN_AFTER_MS = 10_000;
const RESTART_EVERY_MS = 6000;
const LOOK_EVERY_MS = 1000;

export type IceAction = 'none' | 'restart' | 'rejoin';

/** What to do `brokenMs` after the path broke; `restartedMs` is the time since the last try at a new path, or null. */
export function iceAction(brokenMs: number, restartedMs: number | null): IceAction {
  if (brokenMs >= REJOIN_AFTER_MS) return 'rejoin';
  if (brokenMs < RESTART_AFTER_MS) return 'none';
  return restartedMs === null || restartedMs >= RESTART_EVERY_MS ? 'restart' : 'none';
}

export interface IcePath {
  /** State of the sending path; undefined while there is none or the browser does not say. */
  state: () => RTCIceTransportState | undefined;
  broken: () => void;
  mended: () => void;
  restart: () => void;
  rejoin: () => void;
}

/** Time as the watch needs it; milliseconds. */
export interface PathClock {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

const pageClock: PathClock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Milliseconds that a browser may take to notice that a path is dead after the network has changed. */
const SUSPECT_MS = 8000;

/** Tells that the device has another network; where browsers say so. */
export type NetworkChanges = (changed: () => void) => () => void;

const pageChanges: NetworkChanges = (changed) => {
  // Chromium changes its estimates of speed all the time; another kind of network is another address.
  const connection = (globalThis.navigator as { connection?: EventTarget & { type?: string } } | undefined)?.connection;
  let type = connection?.type;
  const retyped = () => {
    if (connection?.type !== type) changed();
    type = connection?.type;
  };
  globalThis.addEventListener?.('online', changed);
  connection?.addEventListener?.('change', retyped);
  return () => {
    globalThis.removeEventListener?.('online', changed);
    connection?.removeEventListener?.('change', retyped);
  };
};

/** Checks every second until the returned function is called. */
export function watchIce(
  path: IcePath,
  clock: PathClock = pageClock,
  changes: NetworkChanges = pageChanges,
): () => void {
  let brokenAt: number | null = null;
  let restartedAt: number | null = null;
  let suspectUntil = Number.NEGATIVE_INFINITY;
  const stopChanges = changes(() => {
    suspectUntil = clock.now() + SUSPECT_MS;
  });
  const restart = (now: number) => {
    restartedAt = now;
    suspectUntil = Number.NEGATIVE_INFINITY;
    path.restart();
  };
  const look = () => {
    const state = path.state();
    const now = clock.now();
    if (state !== 'disconnected' && state !== 'failed') {
      if (brokenAt !== null && (state === 'connected' || state === 'completed')) {
        brokenAt = null;
        restartedAt = null;
        path.mended();
      }
      return;
    }
    if (brokenAt === null) {
      brokenAt = now;
      path.broken();
      if (now < suspectUntil) restart(now);
      return;
    }
    if (now < suspectUntil) return restart(now);
    const action = iceAction(now - brokenAt, restartedAt === null ? null : now - restartedAt);
    if (action === 'restart') restart(now);
    if (action === 'rejoin') {
      brokenAt = now;
      path.rejoin();
    }
  };
  let stop = () => {};
  const again = () => {
    stop = clock.after(LOOK_EVERY_MS, () => {
      // First the next turn, so that whoever stops the watch from within really stops it.
      again();
      look();
    });
  };
  again();
  return () => {
    stop();
    stopChanges();
  };
}
