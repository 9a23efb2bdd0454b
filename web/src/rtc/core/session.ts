import { watchIce } from '../path/ice';
import { nobody, type People, peopleOf } from './participants';
import { pathState } from './path-state';
import type { RoomPort } from './ports';
import { type Clock, type Readable, Store, systemClock } from './store';

/** Why a call is over. `lost` offers "join again", the others do not. */
export type EndReason = 'left' | 'closed' | 'removed' | 'duplicate' | 'lost' | 'refused';

export type CallStatus =
  | { name: 'idle' }
  | { name: 'connecting' }
  | { name: 'connected'; since: number }
  | { name: 'reconnecting'; since: number; attempt: number }
  | { name: 'disconnected'; reason: EndReason; code: string };

export interface JoinTicket {
  url: string;
  token: string;
}

export interface SessionOptions {
  room: RoomPort;
  /** A fresh ticket for every attempt: tokens expire during a long cut. Throws an object with `code` when refused. */
  ticket: () => Promise<JoinTicket>;
  clock?: Clock;
}

/** livekit's DisconnectReason numbers that mean "do not come back". Source: livekit_models.proto. */
const FINAL: Readonly<Record<number, EndReason>> = { 2: 'duplicate', 4: 'removed', 5: 'closed', 10: 'closed' };

/** The page tries to join again for this long; after that it asks the adjuster (CALL-17). Milliseconds. */
export const SEAT_HELD_MS = 60_000;
const BACKOFF_MS = [500, 1_000, 2_000, 4_000, 5_000];

/** Statuses of a refused ticket that a retry cannot change. */
const REFUSED = new Set([400, 401, 402, 403, 404, 409, 410]);

const ROOM_EVENTS = [
  'participantConnected',
  'participantDisconnected',
  'trackPublished',
  'trackUnpublished',
  'trackSubscribed',
  'trackUnsubscribed',
  'trackMuted',
  'trackUnmuted',
  'localTrackPublished',
  'localTrackUnpublished',
  'participantNameChanged',
  'participantMetadataChanged',
  'connectionQualityChanged',
  'activeSpeakersChanged',
] as const;

/**
 * One call from joining to its end. The library repairs short cuts by itself; when it gives up, the session gets
 * a fresh ticket, joins again with the same identity, and switches microphone and camera on again if they were.
 *
 * Invariant: after `disconnected` with a reason other than `lost` nothing here starts a connection.
 */
export class CallSession {
  readonly room: RoomPort;
  private readonly clock: Clock;
  private readonly ticket: () => Promise<JoinTicket>;
  private readonly statusStore = new Store<CallStatus>({ name: 'idle' });
  private readonly peopleStore = new Store<People>(nobody);
  private readonly audioStore = new Store(true);
  private readonly wanted = { microphone: false, camera: false };
  /** The server answered when it was last asked. */
  reached = true;
  private chosen: string | null = null;
  private leaving = false;
  private cancelRetry: (() => void) | null = null;
  private stopPath: (() => void) | null = null;
  private readonly unbind: Array<() => void> = [];

  constructor(options: SessionOptions) {
    this.room = options.room;
    this.ticket = options.ticket;
    this.clock = options.clock ?? systemClock;
    this.bind();
  }

  get status(): Readable<CallStatus> {
    return this.statusStore;
  }

  get people(): Readable<People> {
    return this.peopleStore;
  }

  /** False while the browser holds back sound until a tap; `startAudio` is that tap. */
  get audioAllowed(): Readable<boolean> {
    return this.audioStore;
  }

  async start(): Promise<void> {
    const { name } = this.statusStore.get();
    if (name !== 'idle' && name !== 'disconnected') return;
    this.leaving = false;
    this.statusStore.set({ name: 'connecting' });
    await this.attempt(this.clock.now(), 0);
  }

  /** Leaves; the conference goes on without us. */
  async leave(): Promise<void> {
    this.leaving = true;
    this.cancelRetry?.();
    this.cancelRetry = null;
    await this.room.disconnect(true);
    this.end('left', 'LEFT');
  }

  /** The server says the conference is over (data message or event stream): no reconnection. */
  async closedByServer(): Promise<void> {
    this.leaving = true;
    this.cancelRetry?.();
    this.cancelRetry = null;
    this.end('closed', 'CONFERENCE_CLOSED');
    await this.room.disconnect(true);
  }

  /** Remembers what should be on, so that a rejoin puts it back. */
  want(what: 'microphone' | 'camera', on: boolean): void {
    this.wanted[what] = on;
  }

  async startAudio(): Promise<void> {
    await this.room.startAudio();
    this.audioStore.set(this.room.canPlaybackAudio);
  }

