import type { CallSession } from './session';
import { type Readable, Store } from './store';

export type DeviceKind = 'audioinput' | 'videoinput' | 'audiooutput';
export interface Device {
  id: string;
  label: string;
}

export type OwnDevice = 'microphone' | 'camera' | 'screen';

export interface DevicesState {
  audioinput: Device[];
  videoinput: Device[];
  audiooutput: Device[];
  active: Partial<Record<DeviceKind, string>>;
  microphoneOn: boolean;
  cameraOn: boolean;
  screenOn: boolean;
  /** What is being switched right now; its button waits, the others do not: whoever mutes is muted at once. */
  busy: readonly OwnDevice[];
}

/** Stable codes for what a browser answers to getUserMedia and getDisplayMedia. */
export type DeviceError =
  | 'MICROPHONE_DENIED'
  | 'CAMERA_DENIED'
  | 'MICROPHONE_NOT_FOUND'
  | 'CAMERA_NOT_FOUND'
  | 'MICROPHONE_IN_USE'
  | 'CAMERA_IN_USE'
  | 'SCREEN_DENIED'
  | 'SCREEN_FAILED'
  | 'DEVICE_FAILED';

export interface MediaDevicesPort {
  enumerateDevices(): Promise<ReadonlyArray<Pick<MediaDeviceInfo, 'deviceId' | 'kind' | 'label'>>>;
  addEventListener(type: 'devicechange', listener: () => void): void;
  removeEventListener(type: 'devicechange', listener: () => void): void;
}

export function deviceError(error: unknown, what: OwnDevice): DeviceError {
  const name = error instanceof Error ? error.name : '';
  const upper = what === 'microphone' ? 'MICROPHONE' : 'CAMERA';
  if (what === 'screen') {
    return name === 'NotAllowedError' || name === 'AbortError' ? 'SCREEN_DENIED' : 'SCREEN_FAILED';
  }
  if (name === 'NotAllowedError' || name === 'SecurityError') return `${upper}_DENIED`;
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return `${upper}_NOT_FOUND`;
  if (name === 'NotReadableError' || name === 'AbortError') return `${upper}_IN_USE`;
  return 'DEVICE_FAILED';
}

const KINDS: readonly DeviceKind[] = ['audioinput', 'videoinput', 'audiooutput'];

/** The adjuster's own microphone, camera and screen. */
export class Devices {
  private readonly store: Store<DevicesState>;
  private readonly stop: Array<() => void> = [];

  constructor(
    private readonly session: CallSession,
    private readonly media: MediaDevicesPort | undefined,
  ) {
    this.store = new Store<DevicesState>({
      audioinput: [],
      videoinput: [],
      audiooutput: [],
      active: {},
      microphoneOn: false,
      cameraOn: false,
      screenOn: false,
      busy: [],
    });
    this.stop.push(session.people.subscribe(() => this.follow()));
    const changed = () => void this.enumerate();
    media?.addEventListener('devicechange', changed);
    this.stop.push(() => media?.removeEventListener('devicechange', changed));
  }

  get state(): Readable<DevicesState> {
    return this.store;
  }

  /** Fills the lists. Labels are empty until the browser was allowed to use a device once. */
  async enumerate(): Promise<void> {
    if (!this.media) return;
    const found = await this.media.enumerateDevices();
    const of = (kind: DeviceKind): Device[] =>
      found
        .filter((one) => one.kind === kind && one.deviceId !== '')
        .map((one) => ({ id: one.deviceId, label: one.label }));
    const active: DevicesState['active'] = {};
    for (const kind of KINDS) active[kind] = this.session.room.getActiveDevice(kind);
    this.store.update((state) => ({
      ...state,
      audioinput: of('audioinput'),
      videoinput: of('videoinput'),
      audiooutput: of('audiooutput'),
      active,
    }));
  }

  microphone = (on: boolean): Promise<DeviceError | null> =>
    this.toggle('microphone', on, () => this.session.room.localParticipant.setMicrophoneEnabled(on));

  camera = (on: boolean): Promise<DeviceError | null> =>
    this.toggle('camera', on, () => this.session.room.localParticipant.setCameraEnabled(on));

  screen = (on: boolean): Promise<DeviceError | null> =>
    this.toggle('screen', on, () => this.session.room.localParticipant.setScreenShareEnabled(on));

  async choose(kind: DeviceKind, id: string): Promise<DeviceError | null> {
    try {
      await this.session.room.switchActiveDevice(kind, id);
      await this.enumerate();
      return null;
    } catch (error) {
      return deviceError(error, kind === 'videoinput' ? 'camera' : 'microphone');
    }
  }

  dispose(): void {
    for (const off of this.stop) off();
  }

  private async toggle(what: OwnDevice, on: boolean, run: () => Promise<unknown>): Promise<DeviceError | null> {
    if (this.store.get().busy.includes(what)) return null;
    this.store.update((state) => ({ ...state, busy: [...state.busy, what] }));
    try {
      await run();
      if (what !== 'screen') this.session.want(what, on);
      if (on) await this.enumerate();
      return null;
    } catch (error) {
      return deviceError(error, what);
    } finally {
      this.store.update((state) => ({ ...state, busy: state.busy.filter((one) => one !== what) }));
      this.follow();
    }
  }

  private follow(): void {
    const me = this.session.people.get().me;
    const on = (view: { muted: boolean } | null | undefined) => Boolean(view && !view.muted);
    const next = {
      microphoneOn: on(me?.microphone),
      cameraOn: on(me?.camera),
      screenOn: on(me?.screen),
    };
    this.store.update((state) =>
      state.microphoneOn === next.microphoneOn && state.cameraOn === next.cameraOn && state.screenOn === next.screenOn
        ? state
        : { ...state, ...next },
    );
  }
}
