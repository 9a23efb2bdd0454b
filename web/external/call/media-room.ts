/** The media room on `livekit-client`: connecting, coming back, our two tracks, their picture and sound. */
import {
  ConnectionQuality,
  DisconnectReason,
  LocalAudioTrack,
  type LocalTrack,
  LocalVideoTrack,
  type RemoteTrack,
  RemoteVideoTrack,
  Room,
  RoomEvent,
  Track,
  type TrackPublishOptions,
} from 'livekit-client';
import { DRAW_TOPIC } from '../../src/rtc/drawing/topic';
import type { Reading } from '../../src/rtc/path/diagnosis';
import { REJOIN_AFTER_MS, watchIce } from '../../src/rtc/path/ice';
import { statsOf } from '../../src/rtc/path/report';
import { PointChannel, type PointRoom } from '../../src/rtc/pointing/channel';
import type { Spot } from '../../src/rtc/pointing/place';
import { ApiError } from '../api';
import { held } from '../devices';
import type { JoinAnswer } from '../model';
import { bytesSent, Flow, framesTaken, type Kind } from './flow';
import { hint } from './lens';
import { encodeMessage, parseMessage, TOPIC } from './messages';
import { Rescue } from './rescue';
import { CAMERA_OPTIONS, MICROPHONE_OPTIONS, type RoomListener } from './room-parts';
import type { Link } from './view';

const TRIES_BEFORE_OFFLINE = 3;
/** Milliseconds between two questions of a device that waits at the door. */
const DOOR_MS = 3000;
/** Milliseconds after a change of lens, and between two checks of the encoder. */
const SWAP_CHECK_MS = 1500;

export class MediaRoom {
  private room: Room | null = null;
  private points: PointChannel | null = null;
  private video: LocalVideoTrack | null = null;
  private audio: LocalAudioTrack | null = null;
  private generation = 0;
  /** Of the present attempt: it was connected. */
  private opened = false;
  private stopIce: () => void = () => undefined;
  private rejoinTimer: ReturnType<typeof setTimeout> | undefined;
  private wake: (() => void) | null = null;
  private muting = false;
  private readonly ladder = new Rescue(() => this.on.noMedia());
  private readonly flow = new Flow({
    read: async () => ({ audio: await bytesSent(this.audio), video: await bytesSent(this.video) }),
    republish: (kind) => this.republish(kind),
    rejoin: () => void this.connect('reconnecting'),
    giveUp: () => this.on.noMedia(),
  });
  muted = false;
  paused = false;

  constructor(
    private readonly join: (again: boolean) => Promise<JoinAnswer | { door: 'waiting' }>,
    private readonly on: RoomListener,
  ) {}

  /** Joins and keeps trying until it works, the call is closed, or `stop`. */
  async connect(link: Link = 'connecting', again = false): Promise<void> {
    const mine = ++this.generation;
    clearTimeout(this.rejoinTimer);
    await this.drop();
    this.on.link(link);
    for (let tries = 1; mine === this.generation; tries++) {
      try {
        const answer = await this.join(again);
        if (mine !== this.generation) return;
        if (!('door' in answer)) {
          this.ladder.answered();
          return await this.open(answer, mine);
        }
        again = false;
        tries = 0;
        this.on.link('door');
        await this.pause(DOOR_MS);
      } catch (error) {
        if (mine !== this.generation) return;
        if (error instanceof ApiError && (error.status === 410 || error.status === 404)) return this.on.closed();
        if (error instanceof ApiError && error.code === 'DEVICE_REFUSED') return this.on.link('refused');
        if (error instanceof ApiError && error.status === 403) return this.on.keyInvalid();
        if (!(error instanceof ApiError)) this.ladder.failed();
        await this.drop();
        this.on.link(tries >= TRIES_BEFORE_OFFLINE || !navigator.onLine ? 'offline' : link);
        await this.pause(Math.min(10_000, 1000 * 2 ** (tries - 1)));
      }
    }
  }