  dispose(): void {
    for (const off of this.unbind) off();
    this.unbind.length = 0;
    this.leaving = true;
    this.stopPath?.();
    this.cancelRetry?.();
    void this.room.disconnect(true);
  }

  private bind(): void {
    const on = (event: string, handler: (...args: never[]) => void) => {
      this.room.on(event, handler);
      this.unbind.push(() => this.room.off(event, handler));
    };
    for (const event of ROOM_EVENTS) on(event, () => this.refresh());
    on('audioPlaybackChanged', () => this.audioStore.set(this.room.canPlaybackAudio));
    on('signalReconnecting', () => this.interrupted());
    on('reconnecting', () => this.interrupted());
    on('reconnected', () => this.connected());
    on('disconnected', (reason?: number) => this.dropped(reason));
  }

  /** Works with this device of the client from now on; it stays chosen until it leaves. */
  choose(identity: string): void {
    this.chosen = identity;
    this.refresh();
  }

  private refresh(): void {
    const people = peopleOf(this.room, this.chosen);
    // Whoever came first stays chosen when a second device is let in.
    this.chosen = people.client?.identity ?? null;
    this.peopleStore.set(people);
  }

  private interrupted(): void {
    if (this.statusStore.get().name !== 'connected') return;
    this.statusStore.set({ name: 'reconnecting', since: this.clock.now(), attempt: 0 });
  }

  private connected(): void {
    this.statusStore.set({ name: 'connected', since: this.clock.now() });
    this.refresh();
    this.watchPath();
  }

  /** The signalling can be alive while no packet passes: a new path after 3 s, a new connection after 10 (CALL-60). */
  private watchPath(): void {
    this.stopPath ??= watchIce(
      {
        state: () => (this.leaving || this.cancelRetry ? undefined : pathState(this.room)),
        broken: () => this.interrupted(),
        mended: () => {
          if (this.statusStore.get().name === 'reconnecting') this.connected();
        },
        restart: () => {
          // A library that repairs by itself is not disturbed.
          if (this.room.state !== 'connected') return;
          void this.room.simulateScenario?.('signal-reconnect').catch(() => undefined);
        },
        // What is told of the disconnection starts the attempts.
        rejoin: () => void this.room.disconnect(true),
      },
      this.clock,
    );
  }

  private dropped(reason: number | undefined): void {
    const { name } = this.statusStore.get();
    if (this.leaving || name === 'disconnected') return;
    const final = reason === undefined ? undefined : FINAL[reason];
    this.refresh();
    if (final) {
      this.end(final, final.toUpperCase());
      return;
    }
    // A running `attempt` decides itself what a failure means.
    if (name === 'connecting') return;
    const now = this.statusStore.get();
    const since = now.name === 'reconnecting' ? now.since : this.clock.now();
    if (this.cancelRetry === null) this.retry(since, 0);
  }

  private retry(since: number, attempt: number): void {
    const wait = BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length - 1)] ?? 5_000;
    if (this.clock.now() + wait - since > SEAT_HELD_MS) {
      this.end('lost', 'CONNECTION_LOST');
      return;
    }
    this.statusStore.set({ name: 'reconnecting', since, attempt: attempt + 1 });
    this.cancelRetry = this.clock.after(wait, () => {
      this.cancelRetry = null;
      void this.attempt(since, attempt + 1);
    });
  }

  private async attempt(since: number, attempt: number): Promise<void> {
    try {
      this.reached = false;
      const { url, token } = await this.ticket();
      this.reached = true;
      if (this.leaving) return;
      await this.room.connect(url, token);
      if (this.leaving) return;
      this.connected();
    } catch (error) {
      if (this.leaving) return;
      const refused = refusal(error);
      if (refused) this.end('refused', refused);
      else this.retry(since, attempt);
      return;
    }
    await this.restore();
  }

  private async restore(): Promise<void> {
    const me = this.room.localParticipant;
    try {
      if (this.wanted.microphone) await me.setMicrophoneEnabled(true);
      if (this.wanted.camera) await me.setCameraEnabled(true);
    } catch {
      // The device went away during the cut: the dock shows it as off, the call goes on.
    }
    this.refresh();
  }

  private end(reason: EndReason, code: string): void {
    if (this.statusStore.get().name === 'disconnected') return;
    this.stopPath?.();
    this.stopPath = null;
    this.statusStore.set({ name: 'disconnected', reason, code });
    this.refresh();
  }
}

function refusal(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const { status, code } = error as { status?: unknown; code?: unknown };
  if (typeof status !== 'number' || !REFUSED.has(status)) return null;
  return typeof code === 'string' ? code : 'REFUSED';
}
