/** One call: executes the adjuster's commands, keeps the phone's devices alive, and holds what the screen shows. */
import * as api from '../api';
import { type Browser, deviceName, displayNames } from '../browser';
import { held, openCamera, openMicrophone, release } from '../devices';
import type { Event } from '../machine';
import type { JoinAnswer, Outcomes, RecordingState } from '../model';
import { askInCall } from './ask';
import { CameraControl } from './camera';
import { Care } from './care';
import { Connection } from './connection';
import { FirstPosition } from './first-position';
import { Frozen } from './frozen';
import { MediaRoom } from './media-room';
import type { Facing, Incoming } from './messages';
import { Photos } from './photos';
import { Place } from './place';
import { Pointing } from './pointing';
import { turnToPictures } from './rescue';
import { uploads } from './uploads';
import { EMPTY, mergeChat, type Toast, type View } from './view';
import { keepAwake, watchPosition } from './watch';

export interface SessionOptions {
  hash: string;
  clientKey: string;
  outcomes: Outcomes;
  browser: Browser;
  send: (event: Event) => void;
}

const TOAST_MS = 6000;

export class Session {
  view: View = EMPTY;
  private listener: (view: View) => void = () => undefined;
  private readonly room: MediaRoom;
  private readonly camera: CameraControl;
  private readonly stops: (() => void)[] = [];
  private readonly photos: Photos;
  private readonly place: Place;
  readonly position: FirstPosition;
  readonly pointing: Pointing;
  private readonly frozen: Frozen;
  private readonly care: Care;
  private readonly connection: Connection;
  private toastTimer: ReturnType<typeof setTimeout> | undefined;
  private over = false;

  constructor(private readonly options: SessionOptions) {
    const { hash, clientKey } = options;
    this.camera = new CameraControl((track) => this.cameraChanged(track));
    const tell = (message: { t: string } & Record<string, unknown>) => this.room.send(message);
    this.place = new Place(null, tell, (fix) => void api.track(hash, clientKey, 'GEO_FIX', { ...fix }));
    this.position = new FirstPosition(options.outcomes.geolocation, {
      show: (askPosition) => this.set({ askPosition }),
      found: (fix) => this.place.moved(fix),
      open: () => {
        const data = { permission: 'geolocation', reason: 'PERMISSION_NO_ANSWER' };
        void api.track(hash, clientKey, 'PERMISSION_DENIED', data);
      },
      answered: (outcome, kind) => {
        options.send({ type: 'POSITION', outcome, kind });
        if (outcome === 'granted') this.followPosition();
      },
    });
    this.photos = new Photos(
      this.camera,
      this.place,
      () => this.position.settled(),
      (work) => this.room.withoutSending(work),
      tell,
      (change) => this.set(change),
    );
    this.frozen = new Frozen(hash, clientKey, (change) => this.set(change));
    this.pointing = new Pointing(
      (spot) => this.room.point(spot),
      (who) => this.toast({ key: 'call_point_hint', values: { who }, tone: 'plain' }),
    );
    this.room = new MediaRoom(
      (again) =>
        api.join(hash, clientKey, {
          camera: held.camera !== null,
          microphone: held.microphone !== null,
          device: deviceName(options.browser),
          again,
        }),
      {
        link: (link) => this.linkChanged(link),
        joined: (answer) => this.joined(answer),
        message: (message, sender) => this.obey(message, sender),
        pointed: (pointed) => this.pointing.take(pointed),
        drawn: (payload, from) => this.frozen.drawn(payload, from),
        staff: (staff) => this.staffChanged(staff),
        pictures: (face, screen) => this.set({ face, screen }),
        sound: (soundBlocked) => this.set({ soundBlocked }),
        weak: (weak) => this.set({ weak }),
        mutedByStaff: () => {
          this.set({ muted: true });
          this.toast({ key: 'call_muted_by', values: { who: this.who() }, tone: 'plain' });
        },
        closed: () => options.send({ type: 'RELOAD' }),
        keyInvalid: () => options.send({ type: 'KEY_INVALID' }),
        noMedia: () => {
          this.connection.nothingPasses();
          turnToPictures(options, (change) => this.set(change));
        },
        ready: () => this.tellAll(),
      },
    );
    this.care = this.careOf();
    const { room } = this;
    this.connection = new Connection(
      options,
      room,
      () => this.view,
      (change) => this.set(change),
    );
  }

