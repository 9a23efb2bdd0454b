import { describe, expect, it, vi } from 'vitest';
import { digestOf, type Outcome, outcomeOf } from './upload-send';
import { memoryStore, type Store } from './upload-store';
import { backOff, type Photo, type PhotoEvent, type PhotoMeta, UploadQueue } from './uploads';

const meta = (captureId: string): PhotoMeta => ({
  captureId,
  method: 'takePhoto',
  capturedAt: '2026-11-21T11:46:00.000Z',
  width: 4000,
  height: 3000,
  mime: 'image/jpeg',
});
const blob = new Blob(['x'], { type: 'image/jpeg' });
const photo = (captureId: string, hash = 'h', storedAt = 0): Photo => ({
  captureId,
  hash,
  meta: meta(captureId),
  blob,
  storedAt,
});

function setUp(outcomes: Outcome[], store: Store = memoryStore(), now = 0) {
  const sent: string[] = [];
  const waits: number[] = [];
  const events: PhotoEvent[] = [];
  const queue = new UploadQueue(
    store,
    async ({ captureId }, key, onPercent) => {
      sent.push(`${captureId} ${key}`);
      onPercent(50);
      return outcomes.shift() ?? { kind: 'done', mediaId: `m-${captureId}` };
    },
    { now: () => now, pause: async (ms) => void waits.push(ms) },
  );
  queue.watch((event) => events.push(event));
  const idle = async () => {
    for (let i = 0; i < 50 && queue.progress().pending; i++) await new Promise((resolve) => setTimeout(resolve));
  };
  return { queue, store, sent, waits, events, idle };
}

// EVID-60
it('signs a photo before it is stored or sent', async () => {
  const store = memoryStore();
  const seen: unknown[] = [];
  const queue = new UploadQueue(
    store,
    async ({ meta }) => {
      seen.push(
        meta,
        (await store.all()).map((photo) => photo.meta),
      );
      return { kind: 'done', mediaId: 'm' };
    },
    { now: () => 0, pause: async () => undefined },
    async () => undefined,
    async (hash, { captureId }) => ({ deviceKey: hash, deviceSignature: `of ${captureId}` }),
  );
  await queue.start('h', 'k');
  await queue.add(meta('a'), blob);
  await vi.waitFor(() => expect(queue.progress().pending).toBe(0));
  const signed = { ...meta('a'), deviceKey: 'h', deviceSignature: 'of a' };
  expect(seen).toEqual([signed, [signed]]);
});

// STORE-24
describe('a photo is announced', () => {
  it('by the hash of its bytes, before it is sent', async () => {
    expect(await digestOf(new Blob(['abc']))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('once, with the key of its device, and a failure stops nothing', async () => {
    const order: string[] = [];
    const queue = new UploadQueue(
      memoryStore(),
      async ({ captureId }) => {
        order.push(`sent ${captureId}`);
        return { kind: 'done', mediaId: 'm' };
      },
      { now: () => 0, pause: async () => undefined },
      async ({ captureId }, key) => {
        order.push(`announced ${captureId} ${key}`);
        throw new Error('no network');
      },
    );
    await queue.start('h', 'k');
    await queue.add(meta('a'), blob);
    for (let i = 0; i < 50 && queue.progress().pending; i++) await new Promise((resolve) => setTimeout(resolve));
    expect(order).toEqual(['announced a k', 'sent a']);
  });
});

// CLIENT-19
describe('the upload queue', () => {
  it('sends, reports and forgets', async () => {
    const { queue, store, sent, events, idle } = setUp([]);
    await queue.start('h', 'k');
    await queue.add(meta('a'), blob);
    await idle();
    expect(sent).toEqual(['a k']);
    expect(events.map(({ state, percent }) => `${state} ${percent}`)).toEqual([
      'uploading 0',
      'uploading 50',
      'done 100',
    ]);
    expect(events.at(-1)).toMatchObject({ captureId: 'a', mediaId: 'm-a', method: 'takePhoto' });
    expect(await store.all()).toEqual([]);
  });

  it('tries again with growing waits, the same photo first', async () => {
    const { queue, sent, waits, idle } = setUp([{ kind: 'retry' }, { kind: 'retry' }, { kind: 'retry' }]);
    await queue.start('h', 'k');
    await queue.add(meta('a'), blob);
    await queue.add(meta('b'), blob);
    await idle();
    expect(waits).toEqual([1000, 2000, 4000]);
    expect(sent).toEqual(['a k', 'a k', 'a k', 'a k', 'b k']);
  });

  it('a refused photo is told with its code and does not stop the others', async () => {
    const { queue, events, idle } = setUp([{ kind: 'refused', code: 'NOT_A_PICTURE' }]);
    await queue.start('h', 'k');
    await queue.add(meta('a'), blob);
    await queue.add(meta('b'), blob);
    await idle();
    expect(events.find(({ state }) => state === 'failed')).toMatchObject({ captureId: 'a', reason: 'NOT_A_PICTURE' });
    expect(events.at(-1)).toMatchObject({ captureId: 'b', state: 'done' });
    expect(queue.progress()).toMatchObject({ pending: 0, failed: 1 });
  });

  it('a reload takes up what was left, of this link only, and drops what is older than a month', async () => {
    const store = memoryStore();
    const now = 40 * 86_400_000;
    await store.put(photo('left', 'h', now - 1000));
    await store.put(photo('other', 'h2', now - 1000));
    await store.put(photo('old', 'h', 0));
    const { queue, sent, idle } = setUp([], store, now);
    await queue.start('h', 'k');
    await idle();
    expect(sent).toEqual(['left k']);
    expect((await store.all()).map(({ captureId }) => captureId)).toEqual(['other']);
  });

  it('starting twice sends once', async () => {
    const store = memoryStore();
    await store.put(photo('a'));
    const { queue, sent, idle } = setUp([], store);
    await queue.start('h', 'k');
    await queue.start('h', 'k');
    await idle();
    expect(sent).toEqual(['a k']);
  });

  it('a store that refuses costs only the reload', async () => {
    const broken: Store = { ...memoryStore(), put: () => Promise.reject(new Error('QuotaExceededError')) };
    const { queue, sent, idle } = setUp([], broken);
    await queue.start('h', 'k');
    await queue.add(meta('a'), blob);
    await idle();
    expect(sent).toEqual(['a k']);
  });

  it('waits at most half a minute', () => {
    expect([0, 1, 4, 5, 20].map(backOff)).toEqual([1000, 2000, 16_000, 30_000, 30_000]);
  });
});

describe('an answer', () => {
  it.each<[number, string, Outcome]>([
    [200, '{"media":{"_id":"m1"}}', { kind: 'done', mediaId: 'm1' }],
    [201, '{"media":{"_id":"m1"}}', { kind: 'done', mediaId: 'm1' }],
    [200, '<html>', { kind: 'retry' }],
    [0, '', { kind: 'retry' }],
    [429, '', { kind: 'retry' }],
    [503, '', { kind: 'retry' }],
    [413, '{"code":"FILE_TOO_LARGE"}', { kind: 'refused', code: 'FILE_TOO_LARGE' }],
    [422, '{"code":"NOT_A_PICTURE"}', { kind: 'refused', code: 'NOT_A_PICTURE' }],
    [404, '<html>', { kind: 'refused', code: 'UPLOAD_FAILED' }],
  ])('%i %s', (status, body, outcome) => expect(outcomeOf(status, body)).toEqual(outcome));
});
