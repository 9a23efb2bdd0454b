import { describe, expect, it } from 'vitest';
import {
  advance,
  backOff,
  EMPTY,
  type Entry,
  fateOf,
  nextToSend,
  progressOf,
  type Queue,
  type QueueEvent,
  waitFor,
} from './queue';
import { entry } from './queue.fixture';

const run = (events: QueueEvent[], from: Queue = EMPTY) => events.reduce(advance, from);
const add = (key: string, change: Partial<Entry> = {}): QueueEvent => ({ type: 'ADD', entry: entry(key, change) });

// FILES-27
describe('the queue', () => {
  it.each<[string, QueueEvent[], Partial<Entry>]>([
    ['is kept', [{ type: 'KEPT', key: 'a' }], { kept: true }],
    ['starts', [{ type: 'STARTED', key: 'a' }], { state: 'sending' }],
    ['learns its place', [{ type: 'URL', key: 'a', url: '/u/1' }], { url: '/u/1', sent: 0 }],
    ['counts bytes', [{ type: 'SENT', key: 'a', bytes: 400 }], { sent: 400 }],
    ['never counts more than there are', [{ type: 'SENT', key: 'a', bytes: 4000 }], { sent: 1000 }],
    [
      'keeps its bytes when the same place is told again',
      [
        { type: 'URL', key: 'a', url: '/u/1' },
        { type: 'SENT', key: 'a', bytes: 400 },
        { type: 'URL', key: 'a', url: '/u/1' },
      ],
      { sent: 400 },
    ],
    [
      'starts over at another place',
      [
        { type: 'URL', key: 'a', url: '/u/1' },
        { type: 'SENT', key: 'a', bytes: 400 },
        { type: 'URL', key: 'a', url: '/u/2' },
      ],
      { sent: 0, url: '/u/2' },
    ],
    ['is accepted', [{ type: 'DONE', key: 'a', mediaId: 'm' }], { state: 'accepted', mediaId: 'm', sent: 1000 }],
    ['is refused', [{ type: 'REFUSED', key: 'a', code: 'FILE_EMPTY' }], { state: 'refused', code: 'FILE_EMPTY' }],
    [
      'waits after a cut',
      [
        { type: 'STARTED', key: 'a' },
        { type: 'CUT', key: 'a', now: 5000 },
      ],
      { state: 'waiting', tries: 1, retryAt: 6000 },
    ],
    [
      'waits longer after each cut',
      [
        { type: 'CUT', key: 'a', now: 0 },
        { type: 'CUT', key: 'a', now: 0 },
        { type: 'CUT', key: 'a', now: 0 },
      ],
      { tries: 3, retryAt: 4000 },
    ],
    [
      'forgets its failures when bytes move',
      [
        { type: 'CUT', key: 'a', now: 0 },
        { type: 'SENT', key: 'a', bytes: 10 },
      ],
      { tries: 0 },
    ],
    [
      'tries at once when the network is back',
      [{ type: 'CUT', key: 'a', now: 9000 }, { type: 'ONLINE' }],
      { retryAt: 0, tries: 0 },
    ],
    [
      'does not change any more once accepted',
      [
        { type: 'DONE', key: 'a', mediaId: 'm' },
        { type: 'CUT', key: 'a', now: 1 },
        { type: 'REFUSED', key: 'a', code: 'X' },
      ],
      { state: 'accepted', mediaId: 'm' },
    ],
  ])('a file %s', (_, events, expected) => {
    expect(run([add('a'), ...events]).entries[0]).toMatchObject(expected);
  });

  it('takes the same key once and forgets it when told', () => {
    const queue = run([add('a'), add('a', { name: 'other' }), add('b')]);
    expect(queue.entries.map(({ key, name }) => [key, name])).toEqual([
      ['a', 'a.jpg'],
      ['b', 'b.jpg'],
    ]);
    expect(run([{ type: 'FORGET', key: 'a' }], queue).entries.map(({ key }) => key)).toEqual(['b']);
  });

  it.each<[string, QueueEvent[], number, string | null, number | null]>([
    ['nothing', [], 0, null, null],
    ['the first', [add('a'), add('b')], 0, 'a', 0],
    ['one at a time', [add('a'), add('b'), { type: 'STARTED', key: 'a' }], 0, null, 0],
    ['the second while the first waits', [add('a'), add('b'), { type: 'CUT', key: 'a', now: 0 }], 500, 'b', 0],
    ['the first again when its time has come', [add('a'), { type: 'CUT', key: 'a', now: 0 }], 1000, 'a', 0],
    ['nobody before that', [add('a'), { type: 'CUT', key: 'a', now: 0 }], 400, null, 600],
    ['nobody without a network', [add('a'), { type: 'OFFLINE' }], 0, null, null],
    ['the next after a refusal', [add('a'), add('b'), { type: 'REFUSED', key: 'a', code: 'X' }], 0, 'b', 0],
    ['nobody when all have arrived', [add('a'), { type: 'DONE', key: 'a', mediaId: null }], 0, null, null],
  ])('sends %s', (_, events, now, key, wait) => {
    const queue = run(events);
    expect(nextToSend(queue, now)?.key ?? null).toBe(key);
    expect(waitFor(queue, now)).toBe(wait);
  });

  it('knows how far it is', () => {
    const queue = run([add('a'), add('b', { kept: true }), { type: 'SENT', key: 'a', bytes: 500 }]);
    expect(progressOf(queue)).toEqual({ pending: 2, percent: 25, fleeting: 1, stuck: false });
    expect(progressOf(run([{ type: 'OFFLINE' }], queue)).stuck).toBe(true);
    expect(progressOf(run([add('a'), { type: 'CUT', key: 'a', now: 0 }])).stuck).toBe(true);
    expect(progressOf(run([{ type: 'OFFLINE' }])).stuck).toBe(false);
  });

  it('waits at most half a minute', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 50].map(backOff)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });
});

// FILES-27
describe('an answer', () => {
  it.each<[number, string, string]>([
    [0, '', 'again'],
    [408, '', 'again'],
    [429, 'TOO_MANY_REQUESTS', 'again'],
    [423, '', 'again'],
    [500, 'UNEXPECTED', 'again'],
    [502, '', 'again'],
    [503, '', 'again'],
    [409, 'UPLOAD_OFFSET', 'again'],
    [409, '', 'again'],
    [409, 'TOO_MANY_FILES', 'refused'],
    [400, 'BODY_UNREADABLE', 'again'],
    [460, 'UPLOAD_CHECKSUM', 'again'],
    [404, 'UPLOAD_NOT_FOUND', 'anew'],
    [404, 'LINK_UNKNOWN', 'closed'],
    [410, 'LINK_EXPIRED', 'closed'],
    [410, 'MEDIA_ERASED', 'closed'],
    [422, 'FILE_TYPE_NOT_SUPPORTED', 'refused'],
    [413, 'FILE_TOO_LARGE', 'refused'],
    [403, '', 'again'],
    [302, '', 'again'],
  ])('%s %s means %s', (status, code, fate) => expect(fateOf(status, code)).toBe(fate));
});
