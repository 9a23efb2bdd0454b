/**
 * What a phone does to a call by itself, and the way back: a telephone call, the lock screen, another application that takes
 * the camera, a headset that goes, the phone turned. What heals by itself is healed; for the rest the person is asked for a tap.
 */
import { held, openCamera, openMicrophone } from '../devices';
import type { CameraControl } from './camera';
import type { MediaRoom } from './media-room';
import type { View } from './view';
import { type Interruption, interruptionOf, PATIENCE_MS, watchDevices } from './watch';

/** Safari 16.4; not yet in TypeScript's DOM types. */
interface AudioSession extends EventTarget {
  type: string;
  state?: 'inactive' | 'active' | 'interrupted';
}
const audioSession = () => (navigator as { audioSession?: AudioSession }).audioSession;

/** A plug that goes in or out is reported several times. Milliseconds. */
const SETTLE_MS = 500;
const RELOADED = 'atalaya-client-reloaded';

export interface CareHost {
  room: Pick<MediaRoom, 'send' | 'prove' | 'startSound' | 'swapMicrophone' | 'publishMicrophone' | 'publishCamera'>;
  camera: Pick<CameraControl, 'chooseMain' | 'run'>;
  cameraChanged: (track: MediaStreamTrack) => Promise<void>;
  set: (change: Partial<View>) => void;
  failed: () => void;
  tellCaps: () => void;
}

type Wanted = { camera: boolean; microphone: boolean };

export class Care {
  private watch: ReturnType<typeof watchDevices> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly stops: (() => void)[] = [];
  private healing = false;
  private over = false;

  constructor(private readonly host: CareHost) {}

  start(): void {
    const { room } = this.host;
    this.watch = watchDevices(() => this.state(), {
      lost: (why) => void this.lost(why),
      found: () => this.recovered(),
      hidden: () => room.send({ t: 'problem', reason: 'HIDDEN' }),
      shown: () => {
        if (!interruptionOf(this.state())) this.recovered();
      },
    });
    this.stops.push(this.watch.stop);
    this.listen(navigator.mediaDevices, 'devicechange', () => this.plugged());
    this.listen(globalThis.screen?.orientation, 'change', () => this.turned());
    const session = audioSession();
    if (session) {
      // Without this Safari may play the voice through the ear piece, and a Bluetooth headset hears music quality without microphone.
      session.type = 'play-and-record';
      this.listen(session, 'statechange', () => this.watch?.check());
      this.stops.push(() => {
        session.type = 'auto';
      });
    }
    this.attach();
  }

  stop(): void {
    this.over = true;
    clearTimeout(this.timer);
    for (const stop of this.stops) stop();
  }

  attach(): void {
    for (const track of [held.camera, held.microphone]) if (track) this.watch?.attach(track);
  }

  /** From a tap: both devices are opened anew; if they are still dead, the whole page is reloaded, once. */
  resume = async () => {
    this.host.set({ interrupted: null });
    await this.reopen({ camera: held.camera !== null, microphone: held.microphone !== null }).catch(this.host.failed);
    this.recovered();
    setTimeout(() => this.reloadIfDead(), PATIENCE_MS);
  };

  private listen(target: EventTarget | null | undefined, name: string, work: () => void): void {
    target?.addEventListener?.(name, work);
    this.stops.push(() => target?.removeEventListener?.(name, work));
  }

  private state() {
    const taken = audioSession()?.state === 'interrupted';
    const visible = document.visibilityState === 'visible';
    return { camera: stateOf(held.camera), microphone: stateOf(held.microphone), visible, taken };
  }

  /** A track that ended never comes back, but may be opened again without a tap; a muted one is in the system's hands. */
  private async lost(why: Exclude<Interruption, null>): Promise<void> {
    const { room, set } = this.host;
    if (this.healing) return;
    if (await this.heal()) return;
    if (this.over || !interruptionOf(this.state())) return;
    set({ interrupted: why });
    room.send({ t: 'problem', reason: why });
  }

  /** Opens again what has ended; true when the call is whole afterwards. */
  private async heal(): Promise<boolean> {
    if (this.healing) return false;
    this.healing = true;
    try {
      // A lens that is being changed has ended for a moment, and comes by itself.
      await this.host.camera.run(async () => undefined);
      const ended = (track: MediaStreamTrack | null) => track?.readyState === 'ended';
      const wanted = { camera: ended(held.camera), microphone: ended(held.microphone) };
      if (!(wanted.camera || wanted.microphone)) return false;
      await this.reopen(wanted);
      if (interruptionOf(this.state())) return false;
      this.recovered();
      return true;
    } catch {
      return false;
    } finally {
      this.healing = false;
    }
  }

  private recovered(): void {
    if (this.over) return;
    const { room, set, tellCaps } = this.host;
    this.attach();
    set({ interrupted: null, camera: held.camera, microphone: held.microphone !== null });
    void room.startSound();
    room.send({ t: 'back' });
    tellCaps();
    room.prove();
  }

  /** A device that cannot be opened stays as it was, so that the next try knows that it is wanted. */
  private async reopen(wanted: Wanted): Promise<void> {
    const { room, camera, cameraChanged } = this.host;
    if (wanted.microphone) {
      held.microphone?.stop();
      await room.swapMicrophone(await openMicrophone());
      await room.publishMicrophone();
    }
    if (wanted.camera) {
      held.camera?.stop();
      await cameraChanged(await openCamera());
      await room.publishCamera();
      await camera.chooseMain();
    }
  }

  /** A headset was plugged in, or has gone. The system leads the sound; a microphone that went with it is replaced. */
  private plugged(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      if (this.over) return;
      if (await this.microphoneGone()) held.microphone?.stop();
      if (!(await this.heal()) && !this.over && !interruptionOf(this.state())) {
        void this.host.room.startSound();
        this.host.room.prove();
      }
    }, SETTLE_MS);
  }

  private async microphoneGone(): Promise<boolean> {
    const id = held.microphone?.getSettings().deviceId;
    if (!id || held.microphone?.readyState === 'ended') return false;
    const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
    const inputs = devices.filter(({ kind }) => kind === 'audioinput');
    // A list without ids says nothing: some browsers hide them.
    return inputs.some(({ deviceId }) => deviceId) && !inputs.some(({ deviceId }) => deviceId === id);
  }

  /** Width and height change places; some encoders take no frame after that. */
  private turned(): void {
    this.host.tellCaps();
    this.host.room.prove();
  }

  private reloadIfDead(): void {
    const why = interruptionOf({ ...this.state(), visible: true });
    if (this.over || !why) return;
    if (sessionStorage.getItem(RELOADED)) {
      this.host.set({ interrupted: why });
      return;
    }
    sessionStorage.setItem(RELOADED, '1');
    location.reload();
  }
}

const stateOf = (track: MediaStreamTrack | null): { muted: boolean; ended: boolean } | null =>
  track && { muted: track.muted, ended: track.readyState === 'ended' };
