import type { RoomMessage } from '../core/messages';
import { TOPIC } from '../core/messages';
import type {
  LocalParticipantPort,
  ParticipantPort,
  PathPort,
  PublicationPort,
  RoomPort,
  TrackPort,
  TrackStats,
} from '../core/ports';
import type { Clock } from '../core/store';
import { DRAW_TOPIC } from '../drawing/topic';
import { POINT_TOPIC } from '../pointing/channel';

type Handler = (...args: unknown[]) => void;

/** A clock that moves only when told. */
export class FakeClock implements Clock {
  private time = 1_000_000;
  private timers: Array<{ at: number; run: () => void }> = [];

  now = (): number => this.time;

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  }

  /** Moves on by `ms`, running what falls due and letting promises settle in between. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      const due = this.timers.filter((one) => one.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.timers = this.timers.filter((one) => one !== due);
      this.time = Math.max(this.time, due.at);
      due.run();
      await settle();
    }
    this.time = end;
    await settle();
  }
}

export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
};

export class FakeTrack implements TrackPort {
  stats: TrackStats = {};
  /** State of this track's path; null where a browser does not say. */
  path: RTCIceTransportState | null = null;
  readonly elements: HTMLMediaElement[] = [];

  constructor(readonly kind: 'audio' | 'video') {}

  get receiver(): PathPort {
    return this.path ? { transport: { iceTransport: { state: this.path } } } : {};
  }

  attach(element: HTMLMediaElement): HTMLMediaElement {
    this.elements.push(element);
    return element;
  }

  detach(element: HTMLMediaElement): HTMLMediaElement {
    this.elements.splice(this.elements.indexOf(element), 1);
    return element;
  }

  getReceiverStats = async (): Promise<TrackStats> => ({ ...this.stats });
  getSenderStats = async (): Promise<TrackStats> => ({ ...this.stats });
}

export class FakePublication implements PublicationPort {
  isMuted = false;

  constructor(
    readonly source: string,
    readonly track: FakeTrack,
    readonly trackSid = `TR_${source}`,
  ) {}

  get kind(): string {
    return this.track.kind;
  }
}

export class FakeParticipant implements ParticipantPort {
  metadata?: string;
  isSpeaking = false;
  connectionQuality = 'good';
  readonly trackPublications = new Map<string, FakePublication>();

  constructor(
    readonly identity: string,
    readonly name?: string,
  ) {}

  publish(source: 'camera' | 'microphone' | 'screen_share'): FakePublication {
    const publication = new FakePublication(
      source,
      new FakeTrack(source === 'microphone' ? 'audio' : 'video'),
      `TR_${this.identity}_${source}`,
    );
    this.trackPublications.set(publication.trackSid, publication);
    return publication;
  }
}

class FakeLocal extends FakeParticipant implements LocalParticipantPort {
  readonly sent: Array<{ message: Record<string, unknown>; to: string[] | undefined }> = [];
  /** What left on the pointer's topic, none of it reliably. */
  readonly lossy: Array<Record<string, unknown>> = [];
  /** What hands drew, all of it reliably. */
  readonly drawn: Array<Record<string, unknown>> = [];
  deviceError: Error | null = null;

  constructor(private readonly room: FakeRoom) {
    super('user:me', 'Nuria Ferrer');
  }

  setMicrophoneEnabled = (on: boolean) => this.set('microphone', on);
  setCameraEnabled = (on: boolean) => this.set('camera', on);
  setScreenShareEnabled = (on: boolean) => this.set('screen_share', on);

  async publishData(
    data: Uint8Array,
    options: { reliable: boolean; topic: string; destinationIdentities?: string[] },
  ): Promise<void> {
    if (options.topic === POINT_TOPIC && !options.reliable) this.lossy.push(JSON.parse(new TextDecoder().decode(data)));
    if (options.topic === DRAW_TOPIC && options.reliable) this.drawn.push(JSON.parse(new TextDecoder().decode(data)));
    if (options.topic !== TOPIC) return;
    this.sent.push({ message: JSON.parse(new TextDecoder().decode(data)), to: options.destinationIdentities });
  }

  private async set(source: 'microphone' | 'camera' | 'screen_share', on: boolean): Promise<void> {
    if (on && this.deviceError) throw this.deviceError;
    const found = [...this.trackPublications.values()].find((one) => one.source === source);
    if (found) found.isMuted = !on;
    else if (on) this.publish(source);
    this.room.emit('localTrackPublished');
  }
}

/** A room in memory: tests make people come and go and cut the line. */
export class FakeRoom implements RoomPort {
  state = 'disconnected';
  canPlaybackAudio = true;
  readonly localParticipant = new FakeLocal(this);
  readonly remoteParticipants = new Map<string, FakeParticipant>();
  readonly connections: string[] = [];
  connectError: Error | null = null;
  readonly scenarios: string[] = [];
  readonly chosen: Array<[string, string]> = [];
  private readonly handlers = new Map<string, Set<Handler>>();

  async connect(_url: string, token: string): Promise<void> {
    this.connections.push(token);
    if (this.connectError) throw this.connectError;
    this.state = 'connected';
  }

  async disconnect(): Promise<void> {
    if (this.state === 'disconnected') return;
    this.state = 'disconnected';
    this.emit('disconnected', 1);
  }

  async startAudio(): Promise<void> {
    this.canPlaybackAudio = true;
  }

  simulateScenario = async (scenario: string): Promise<void> => {
    this.scenarios.push(scenario);
  };

  getActiveDevice = (): string | undefined => 'default';

  async switchActiveDevice(kind: MediaDeviceKind, id: string): Promise<boolean> {
    this.chosen.push([kind, id]);
    return true;
  }

  on(event: string, handler: (...args: never[]) => void): this {
    const set = this.handlers.get(event) ?? new Set<Handler>();
    set.add(handler as unknown as Handler);
    this.handlers.set(event, set);
    return this;
  }

  off(event: string, handler: (...args: never[]) => void): this {
    this.handlers.get(event)?.delete(handler as unknown as Handler);
    return this;
  }

  emit(event: string, ...args: unknown[]): void {
    for (const handler of [...(this.handlers.get(event) ?? [])]) handler(...args);
  }

  get listenerCount(): number {
    return [...this.handlers.values()].reduce((sum, set) => sum + set.size, 0);
  }

  join(identity: string, name: string): FakeParticipant {
    const participant = new FakeParticipant(identity, name);
    this.remoteParticipants.set(identity, participant);
    this.emit('participantConnected', participant);
    return participant;
  }

  part(identity: string): void {
    this.remoteParticipants.delete(identity);
    this.emit('participantDisconnected');
  }

  /** Delivers a data message as if `identity` had sent it; no identity = the server. */
  receive(message: RoomMessage | Record<string, unknown>, identity?: string): void {
    const payload = new TextEncoder().encode(JSON.stringify(message));
    const participant = identity ? this.remoteParticipants.get(identity) : undefined;
    this.emit('dataReceived', payload, participant, 0, TOPIC, 0, identity);
  }

  /** The library gave up: connection gone for `reason` (livekit's number). */
  cut(reason = 0): void {
    this.state = 'disconnected';
    this.emit('disconnected', reason);
  }
}
