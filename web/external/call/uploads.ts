/**
 * Photos on their way to the server. Each is stored on the phone before it is sent, retried with growing delays, and
 * resumed after a reload, a dead battery or a closed call (CLIENT-19). The server accepts the same `captureId` only once.
 */
import { type Signed, signStill } from '../device-key';
import type { UploadProgress } from '../screens/after';
import { announcePhoto, type Outcome, sendPhoto } from './upload-send';
import { openStore, type Store } from './upload-store';

export interface PhotoMeta {
  captureId: string;
  method: 'takePhoto' | 'frame' | 'file';
  /** RFC 3339, UTC, by the phone's clock. */
  capturedAt: string;
  width: number;
  height: number;
  latitude?: number;
  longitude?: number;
  /** Metres. */
  accuracy?: number;
  lens?: string;
  zoom?: number;
  mime: string;
  /** Made before it leaves the phone. */
  deviceKey?: string;
  deviceSignature?: string;
}

export interface Photo {
  captureId: string;
  hash: string;
  meta: PhotoMeta;
  blob: Blob;
  /** Milliseconds since 1970, to forget what is older than a month. */
  storedAt: number;
}

export interface PhotoEvent {
  captureId: string;
  state: 'uploading' | 'done' | 'failed';
  percent: number;
  mediaId?: string;
  reason?: string;
  method: PhotoMeta['method'];
}

/** Tells the server the hash of a photo that was just taken, so that it counts as taken in the call however late it arrives. */
export type Announce = (photo: Photo, clientKey: string) => Promise<unknown>;

/** The signature of this phone's own key over the bytes; nothing where it has none. */
export type Sign = (hash: string, meta: PhotoMeta, blob: Blob) => Promise<Signed>;

export type Send = (photo: Photo, clientKey: string, onPercent: (percent: number) => void) => Promise<Outcome>;

export interface Clock {
  now: () => number;
  /** Resolves after `ms`, or earlier when the network comes back. */
  pause: (ms: number) => Promise<void>;
}

const MONTH_MS = 30 * 86_400_000;

/** Milliseconds before try number `tries` + 1: 1 s, 2 s, 4 s … at most 30 s. */
export function backOff(tries: number): number {
  return Math.min(30_000, 1000 * 2 ** tries);
}

export class UploadQueue {
  private waiting: Photo[] = [];
  private key: { hash: string; clientKey: string } | null = null;
  private working = false;
  private percent = 0;
  private failed = 0;
  private listeners = new Set<(progress: UploadProgress) => void>();
  private watchers = new Set<(event: PhotoEvent) => void>();

  constructor(
    private readonly store: Store,
    private readonly send: Send,
    private readonly clock: Clock,
    private readonly announce: Announce = async () => undefined,
    private readonly sign: Sign = async () => ({}),
  ) {}

  /** Resumes what an earlier page left behind. */
  async start(hash: string, clientKey: string): Promise<void> {
    this.key = { hash, clientKey };
    const known = new Set(this.waiting.map((photo) => photo.captureId));
    for (const photo of await this.store.all()) {
      if (this.clock.now() - photo.storedAt > MONTH_MS) await this.store.remove(photo.captureId);
      else if (photo.hash === hash && !known.has(photo.captureId)) this.waiting.push(photo);
    }
    this.tell();
    void this.work();
  }

  async add(taken: PhotoMeta, blob: Blob): Promise<void> {
    const { key } = this;
    if (!key) throw new Error('the queue has not been started');
    const meta = { ...taken, ...(await this.sign(key.hash, taken, blob)) };
    const photo: Photo = { captureId: meta.captureId, hash: key.hash, meta, blob, storedAt: this.clock.now() };
    this.waiting.push(photo);
    // The bytes may take minutes; the few of the hash go first, and nothing waits for them.
    void this.announce(photo, key.clientKey).catch(() => undefined);
    // With a full or forbidden store, photos only fail to survive a reload.
    await this.store.put(photo).catch(() => undefined);
    this.tell();
    void this.work();
  }

  subscribe(listener: (progress: UploadProgress) => void): () => void {
    this.listeners.add(listener);
    listener(this.progress());
    return () => this.listeners.delete(listener);
  }

  /** Each photo's own fate, for the adjuster's screen. */
  watch(watcher: (event: PhotoEvent) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  progress(): UploadProgress {
    return { pending: this.waiting.length, percent: this.percent, failed: this.failed };
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this.progress());
  }

  private event(photo: Photo, event: Omit<PhotoEvent, 'captureId' | 'method'>): void {
    this.percent = event.state === 'uploading' ? event.percent : 0;
    for (const watcher of this.watchers) watcher({ captureId: photo.captureId, method: photo.meta.method, ...event });
    this.tell();
  }

  private async work(): Promise<void> {
    if (this.working) return;
    this.working = true;
    let tries = 0;
    for (let photo = this.waiting[0]; photo && this.key; photo = this.waiting[0]) {
      const now = photo;
      this.event(now, { state: 'uploading', percent: 0 });
      const outcome = await this.send(now, this.key.clientKey, (percent) =>
        this.event(now, { state: 'uploading', percent }),
      );
      if (outcome.kind === 'retry') {
        await this.clock.pause(backOff(tries++));
        continue;
      }
      tries = 0;
      await this.store.remove(now.captureId).catch(() => undefined);
      this.waiting.shift();
      if (outcome.kind === 'refused') this.failed++;
      this.event(
        now,
        outcome.kind === 'done'
          ? { state: 'done', percent: 100, mediaId: outcome.mediaId }
          : { state: 'failed', percent: 0, reason: outcome.code },
      );
    }
    this.working = false;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
  });
}

/** The page's one queue. */
export const uploads = new UploadQueue(
  openStore(),
  sendPhoto,
  { now: () => Date.now(), pause },
  announcePhoto,
  signStill,
);
