/**
 * The promise of the page: whatever is cut, whenever the page is closed, each chosen file arrives once, byte for byte
 * (FILES-15). The real tus client speaks to a server in memory that loses connections at random (seeded, so that a
 * failure can be repeated).
 */
import type { HttpRequest, HttpResponse, HttpStack } from 'tus-js-client';
import { describe, expect, it } from 'vitest';
import { filesInfo, type ServerUpload } from './model';
import type { QueueEvent } from './queue';
import { type Chosen, Sending, type World } from './sending';
import { type Kept, memoryStore, type Store } from './store';
import { codeIn, sendOnce } from './tus';

function chance(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

interface Upload {
  id: string;
  key: string;
  size: number;
  bytes: Uint8Array;
  state: ServerUpload['state'];
}

/** What may go wrong, each as a probability. */
interface Weather {
  /** Nothing arrives. */
  deaf: number;
  /** All arrives, the answer does not. */
  mute: number;
  /** Some bytes of a PATCH arrive. */
  cut: number;
  /** The server has forgotten the upload. */
  lost: number;
}

const metadataOf = (header: string) =>
  Object.fromEntries(
    header
      .split(',')
      .map((pair) => pair.split(' '))
      .map(([name, value]) => [name, atob(value ?? '')]),
  );

class Server {
  uploads = new Map<string, Upload>();
  accepted: { key: string; bytes: Uint8Array }[] = [];
  calls = 0;

  constructor(
    private readonly random: () => number,
    private readonly weather: Weather,
  ) {}

  readonly stack: HttpStack = {
    getName: () => 'memory',
    createRequest: (method, url) => new Call(this, method, url),
  };

  private answer(status: number, headers: Record<string, string> = {}, code = ''): Answer {
    return new Answer(status, headers, code && JSON.stringify({ code }));
  }

  /** Throws where the network would. */
  async take(method: string, url: string, headers: Map<string, string>, body: Blob | null): Promise<Answer> {
    this.calls++;
    if (this.random() < this.weather.deaf) throw new Error('no connection');
    const answer = await this.handle(method, url.split('/').pop() ?? '', headers, body);
    if (this.random() < this.weather.mute) throw new Error('no answer');
    return answer;
  }

  private async handle(method: string, id: string, headers: Map<string, string>, body: Blob | null): Promise<Answer> {
    if (method === 'POST') return this.create(headers);
    // Read first: what follows happens in one go, as under the server's lock, for a closed page's last call may still
    // be under way.
    const bytes = new Uint8Array((await body?.arrayBuffer()) ?? new ArrayBuffer(0));
    const upload = this.uploads.get(id);
    if (upload?.state === 'running' && this.random() < this.weather.lost) this.uploads.delete(id);
    if (!upload || !this.uploads.has(id)) return this.answer(404, {}, 'UPLOAD_NOT_FOUND');
    const now = { 'upload-offset': String(upload.bytes.length), 'upload-length': String(upload.size) };
    if (method === 'HEAD') return this.answer(200, now);
    if (Number(headers.get('upload-offset')) !== upload.bytes.length) return this.answer(409, {}, 'UPLOAD_OFFSET');
    return this.append(upload, bytes);
  }

  private create(headers: Map<string, string>): Answer {
    const key = metadataOf(headers.get('upload-metadata') ?? '').uploadKey ?? '';
    const known = [...this.uploads.values()].find((upload) => upload.key === key);
    const size = Number(headers.get('upload-length'));
    const upload: Upload = known ?? { id: `u${this.calls}`, key, size, bytes: new Uint8Array(0), state: 'running' };
    this.uploads.set(upload.id, upload);
    return this.answer(201, { location: `/uploads/${upload.id}` });
  }

  private append(upload: Upload, bytes: Uint8Array): Answer {
    const cut = this.random() < this.weather.cut;
    const taken = cut ? bytes.subarray(0, Math.floor(this.random() * bytes.length)) : bytes;
    const all = new Uint8Array(upload.bytes.length + taken.length);
    all.set(upload.bytes);
    all.set(taken, upload.bytes.length);
    upload.bytes = all;
    if (cut) throw new Error('cut');
    const headers: Record<string, string> = { 'upload-offset': String(all.length) };
    if (all.length === upload.size && upload.state === 'running') {
      if (all[0] === 0xff) {
        upload.state = 'refused';
        return this.answer(422, {}, 'NOT_A_PICTURE');
      }
      upload.state = 'accepted';
      this.accepted.push({ key: upload.key, bytes: all });
      headers['upload-media'] = `m-${upload.id}`;
    }
    return this.answer(204, headers);
  }

  look() {
    const uploads = [...this.uploads.values()].map(({ id, key, size, bytes, state }): ServerUpload => {
      const code = state === 'refused' ? 'NOT_A_PICTURE' : null;
      const mediaId = state === 'accepted' ? `m-${id}` : null;
      return { _id: id, itemId: 'i1', uploadKey: key, mediaId, name: 'x', size, offset: bytes.length, state, code };
    });
    return filesInfo({ uploads });
  }
}

class Answer implements HttpResponse {
  constructor(
    private readonly status: number,
    private readonly headers: Record<string, string>,
    private readonly body: string,
  ) {}
  getStatus = () => this.status;
  getHeader = (name: string) => this.headers[name.toLowerCase()];
  getBody = () => this.body;
  getUnderlyingObject = () => null;
}

class Call implements HttpRequest {
  private readonly headers = new Map<string, string>();
  private progress: (bytes: number) => void = () => {};
  constructor(
    private readonly server: Server,
    private readonly method: string,
    private readonly url: string,
  ) {}
  getMethod = () => this.method;
  getURL = () => this.url;
  setHeader = (name: string, value: string) => void this.headers.set(name.toLowerCase(), value);
  getHeader = (name: string) => this.headers.get(name.toLowerCase());
  setProgressHandler = (handler: (bytes: number) => void) => {
    this.progress = handler;
  };
  async send(body: Blob | null): Promise<HttpResponse> {
    if (body) this.progress(Math.floor(body.size / 2));
    return this.server.take(this.method, this.url, this.headers, body);
  }
  abort = async () => {};
  getUnderlyingObject = () => null;
}

/** The phone's storage: it outlives a visit, and hands out copies as a database does. */
function diskStore(): Store {
  const memory = memoryStore();
  const copy = (kept: Kept): Kept => ({ ...kept, entry: { ...kept.entry } });
  return {
    ...memory,
    all: async (token) => (await memory.all(token)).map(copy),
    put: async (kept, blob) => {
      await memory.put(copy(kept), blob);
      return true;
    },
  };
}

const TOKEN = 't'.repeat(32);

function visit(
  server: Server,
  store: Store,
  closeAfter: number | null = null,
  sendPreview?: (mediaId: string) => Promise<void>,
) {
  const events: QueueEvent[] = [];
  const previews: string[] = [];
  let now = 1_000_000;
  let settle = (_: string) => {};
  const over = new Promise<string>((resolve) => (settle = resolve));
  const world: World = {
    store,
    send: (work) => sendOnce(work, { stack: server.stack, chunkBytes: 64, stallMs: 5000 }),
    look: async () => server.look(),
    sendPreview: sendPreview ?? (async (mediaId) => void previews.push(mediaId)),
    now: () => now,
    pause: async (ms) => {
      now += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
  const sending: Sending = new Sending(
    TOKEN,
    'http://phone.test/uploads',
    world,
    (queue, event) => {
      events.push(event);
      if (closeAfter !== null && events.length >= closeAfter) {
        sending.stop();
        settle('closed');
      }
      const open = queue.entries.filter(({ state }) => state === 'waiting' || state === 'sending');
      if ((event.type === 'DONE' || event.type === 'REFUSED') && !open.length) settle('done');
    },
    settle,
  );
  return { sending, events, previews, over };
}

function file(random: () => number, size: number): Chosen {
  const bytes = new Uint8Array(size).map(() => Math.floor(random() * 255));
  return {
    itemId: 'i1',
    name: 'foto ñ.jpg',
    type: 'image/jpeg',
    blob: new Blob([bytes]),
    capturedAt: '2026-11-21T18:00:00.000Z',
    width: 4000,
    height: 3000,
    preview: null,
  };
}

const bytesOf = async (blob: Blob) => [...new Uint8Array(await blob.arrayBuffer())];

describe('an upload cut at random points', () => {
  const SEEDS = Array.from({ length: 40 }, (_, seed) => seed + 1);
  it.each(SEEDS)('ends complete, once, byte for byte (seed %i)', async (seed) => {
    const random = chance(seed);
    const weather = { deaf: random() * 0.3, mute: random() * 0.3, cut: random() * 0.5, lost: random() * 0.05 };
    const server = new Server(random, weather);
    const store = diskStore();
    const chosen = new Map<string, Chosen>();
    const first = visit(server, store, Math.floor(random() * 30) + 3);
    await first.sending.start();
    first.sending.offline();
    for (let i = 0; i < 1 + Math.floor(random() * 3); i++) {
      const key = `k${i}`;
      chosen.set(key, file(random, 1 + Math.floor(random() * 600)));
      await first.sending.add(key, chosen.get(key) as Chosen);
    }
    first.sending.online();
    let over = await first.over;
    for (let visits = 0; over !== 'done' && visits < 100; visits++) {
      const again = visit(server, store, visits < 6 ? Math.floor(random() * 40) + 4 : null);
      await again.sending.start();
      over = (await store.all(TOKEN)).length ? await again.over : 'done';
      again.sending.stop();
    }
    expect(over).toBe('done');
    expect(server.accepted.map(({ key }) => key).sort()).toEqual([...chosen.keys()].sort());
    for (const { key, bytes } of server.accepted) {
      expect([...bytes]).toEqual(await bytesOf((chosen.get(key) as Chosen).blob));
    }
    expect(await store.all(TOKEN)).toEqual([]);
  });
});

const CALM: Weather = { deaf: 0, mute: 0, cut: 0, lost: 0 };

describe('sending', () => {
  const start = (weather = CALM, seed = 7) => {
    const random = chance(seed);
    const server = new Server(random, weather);
    const store = diskStore();
    return { random, server, store, ...visit(server, store) };
  };
  const refusedBytes = (): Chosen => ({ ...file(chance(1), 3), blob: new Blob([new Uint8Array([0xff, 0, 1])]) });

  it('tells a refusal with its code and keeps nothing of it', async () => {
    const { sending, store, over } = start();
    await sending.start();
    await sending.add('k', refusedBytes());
    await over;
    expect(sending.queue.entries[0]).toMatchObject({ state: 'refused', code: 'NOT_A_PICTURE' });
    expect(await store.all(TOKEN)).toEqual([]);
  });

  it('learns of a refusal whose answer got lost', async () => {
    const { sending, server, over } = start();
    const { take } = server;
    let lose = true;
    server.take = async (...call: Parameters<typeof take>) => {
      const answer = await take.apply(server, call);
      if (call[0] === 'PATCH' && lose) {
        lose = false;
        throw new Error('no answer');
      }
      return answer;
    };
    await sending.start();
    await sending.add('k', refusedBytes());
    await over;
    expect(sending.queue.entries[0]).toMatchObject({ state: 'refused', code: 'NOT_A_PICTURE' });
  });

  it('sends the small copy after the file', async () => {
    const { sending, server, previews, random, over } = start();
    await sending.start();
    await sending.add('k', { ...file(random, 200), preview: new Blob(['jpeg']) });
    await over;
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(previews).toEqual([sending.queue.entries[0]?.mediaId]);
    expect(server.accepted).toHaveLength(1);
  });

  it('tries the small copy some times, then lets it be', async () => {
    const { random, server, store } = start();
    const tries: string[] = [];
    const { sending, over } = visit(server, store, null, async (mediaId) => {
      tries.push(mediaId);
      throw new Error('no connection');
    });
    await sending.start();
    await sending.add('k', { ...file(random, 50), preview: new Blob(['jpeg']) });
    await over;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(tries).toHaveLength(3);
    expect(sending.queue.entries[0]?.state).toBe('accepted');
  });

  it('goes on from the byte where it stopped', async () => {
    const { sending, server, random, store } = start({ ...CALM, cut: 1 });
    let cuts = 0;
    const { sending: next, over } = visit(server, store);
    const before = server.take.bind(server);
    const offsets: number[] = [];
    server.take = async (method, url, headers, body) => {
      if (method === 'PATCH') offsets.push(Number(headers.get('upload-offset')));
      if (method === 'PATCH' && ++cuts === 3) {
        sending.stop();
        Object.assign((server as unknown as { weather: Weather }).weather, CALM);
      }
      return before(method, url, headers, body);
    };
    await sending.start();
    await sending.add('k', file(random, 500));
    while (cuts < 3) await new Promise((resolve) => setTimeout(resolve, 1));
    await next.start();
    await over;
    expect(server.accepted).toHaveLength(1);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    expect(offsets[3]).toBeGreaterThan(0);
  });

  it('stops when the request takes no more, and keeps the files', async () => {
    const { sending, server, store, random, over } = start();
    server.take = async () => new Answer(410, {}, JSON.stringify({ code: 'LINK_EXPIRED' }));
    await sending.start();
    await sending.add('k', file(random, 100));
    expect(await over).toBe('LINK_EXPIRED');
    expect(await store.all(TOKEN)).toHaveLength(1);
  });

  it('waits while there is no network', async () => {
    const { sending, server, random, over } = start();
    await sending.start();
    sending.offline();
    await sending.add('k', file(random, 100));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.calls).toBe(0);
    sending.online();
    await over;
    expect(server.accepted).toHaveLength(1);
  });

  // FILES-27
  it('forgets what is older than a month', async () => {
    const { store, random, server } = start();
    const first = visit(server, store);
    first.sending.offline();
    await first.sending.add('k', file(random, 100));
    const [kept] = await store.all(TOKEN);
    await store.update({ ...(kept as Kept).entry, storedAt: 1_000_000 - 31 * 86_400_000 });
    const later = visit(server, store);
    await later.sending.start();
    expect(later.sending.queue.entries).toEqual([]);
    expect(await store.all(TOKEN)).toEqual([]);
  });
});

it.each([
  ['{"code":"FILE_EMPTY"}', 'FILE_EMPTY'],
  ['{"code":7}', ''],
  ['<html>', ''],
  ['', ''],
])('the code in %s is "%s"', (body, code) => expect(codeIn(body)).toBe(code));