  private careOf(): Care {
    return new Care({
      room: this.room,
      camera: this.camera,
      cameraChanged: (track) => this.cameraChanged(track),
      set: (change) => this.set(change),
      failed: () => this.toast({ key: 'call_camera_failed', tone: 'bad' }),
      tellCaps: () => this.tellCaps(),
    });
  }

  subscribe(listener: (view: View) => void): void {
    this.listener = listener;
    listener(this.view);
  }

  start(): void {
    this.set({ camera: held.camera, microphone: held.microphone !== null });
    this.care.start();
    this.stops.push(
      () => this.care.stop(),
      this.connection.start(),
      keepAwake(() => {
        this.room.send({ t: 'problem', reason: 'WAKE_LOCK' });
        this.toast({ key: 'call_sleep', tone: 'plain' });
      }),
      uploads.watch((event) => this.photos.moved(event)),
      () => this.photos.stop(),
      this.goWithThePage(),
    );
    if (this.options.outcomes.geolocation === 'granted') this.followPosition();
    const { hash, clientKey } = this.options;
    void uploads.start(hash, clientKey);
    void this.room.connect();
    if (held.camera) void this.camera.chooseMain().then(() => this.tellCaps());
  }

  /** Leaves the room and lets go of the camera and the microphone. */
  stop(): void {
    if (this.over) return;
    this.over = true;
    for (const stop of this.stops) stop();
    clearTimeout(this.toastTimer);
    void this.room.stop();
    release('camera');
    release('microphone');
  }

  /** A device whose page is closed no longer waits at the door. */
  private goWithThePage(): () => void {
    const { hash, clientKey } = this.options;
    const gone = () => {
      if (this.view.link === 'door') void api.leave(hash, clientKey).catch(() => undefined);
    };
    addEventListener('pagehide', gone);
    return () => removeEventListener('pagehide', gone);
  }

  private followPosition(): void {
    if (!this.over) this.stops.push(watchPosition((fix) => this.place.moved(fix)));
  }

  private set(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    if (!this.over) this.listener(this.view);
  }

  private toast(toast: Toast): void {
    clearTimeout(this.toastTimer);
    this.set({ toast });
    this.toastTimer = setTimeout(() => this.set({ toast: null }), TOAST_MS);
  }

  private who = (): string => this.view.staff?.split(' ')[0] ?? '';

  private linkChanged(link: View['link']): void {
    this.set({ link });
    if (link !== 'live') return;
    this.tellCaps();
    void this.frozen.refresh();
  }

  private staffChanged(staff: string | null): void {
    const came = staff !== null && this.view.staff === null;
    this.set({ staff });
    if (came) this.tellAll();
  }

  /** For somebody who has just joined. */
  private tellAll(): void {
    this.tellCaps();
    this.place.repeat();
    this.connection.repeat();
    if (this.view.cameraPaused) this.room.send({ t: 'pause-video', on: true });
  }

  private joined(answer: JoinAnswer): void {
    this.record(answer.recording);
    this.set({ chat: mergeChat(this.view.chat, answer.chat ?? []) });
  }

  private record(state: RecordingState | null): void {
    this.set({
      recording: { state: state?.state ?? 'idle', elapsedMs: state?.elapsedMs ?? 0, since: performance.now() },
    });
  }

  // --- what the adjuster asks for ---