  /** Tries again now instead of waiting. */
  hurry(): void {
    this.wake?.();
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        removeEventListener('online', done);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(done, ms);
      addEventListener('online', done);
      this.wake = done;
    });
  }

  private async open(answer: JoinAnswer, mine: number): Promise<void> {
    const room = new Room({ adaptiveStream: true, dynacast: true, stopLocalTrackOnUnpublish: false });
    this.room = room;
    this.opened = false;
    // The library types its emitter per event, the channel names them by their strings.
    const points = new PointChannel(room as unknown as PointRoom);
    points.onPoint((pointed) => pointed.of === points.me && this.on.pointed(pointed));
    this.points = points;
    this.listen(room, () => mine === this.generation);
    this.on.joined(answer);
    await room.connect(answer.url, answer.token);
    if (mine !== this.generation) return void room.disconnect(false);
    this.opened = true;
    this.people(room);
    this.ladder.passes();
    this.on.link('live');
    this.on.sound(!room.canPlaybackAudio);
    await Promise.all([this.publishMicrophone(), this.publishCamera()]);
    if (mine !== this.generation) return;
    this.on.ready();
    this.watchPath(room);
    this.flow.connected();
  }

  private watchPath(room: Room): void {
    this.stopIce();
    this.stopIce = watchIce({
      state: () => (this.audio ?? this.video)?.sender?.transport?.iceTransport?.state,
      broken: () => this.on.link('reconnecting'),
      mended: () => this.back(),
      // Restarts the signalling, which negotiates a new path for the media.
      restart: () => void room.simulateScenario('signal-reconnect').catch(() => undefined),
      rejoin: () => {
        this.ladder.failed();
        void this.connect('reconnecting');
      },
    });
  }

  /** What the statistics say about the track that is due, voice before the picture; of any other when none is. */
  async path(): Promise<Pick<Reading, 'ice' | 'stats' | 'due'>> {
    const tracks = [this.audio, this.video].filter((track) => track?.sender);
    const bytes = await Promise.all(tracks.map(bytesSent));
    const nth = bytes.findIndex((count) => count !== null);
    const sender = tracks[Math.max(0, nth)]?.sender;
    return { ice: sender?.transport?.iceTransport?.state, stats: await statsOf(sender), due: nth >= 0 };
  }

  private listen(room: Room, current: () => boolean): void {
    const guard =
      <A extends unknown[]>(work: (...args: A) => void) =>
      (...args: A) => {
        if (current()) work(...args);
      };
    const broken = guard(() => {
      this.on.link('reconnecting');
      clearTimeout(this.rejoinTimer);
      this.rejoinTimer = setTimeout(() => void this.connect('reconnecting'), REJOIN_AFTER_MS);
    });
    const people = guard(() => this.people(room));
    room
      .on(RoomEvent.Reconnecting, broken)
      .on(RoomEvent.SignalReconnecting, broken)
      .on(
        RoomEvent.Reconnected,
        guard(() => this.back()),
      )
      .on(
        RoomEvent.Disconnected,
        guard((reason) => this.lost(reason)),
      )
      .on(RoomEvent.ParticipantConnected, people)
      .on(RoomEvent.ParticipantDisconnected, people)
      .on(
        RoomEvent.TrackSubscribed,
        guard((track) => this.subscribed(room, track)),
      )
      .on(
        RoomEvent.TrackUnsubscribed,
        guard((track) => {
          track.detach();
          this.people(room);
        }),
      )
      .on(RoomEvent.TrackMuted, people)
      .on(RoomEvent.TrackUnmuted, people)
      .on(
        RoomEvent.AudioPlaybackStatusChanged,
        guard(() => this.on.sound(!room.canPlaybackAudio)),
      )
      .on(
        RoomEvent.ConnectionQualityChanged,
        guard((quality, participant) => {
          if (participant.isLocal)
            this.on.weak(quality === ConnectionQuality.Poor || quality === ConnectionQuality.Lost);
        }),
      )
      .on(
        RoomEvent.DataReceived,
        guard((payload, participant, _kind, topic, _encryption, identity) => {
          if (topic === DRAW_TOPIC) return this.on.drawn(payload, participant?.identity);
          // A sender whom this page does not know yet is somebody all the same: only the server has no identity.
          const message = parseMessage(payload, identity || participant?.identity, topic);
          if (message) this.on.message(message, participant?.name || null);
        }),
      );
  }

  private subscribed(room: Room, track: RemoteTrack): void {
    if (track.kind === Track.Kind.Audio) track.attach();
    this.people(room);
  }

  /** Who of ours is here, and which of their pictures to show. */
  private people(room: Room): void {
    let name: string | null = null;
    let face: RemoteVideoTrack | null = null;
    let screen: RemoteVideoTrack | null = null;
    for (const participant of room.remoteParticipants.values()) {
      if (participant.identity.startsWith('user:')) name ??= participant.name || '';
      for (const publication of participant.trackPublications.values()) {
        const { track } = publication;
        if (!(track instanceof RemoteVideoTrack) || publication.isMuted) continue;
        if (publication.source === Track.Source.ScreenShare) screen ??= track;
        else face ??= track;
      }
    }
    this.on.staff(name);
    this.on.pictures(face, screen);
  }

  private back(): void {
    clearTimeout(this.rejoinTimer);
    this.on.link('live');
    this.send({ t: 'back' });
  }

  private lost(reason: DisconnectReason | undefined): void {
    switch (reason) {
      case DisconnectReason.CLIENT_INITIATED:
        return;
      case DisconnectReason.DUPLICATE_IDENTITY:
        this.on.link('elsewhere');
        break;
      case DisconnectReason.PARTICIPANT_REMOVED:
        this.on.link('removed');
        break;
      default:
        // An attempt that came to nothing is counted, and made again after a pause, by whoever waits for it.
        if (!this.opened) return;
        // A deleted room is a closed conference or a restarted server: joining again tells which.
        void this.connect('reconnecting');
    }
  }

  private async publish(track: LocalTrack, hushed: boolean, options: TrackPublishOptions): Promise<void> {
    if (hushed) await track.mute();
    await this.room?.localParticipant.publishTrack(track, options).catch(() => undefined);
  }

  async publishCamera(): Promise<void> {
    if (!held.camera || this.video) return;
    hint(held.camera);
    this.video = new LocalVideoTrack(held.camera, undefined, true);
    await this.publish(this.video, this.paused, CAMERA_OPTIONS);
  }

  async publishMicrophone(): Promise<void> {
    if (!held.microphone || this.audio) return;
    this.audio = new LocalAudioTrack(held.microphone, undefined, true);
    // Muted by staff through the server, so the person must be informed.
    this.audio.on('muted', () => {
      if (!this.muting && !this.muted) {
        this.muted = true;
        this.on.mutedByStaff();
      }
    });
    await this.publish(this.audio, this.muted, MICROPHONE_OPTIONS);
  }

  /** Another lens on the same publication, without negotiating again. */
  async swapCamera(track: MediaStreamTrack): Promise<void> {
    const { video } = this;
    if (!video?.sender) {
      this.video = null;
      return;
    }
    hint(track);
    await video.replaceTrack(track, true);
    setTimeout(() => void this.rescue(video, track), SWAP_CHECK_MS);
  }

  /** Some encoders accept no frame of a swapped track; then it is published anew. */
  private async rescue(video: LocalVideoTrack, track: MediaStreamTrack): Promise<void> {
    const current = () => this.video === video && video.mediaStreamTrack === track && track.readyState === 'live';
    const before = await framesTaken(video);
    await new Promise((resolve) => setTimeout(resolve, SWAP_CHECK_MS));
    if (!current() || this.paused || track.muted || before === null) return;
    if ((await framesTaken(video)) !== before || !current()) return;
    await this.republish('video');
  }

  private async republish(kind: Kind): Promise<void> {
    const track = this[kind];
    if (track) await this.room?.localParticipant.unpublishTrack(track, false).catch(() => undefined);
    this[kind] = null;
    await (kind === 'video' ? this.publishCamera() : this.publishMicrophone());
  }

  /** After a recovery: both kinds must leave the phone again, otherwise the ladder goes on (CLIENT-54). */
  prove(): void {
    if (this.room?.state === 'connected') void this.flow.prove();
  }

  /** Runs `work` while nothing is encoded, so that changing to full size for a photo does not overload the phone. */
  async withoutSending<T>(work: () => Promise<T>): Promise<T> {
    const sender = this.video?.sender;
    const sent = sender?.track;
    if (!sender || !sent) return work();
    await sender.replaceTrack(null).catch(() => undefined);
    try {
      return await work();
    } finally {
      await sender.replaceTrack(sent).catch(() => undefined);
    }
  }

  async swapMicrophone(track: MediaStreamTrack): Promise<void> {
    if (this.audio?.sender) await this.audio.replaceTrack(track, true);
    else this.audio = null;
  }

  async setMuted(muted: boolean): Promise<void> {
    this.muted = muted;
    this.muting = true;
    await (muted ? this.audio?.mute() : this.audio?.unmute());
    this.muting = false;
  }

  async setPaused(paused: boolean): Promise<void> {
    this.paused = paused;
    await (paused ? this.video?.mute() : this.video?.unmute());
  }

  /** From a tap: browsers only play sound after one. */
  async startSound(): Promise<void> {
    await this.room?.startAudio().catch(() => undefined);
  }

  send(message: Record<string, unknown> & { t: string }): void {
    const { room } = this;
    if (room?.state !== 'connected') return;
    room.localParticipant.publishData(encodeMessage(message), { reliable: true, topic: TOPIC }).catch(() => undefined);
  }

  /** Points at the own picture. */
  point(spot: Spot): void {
    this.points?.send(this.points.me, spot);
  }

  private async drop(): Promise<void> {
    const { room } = this;
    this.stopIce();
    this.points?.dispose();
    this.points = null;
    this.room = null;
    this.video = null;
    this.audio = null;
    // The tracks stay open: they are the phone's camera and microphone, not the connection's.
    await room?.disconnect(false).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.generation++;
    this.ladder.stop();
    this.flow.stop();
    clearTimeout(this.rejoinTimer);
    this.wake?.();
    await this.drop();
  }
}
