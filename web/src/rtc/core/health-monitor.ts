import { assess, type Sample, Steady, type Verdict } from './health';
import { isLive, type ParticipantView, type TrackView } from './participants';
import type { TrackStats } from './ports';
import type { CallSession } from './session';
import { type Clock, type Readable, Store, systemClock } from './store';

export const INTERVAL_MS = 2_000;
/** How often the frames of the client's picture are counted, and how long without one means that it stands still. */
export const FRAME_CHECK_MS = 700;
export const FROZEN_AFTER_MS = 1_500;

interface Counters {
  at: number;
  video: TrackStats | null;
  audio: TrackStats | null;
  up: TrackStats | null;
}

const delta = (now: number | undefined, before: number | undefined): number | null =>
  now === undefined || before === undefined || now < before ? null : now - before;

/** Share of packets lost between two readings; null when a counter is missing or restarted. */
export function lossBetween(now: TrackStats | null, before: TrackStats | null): number | null {
  const lost = delta(now?.packetsLost, before?.packetsLost);
  const arrived = delta(now?.packetsReceived ?? now?.packetsSent, before?.packetsReceived ?? before?.packetsSent);
  if (lost === null || arrived === null || lost + arrived === 0) return null;
  return lost / (lost + arrived);
}

/** Opus at 48 kHz: concealed samples over those that were due. */
export function concealedBetween(now: Counters, before: Counters): number | null {
  const concealed = delta(now.audio?.concealedSamples, before.audio?.concealedSamples);
  const due = ((now.at - before.at) / 1_000) * 48_000;
  return concealed === null || due <= 0 ? null : Math.min(1, concealed / due);
}

async function received(view: TrackView | null | undefined): Promise<TrackStats | null> {
  if (!isLive(view)) return null;
  return (await view?.track?.getReceiverStats?.()) ?? null;
}

async function sent(me: ParticipantView | null): Promise<TrackStats | null> {
  const track = (isLive(me?.microphone) ? me?.microphone : isLive(me?.camera) ? me?.camera : null)?.track;
  const stats = await track?.getSenderStats?.();
  return (Array.isArray(stats) ? stats[0] : stats) ?? null;
}

/** Reads the counters every two seconds while started and publishes the steady verdict. */
export class HealthMonitor {
  private readonly store = new Store<Verdict | null>(null);
  private readonly steady = new Steady();
  private readonly frozenStore = new Store(false);
  private before: Counters | null = null;
  private came = false;
  private frames: { sid: string; decoded: number; at: number } | null = null;
  private cancel: (() => void) | null = null;
  private cancelFrames: (() => void) | null = null;

  constructor(
    private readonly session: CallSession,
    private readonly clock: Clock = systemClock,
  ) {}

  get verdict(): Readable<Verdict | null> {
    return this.store;
  }

  /** True while pictures of the client are due and none has come for `FROZEN_AFTER_MS` (CALL-43). */
  get frozen(): Readable<boolean> {
    return this.frozenStore;
  }

  start(): void {
    if (this.cancel) return;
    const count = () => {
      void this.countFrames().finally(() => {
        if (this.cancelFrames) this.cancelFrames = this.clock.after(FRAME_CHECK_MS, count);
      });
    };
    this.cancelFrames = this.clock.after(FRAME_CHECK_MS, count);
    const turn = () => {
      void this.measure().finally(() => {
        if (this.cancel) this.cancel = this.clock.after(INTERVAL_MS, turn);
      });
    };
    this.cancel = this.clock.after(INTERVAL_MS, turn);
  }

  stop(): void {
    this.cancel?.();
    this.cancel = null;
    this.cancelFrames?.();
    this.cancelFrames = null;
  }

  /** Counts the frames of the client's camera once. Public so that tests step it. */
  async countFrames(): Promise<void> {
    const camera = this.session.people.get().client?.camera;
    // In a hidden tab the library stops receiving pictures by itself.
    const seen = typeof document === 'undefined' || document.visibilityState === 'visible';
    const due = isLive(camera) && this.session.status.get().name === 'connected' && seen;
    const decoded = due ? (await received(camera).catch(() => null))?.framesDecoded : undefined;
    const now = this.clock.now();
    if (!camera || decoded === undefined) {
      this.frames = null;
      this.frozenStore.set(false);
      return;
    }
    if (this.frames?.sid !== camera.sid || this.frames.decoded !== decoded) {
      this.frames = { sid: camera.sid, decoded, at: now };
    }
    this.frozenStore.set(now - this.frames.at >= FROZEN_AFTER_MS);
  }

  /** One reading. Public so that tests step it; a failing `getStats` counts as "not known". */
  async measure(): Promise<void> {
    const { me, client } = this.session.people.get();
    const status = this.session.status.get().name;
    if (status !== 'connected' && status !== 'reconnecting') {
      this.store.set(null);
      return;
    }
    // Whoever has not come yet has lost no connection.
    this.came ||= client !== null;
    if (!this.came && status === 'connected') {
      this.store.set(null);
      return;
    }
    const read = <T>(one: Promise<T>): Promise<T | null> => one.catch(() => null);
    const now: Counters = {
      at: this.clock.now(),
      video: await read(received(client?.camera)),
      audio: await read(received(client?.microphone)),
      up: await read(sent(me)),
    };
    const sample = this.sampleOf(now, me, client);
    this.before = now;
    this.store.set(this.steady.push(assess(sample), now.at));
  }

  private sampleOf(now: Counters, me: ParticipantView | null, client: ParticipantView | null): Sample {
    const before = this.before;
    const seconds = before ? (now.at - before.at) / 1_000 : 0;
    const frames = delta(now.video?.framesDecoded, before?.video?.framesDecoded);
    return {
      reconnecting: this.session.status.get().name === 'reconnecting',
      myQuality: me?.quality ?? 'unknown',
      clientQuality: client?.quality ?? 'unknown',
      clientPresent: client !== null,
      videoDue: isLive(client?.camera),
      audioDue: isLive(client?.microphone),
      fps: frames === null || seconds <= 0 ? null : frames / seconds,
      height:
        now.video?.frameHeight && now.video.frameWidth ? Math.min(now.video.frameHeight, now.video.frameWidth) : null,
      videoLoss: lossBetween(now.video, before?.video ?? null),
      audioConcealed: before ? concealedBetween(now, before) : null,
      uplinkLoss: lossBetween(now.up, before?.up ?? null),
    };
  }
}
