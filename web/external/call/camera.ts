/** The phone's camera during the call: lens, torch, zoom. Everything that touches it goes through one queue. */
import { CAMERA, held } from '../devices';
import { showsPicture } from './frames';
import { betterThan, facingOf, type Lens, nextLens, rankRear } from './lens';
import type { Facing } from './messages';

/** What is not yet in TypeScript's DOM types. */
interface ExtraCapabilities {
  torch?: boolean;
  zoom?: { min: number; max: number; step: number };
  facingMode?: string[];
}
interface ExtraSettings {
  torch?: boolean;
  zoom?: number;
}

export interface Caps {
  facing: 'environment' | 'user' | null;
  torch: boolean | null;
  torchOn: boolean;
  zoom: { min: number; max: number; step: number; value: number } | null;
  cameras: number;
  label: string;
  takePhoto: boolean;
}

function capabilities(track: MediaStreamTrack): MediaTrackCapabilities & ExtraCapabilities {
  return track.getCapabilities?.() ?? {};
}

export class CameraControl {
  private queue: Promise<unknown> = Promise.resolve();
  /** Torch and zoom as requested; set again after anything that resets them. */
  private extras: { torch?: boolean; zoom?: number } = {};
  private lenses: Lens[] = [];

  /** `swap` puts a new track on the wire and on the screen. */
  constructor(private readonly swap: (track: MediaStreamTrack) => Promise<void>) {}

  get track(): MediaStreamTrack | null {
    return held.camera;
  }

  /** One at a time: WebKit and some Androids fail when a photo and a constraint overlap. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const next = this.queue.then(work, work);
    this.queue = next.catch(() => undefined);
    return next;
  }

  async listLenses(): Promise<Lens[]> {
    const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
    this.lenses = devices
      .filter((device) => device.kind === 'videoinput')
      .map((device) => {
        const can: ExtraCapabilities = 'getCapabilities' in device ? (device as InputDeviceInfo).getCapabilities() : {};
        return {
          deviceId: device.deviceId,
          label: device.label,
          facing: facingOf(device.label, can.facingMode),
          torch: null,
        };
      });
    return this.lenses;
  }

  private current(): Lens | undefined {
    const id = this.track?.getSettings().deviceId;
    const lens = this.lenses.find((each) => each.deviceId === id);
    return lens && this.track ? { ...lens, torch: capabilities(this.track).torch === true } : lens;
  }

  /** After the permission: leaves an ultra-wide or front lens for the main rear one. */
  chooseMain(): Promise<void> {
    return this.run(async () => {
      await this.listLenses();
      const current = this.current();
      const rear = rankRear(this.lenses);
      const better = betterThan(current, rear);
      if (better && (better.facing === 'environment' || current?.facing === 'user'))
        await this.openOneOf([{ deviceId: { exact: better.deviceId } }]);
    });
  }

  /** Switches the lens; false when no other could be opened (the previous one is back then). */
  switchTo(facing: Facing): Promise<boolean> {
    return this.run(async () => {
      await this.listLenses();
      const byId = (lens: Lens): MediaTrackConstraints => ({ deviceId: { exact: lens.deviceId } });
      if (facing === 'next') {
        const next = nextLens(this.track?.getSettings().deviceId, this.lenses);
        return next ? this.openOneOf([byId(next)]) : false;
      }
      const ranked =
        facing === 'environment' ? rankRear(this.lenses) : this.lenses.filter((lens) => lens.facing === 'user');
      return this.openOneOf([
        ...ranked.slice(0, 1).map(byId),
        { facingMode: { exact: facing } },
        ...ranked.slice(1).map(byId),
      ]);
    });
  }

  /** Front ↔ rear, or simply the next camera when none says where it looks. */
  flip(): Promise<boolean> {
    const facing = this.current()?.facing ?? facingOf('', [this.track?.getSettings().facingMode ?? '']);
    if (facing === null) return this.switchTo('next');
    return this.switchTo(facing === 'user' ? 'environment' : 'user');
  }

  private async openOneOf(choices: MediaTrackConstraints[]): Promise<boolean> {
    const previous = this.track?.getSettings().deviceId;
    // Most phones cannot open two lenses at once: the old one is closed first.
    this.track?.stop();
    const { facingMode: _, ...size } = CAMERA;
    for (const choice of choices) {
      const track = await this.tryOpen({ ...size, ...choice });
      if (track) {
        await this.adopt(track);
        return track.getSettings().deviceId !== previous || !previous;
      }
    }
    const back = await this.tryOpen(previous ? { ...size, deviceId: { ideal: previous } } : CAMERA, false);
    if (back) await this.adopt(back);
    return false;
  }

  private async tryOpen(video: MediaTrackConstraints, check = true): Promise<MediaStreamTrack | null> {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ video });
      const track = stream.getVideoTracks()[0];
      if (!track) return null;
      if (!check || (await showsPicture(track))) return track;
      track.stop();
    } catch {
      // Try the next choice; the last one is the lens that worked before.
    }
    return null;
  }

  private async adopt(track: MediaStreamTrack): Promise<void> {
    held.camera = track;
    this.extras = {};
    await this.swap(track);
  }

  setTorch(on: boolean): Promise<boolean> {
    return this.run(async () => {
      if (!this.track || !capabilities(this.track).torch) return false;
      return this.applyExtras({ ...this.extras, torch: on });
    });
  }

  setZoom(value: number): Promise<boolean> {
    return this.run(async () => {
      const range = this.track && capabilities(this.track).zoom;
      if (!range) return false;
      return this.applyExtras({ ...this.extras, zoom: Math.min(range.max, Math.max(range.min, value)) });
    });
  }

  private async applyExtras(extras: { torch?: boolean; zoom?: number }): Promise<boolean> {
    const { track } = this;
    if (!track) return false;
    const { advanced: _, ...size } = track.getConstraints();
    const advanced = [extras as MediaTrackConstraintSet];
    try {
      // Safari loses the size unless it is repeated; Chrome refuses both together and keeps the size by itself.
      await track.applyConstraints({ ...size, advanced }).catch(() => track.applyConstraints({ advanced }));
      this.extras = extras;
      return true;
    } catch {
      return false;
    }
  }

  /** A photo may leave the torch dark or the zoom reset: sets again what was on. Called inside `run`. */
  async restoreExtras(): Promise<void> {
    if (Object.keys(this.extras).length) await this.applyExtras(this.extras);
  }

  caps(): Caps {
    const track = this.track;
    const can = track ? capabilities(track) : {};
    const now: MediaTrackSettings & ExtraSettings = track?.getSettings() ?? {};
    const facing = this.current()?.facing ?? facingOf(track?.label ?? '', [now.facingMode ?? '']);
    const zoom =
      can.zoom && can.zoom.max > can.zoom.min ? { ...pick(can.zoom), value: now.zoom ?? can.zoom.min } : null;
    return {
      facing,
      torch: track ? can.torch === true : null,
      torchOn: this.extras.torch === true,
      zoom,
      cameras: this.lenses.length,
      label: track?.label ?? '',
      takePhoto: 'ImageCapture' in globalThis,
    };
  }
}

function pick({ min, max, step }: { min: number; max: number; step: number }) {
  return { min, max, step };
}
