/** The adjuster's requests for a photo, from the shutter to the server. */
import { held } from '../devices';
import type { CameraControl } from './camera';
import type { Place } from './place';
import { type Method, sizeOf, takeStill } from './still';
import { type PhotoEvent, uploads } from './uploads';
import type { View } from './view';

const SHOWN_MS = 6000;

export class Photos {
  private readonly asked = new Set<string>();
  private waiting: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly camera: CameraControl,
    private readonly place: Place,
    private readonly positionSettled: () => Promise<void>,
    private readonly quietly: <T>(work: () => Promise<T>) => Promise<T>,
    private readonly tell: (message: { t: string } & Record<string, unknown>) => void,
    private readonly show: (change: Partial<View>) => void,
  ) {}

  /** Takes a still; without a working camera the phone's own camera app is offered. A repeated request is ignored. */
  async take(id: string, paused: boolean): Promise<void> {
    if (this.asked.has(id)) return;
    this.asked.add(id);
    this.tell({ t: 'still-progress', id, state: 'capturing', percent: 0 });
    if (paused || held.camera?.readyState !== 'live') {
      this.offerApp(id);
      return;
    }
    clearTimeout(this.timer);
    this.show({ still: { state: 'capturing', percent: 0 } });
    const still = await this.camera.run(async () => {
      const taken = held.camera && (await takeStill(held.camera, this.quietly));
      await this.camera.restoreExtras();
      return taken;
    });
    if (still) await this.send(id, still.blob, still.method, still, new Date().toISOString());
    else this.offerApp(id);
  }

  private offerApp(id: string): void {
    if (this.waiting) this.fail(this.waiting, 'CAPTURE_FAILED');
    this.waiting = id;
    this.show({ still: null, askPhoto: id });
  }

  private fail(id: string, reason: string): void {
    this.asked.delete(id);
    this.tell({ t: 'still-progress', id, state: 'failed', percent: 0, reason });
  }

  /** The phone's own camera app brought a picture, or the person said "not now" (`null`). */
  async chosen(file: File | null): Promise<void> {
    const id = this.waiting;
    if (!id) return;
    this.waiting = null;
    this.show({ askPhoto: null });
    if (!file) {
      this.fail(id, 'DECLINED');
      return;
    }
    const size = await sizeOf(file).catch(() => ({ width: 0, height: 0 }));
    await this.send(id, file, 'file', size, new Date(file.lastModified || Date.now()).toISOString());
  }

  private async send(
    captureId: string,
    blob: Blob,
    method: Method,
    { width, height }: { width: number; height: number },
    capturedAt: string,
  ): Promise<void> {
    const { label, zoom } = this.camera.caps();
    await this.positionSettled();
    const { last } = this.place;
    const where = last && { latitude: last.latitude, longitude: last.longitude, accuracy: last.accuracy };
    // The phone's own camera app does not say which lens it used.
    const how = method === 'file' ? {} : { lens: label || undefined, zoom: zoom?.value };
    const mime = blob.type || 'image/jpeg';
    await uploads.add({ captureId, method, capturedAt, width, height, ...where, ...how, mime }, blob);
  }

  /** Progress of an upload, for the adjuster and for the screen. */
  moved({ captureId, ...rest }: PhotoEvent): void {
    this.tell({ t: 'still-progress', id: captureId, ...rest });
    clearTimeout(this.timer);
    this.show({ still: { state: rest.state, percent: rest.percent } });
    if (rest.state !== 'uploading') this.timer = setTimeout(() => this.show({ still: null }), SHOWN_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