  private obey(message: Incoming, sender: string | null): void {
    switch (message.t) {
      case 'still':
        void this.photos.take(message.id, this.view.cameraPaused);
        break;
      case 'camera':
        void this.switchCamera(message.facing);
        break;
      case 'torch':
        void this.torch(message.on, sender);
        break;
      case 'zoom':
        void this.camera.setZoom(message.value).then(() => this.tellCaps());
        break;
      case 'caps?':
        this.tellCaps();
        break;
      case 'recording':
        this.record(message);
        break;
      case 'chat':
        this.set({ chat: mergeChat(this.view.chat, [message.message]) });
        break;
      case 'closed':
        this.options.send({ type: 'CLOSED' });
        break;
      case 'frozen':
        void this.frozen.refresh();
        break;
      case 'media':
        break;
    }
  }

  private tellCaps(): void {
    const caps = this.camera.caps();
    this.room.send({ t: 'caps', ...caps, userAgent: displayNames(this.options.browser) });
    this.set({
      torch: caps.torch === true,
      torchOn: caps.torchOn,
      canFlip: caps.cameras > 1,
      mirrored: caps.facing === 'user',
    });
  }

  private async cameraChanged(track: MediaStreamTrack): Promise<void> {
    this.set({ camera: track });
    this.care.attach();
    await this.room.swapCamera(track);
  }

  private async switchCamera(facing: Facing | 'flip'): Promise<void> {
    if (!held.camera) return;
    this.set({ flipping: true });
    const done = await (facing === 'flip' ? this.camera.flip() : this.camera.switchTo(facing));
    this.set({ flipping: false, camera: held.camera });
    if (!done) {
      this.toast({ key: 'call_flip_failed', tone: 'bad' });
      this.room.send({ t: 'problem', reason: 'CAMERA_SWITCH_FAILED' });
    }
    this.tellCaps();
  }

  private async torch(on: boolean, by: string | null): Promise<void> {
    const done = await this.camera.setTorch(on);
    this.tellCaps();
    if (done && on && by !== null) {
      this.toast({ key: 'call_torch_by', values: { who: by.split(' ')[0] }, action: 'torchOff', tone: 'plain' });
    }
  }

  // --- what the person does ---

  toggleMute = async () => {
    const muted = !this.view.muted;
    this.set({ muted });
    await this.room.setMuted(muted);
  };

  togglePause = async () => {
    const cameraPaused = !this.view.cameraPaused;
    this.set({ cameraPaused });
    await this.room.setPaused(cameraPaused);
    this.room.send({ t: 'pause-video', on: cameraPaused });
  };

  flip = () => this.switchCamera('flip');

  toggleTorch = () => this.torch(!this.view.torchOn, null);

  refuseTorch = async () => {
    this.set({ toast: null });
    await this.torch(false, null);
    this.room.send({ t: 'problem', reason: 'TORCH_REFUSED' });
  };

  turnOn = async (kind: 'camera' | 'microphone') => {
    try {
      const report = (type: string, data: Record<string, unknown>) =>
        void api.track(this.options.hash, this.options.clientKey, type, data);
      const track = await askInCall(kind, kind === 'camera' ? openCamera : openMicrophone, report);
      this.care.attach();
      if (kind === 'camera') {
        this.set({ camera: track });
        await this.room.publishCamera();
        await this.camera.chooseMain();
        this.tellCaps();
      } else {
        this.set({ microphone: true, muted: false });
        await this.room.publishMicrophone();
      }
    } catch {
      this.toast({ key: kind === 'camera' ? 'call_camera_failed' : 'call_mic_failed', tone: 'bad' });
    }
  };

  sendChat = async (text: string): Promise<boolean> => {
    try {
      const { message } = await api.sendChat(this.options.hash, this.options.clientKey, text);
      this.set({ chat: mergeChat(this.view.chat, [message]) });
      return true;
    } catch {
      return false;
    }
  };

  photoChosen = (file: File | null) => this.photos.chosen(file);
  startSound = () => this.room.startSound();
  retry = () => this.room.hurry();
  backToCall = () => this.set({ pictures: false });
  rejoin = () => void this.room.connect('connecting');
  askAgain = () => void this.room.connect('connecting', true);

  resume = () => this.care.resume();
}
