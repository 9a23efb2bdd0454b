/**
 * Runs the queue: stores each file on the phone before sending it, sends one after another, retries after a cut, and
 * continues at the next visit where the last one stopped (FILES-15). Loaded after the first paint.
 */
import type { FilesInfo } from './model';
import { advance, backOff, EMPTY, type Entry, nextToSend, type Queue, type QueueEvent, waitFor } from './queue';
import type { Kept, Store } from './store';
import type { Outcome, Try } from './tus';

export interface World {
  store: Store;
  send: (work: Try) => Promise<Outcome>;
  /** The request as the server sees it now; asked when an answer got lost. */
  look: () => Promise<FilesInfo>;
  sendPreview: (mediaId: string, preview: Blob) => Promise<void>;
  now: () => number;
  /** Resolves after `ms`, or earlier when the network comes back. */
  pause: (ms: number) => Promise<void>;
}

export interface Chosen {
  itemId: string;
  name: string;
  type: string;
  blob: Blob;
  capturedAt: string;
  width: number;
  height: number;
  preview: Blob | null;
}

const MONTH_MS = 30 * 86_400_000;
const PREVIEW_TRIES = 3;

export class Sending {
  queue: Queue = EMPTY;
  private working = false;
  private stopped = false;
  private readonly previews = new Map<string, Blob>();

  constructor(
    readonly token: string,
    private readonly endpoint: string,
    private readonly world: World,
    private readonly tell: (queue: Queue, event: QueueEvent) => void,
    /** The whole request takes no more files. */
    private readonly closed: (code: string) => void,
  ) {}

  /** Resumes what an earlier visit left behind. */
  async start(): Promise<void> {
    for (const { entry, preview } of await this.world.store.all(this.token)) {
      const over = entry.state === 'accepted' || entry.state === 'refused';
      if (over || this.world.now() - entry.storedAt > MONTH_MS) {
        await this.world.store.remove(entry.key);
        continue;
      }
      if (preview) this.previews.set(entry.key, preview);
      this.on({ type: 'ADD', entry: { ...entry, state: 'waiting', tries: 0, retryAt: 0 } });
    }
    void this.work();
  }

  async add(key: string, chosen: Chosen): Promise<void> {
    const { blob, preview, ...about } = chosen;
    const fresh = { state: 'waiting', sent: 0, url: null, code: null, mediaId: null, tries: 0, retryAt: 0 } as const;
    const entry: Entry = { ...about, key, size: blob.size, kept: false, storedAt: this.world.now(), ...fresh };
    const kept: Kept = { entry, token: this.token, preview };
    if (preview) this.previews.set(key, preview);
    const stays = await this.world.store.put(kept, blob);
    this.on({ type: 'ADD', entry });
    if (stays) this.on({ type: 'KEPT', key });
    void this.work();
  }

  /** A file that is refused before it is sent: shown, but not stored. */
  refuse(key: string, itemId: string, file: File, code: string): void {
    const { name, type, size } = file;
    const nothing = { capturedAt: '', width: 0, height: 0, kept: false, sent: 0, url: null, mediaId: null } as const;
    const rest = { tries: 0, retryAt: 0, storedAt: this.world.now(), state: 'waiting', code: null } as const;
    this.on({ type: 'ADD', entry: { key, itemId, name, type, size, ...nothing, ...rest } });
    this.on({ type: 'REFUSED', key, code });
  }

  async forget(key: string): Promise<void> {
    this.on({ type: 'FORGET', key });
    this.previews.delete(key);
    await this.world.store.remove(key);
  }

  online(): void {
    this.on({ type: 'ONLINE' });
    void this.work();
  }

  offline(): void {
    this.on({ type: 'OFFLINE' });
  }

  /** Stops after the current try; stored files stay for the next visit. */
  stop(): void {
    this.stopped = true;
  }

  private on(event: QueueEvent): void {
    if (this.stopped) return;
    this.queue = advance(this.queue, event);
    this.tell(this.queue, event);
  }

  private async work(): Promise<void> {
    if (this.working) return;
    this.working = true;
    while (!this.stopped) {
      const entry = nextToSend(this.queue, this.world.now());
      if (entry) {
        await this.once(entry);
        continue;
      }
      const wait = waitFor(this.queue, this.world.now());
      if (wait === null) break;
      await this.world.pause(Math.max(wait, 50));
    }
    this.working = false;
  }

  private find(key: string): Entry | undefined {
    return this.queue.entries.find((entry) => entry.key === key);
  }

  private async save(key: string): Promise<void> {
    const entry = this.find(key);
    if (entry && !this.stopped) await this.world.store.update(entry);
  }

  private async once(entry: Entry): Promise<void> {
    const { key } = entry;
    this.on({ type: 'STARTED', key });
    const blob = await this.world.store.blob(key).catch(() => null);
    if (!blob || blob.size !== entry.size) {
      await this.settle({ type: 'REFUSED', key, code: 'FILE_LOST' });
      return;
    }
    const outcome = await this.world.send({
      entry,
      blob,
      endpoint: this.endpoint,
      onUrl: (url) => {
        this.on({ type: 'URL', key, url });
        void this.save(key);
      },
      onSent: (bytes) => this.on({ type: 'SENT', key, bytes }),
    });
    if (!this.stopped) await this.take(key, outcome);
  }

  private async take(key: string, outcome: Outcome): Promise<void> {
    switch (outcome.kind) {
      case 'accepted':
        await (outcome.mediaId ? this.accept(key, outcome.mediaId) : this.ask(key));
        return;
      case 'refused':
        await this.settle({ type: 'REFUSED', key, code: outcome.code });
        return;
      case 'closed':
        this.cut(key);
        this.stopped = true;
        this.closed(outcome.code);
        return;
      case 'anew':
        this.on({ type: 'URL', key, url: null });
        this.cut(key);
        await this.save(key);
        return;
      case 'again':
        this.cut(key);
    }
  }

  private cut(key: string): void {
    this.on({ type: 'CUT', key, now: this.world.now() });
  }

  private async accept(key: string, mediaId: string | null): Promise<void> {
    const preview = this.previews.get(key);
    await this.settle({ type: 'DONE', key, mediaId });
    if (preview && mediaId) await this.accompany(mediaId, preview);
    this.previews.delete(key);
  }

  /** The small copy only helps to view the file, so it gets a few tries and no more. */
  private async accompany(mediaId: string, preview: Blob): Promise<void> {
    for (let tries = 0; tries < PREVIEW_TRIES && !this.stopped; tries++) {
      if (tries) await this.world.pause(backOff(tries));
      const sent = await this.world.sendPreview(mediaId, preview).then(
        () => true,
        () => false,
      );
      if (sent) return;
    }
  }

  private async settle(event: Extract<QueueEvent, { type: 'DONE' | 'REFUSED' }>): Promise<void> {
    await this.world.store.remove(event.key);
    this.on(event);
  }

  /** All bytes had arrived already: the last answer was lost. */
  private async ask(key: string): Promise<void> {
    try {
      const found = (await this.world.look()).uploads.find((upload) => upload.uploadKey === key);
      if (found?.state === 'refused') {
        await this.settle({ type: 'REFUSED', key, code: found.code ?? 'FILE_TYPE_NOT_SUPPORTED' });
      } else if (found?.state === 'running') {
        this.cut(key);
      } else {
        await this.accept(key, found?.mediaId ?? null);
      }
    } catch {
      this.cut(key);
    }
  }
}

/** Waits, but ends early when the network is back. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      removeEventListener('online', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    addEventListener('online', over);
  });
}
