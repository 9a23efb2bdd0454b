import { beforeEach, describe, expect, it } from 'vitest';
import { Rate } from '../core/received';
import { FakeClock, FakeRoom } from '../testing/fake-room';
import { decodePoint, encodePoint, MAX_A_SECOND, POINT_TOPIC, PointChannel, type Pointed } from './channel';
import { Hand, HOLD_EVERY_MS, SEND_EVERY_MS } from './hand';
import { FADE_MS, Lasers, remains } from './lasers';

const ME = 'client:0a1b2c3d';
const STAFF = 'user:1';
const SPOT = { x: 0.25, y: 0.75, aspect: 1.7778 };
const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const point = (changes: Record<string, unknown> = {}) => ({ t: 'point', of: ME, ...SPOT, ...changes });

// CALL-47
describe('a point that arrives', () => {
  it('is read as it was written', () => {
    expect(decodePoint(encodePoint(ME, SPOT))).toEqual(point());
    expect(encodePoint('client:ffffffff', { x: 1 / 3, y: 2 / 3, aspect: 16 / 9 }).byteLength).toBeLessThan(100);
  });

  it.each<[string, unknown]>([
    ['garbage', '{{{'],
    ['nothing', ''],
    ['an array', [point()]],
    ['null', 'null'],
    ['another kind', point({ t: 'torch' })],
    ['no owner', point({ of: undefined })],
    ['an owner that is no text', point({ of: 7 })],
    ['a text for a number', point({ x: '0.5' })],
    ['nothing for a number', point({ y: null })],
    ['a number that JSON has not', '{"t":"point","of":"client:0a1b2c3d","x":NaN,"y":0,"aspect":1}'],
    ['a number beyond all numbers', '{"t":"point","of":"client:0a1b2c3d","x":1e999,"y":0,"aspect":1}'],
    ['left of the frame', point({ x: -0.001 })],
    ['below the frame', point({ y: 1.001 })],
    ['a frame without height', point({ aspect: 0 })],
    ['a frame that is a line', point({ aspect: 1e6 })],
    ['something long', point({ note: 'x'.repeat(400) })],
  ])('is dropped: %s', (_name, value) => expect(decodePoint(bytes(value))).toBeNull());

  let room: FakeRoom;
  let got: Pointed[];
  let time: number;
  let channel: PointChannel;
  const send = (message: unknown, from: string | undefined, topic = POINT_TOPIC) =>
    room.emit('dataReceived', bytes(message), from && { identity: from }, 1, topic);
  beforeEach(() => {
    room = new FakeRoom();
    room.join(STAFF, 'Nuria Ferrer');
    room.join('client:ffffffff', 'Carmen');
    got = [];
    time = 0;
    channel = new PointChannel(room, () => time);
    channel.onPoint((pointed) => got.push(pointed));
  });

  it('says who points as the server does', () => {
    send({ ...point(), name: 'The server' }, STAFF);
    expect(got).toEqual([{ of: ME, ...SPOT, from: STAFF, name: 'Nuria Ferrer' }]);
  });

  it('is nobody’s: senders that are unknown, not in the room, or the server', () => {
    room.join('robot:1', 'Robot');
    for (const from of [undefined, 'user:9', 'robot:1', '']) send(point(), from);
    send(point(), STAFF, 'atalaya');
    expect(got).toEqual([]);
  });

  it('comes from a client only about its own picture', () => {
    send(point(), 'client:ffffffff');
    expect(got).toEqual([]);
    send(point({ of: 'client:ffffffff' }), 'client:ffffffff');
    expect(got).toHaveLength(1);
  });

  it('is one of at most 60 a second from 50,000, and others are heard as before', () => {
    for (let index = 0; index < 50_000; index += 1) {
      time = index / 50;
      send(index % 2 ? point() : '{{{', STAFF);
    }
    expect(got.length).toBeLessThanOrEqual(MAX_A_SECOND);
    const before = got.length;
    send(point({ of: 'client:ffffffff' }), 'client:ffffffff');
    expect(got).toHaveLength(before + 1);
    // A second later the flood is over.
    time += 1_001;
    send(point(), STAFF);
    expect(got).toHaveLength(before + 2);
  });

  it('never passes more than 60 in any second', () => {
    const rate = new Rate(MAX_A_SECOND);
    const passed: number[] = [];
    for (let now = 0; now < 5_000; now += 0.7) if (rate.passes(STAFF, now)) passed.push(now);
    for (const [index, at] of passed.entries()) {
      expect(passed.filter((one, other) => other >= index && one - at < 1_000).length).toBeLessThanOrEqual(60);
    }
    expect(passed.length).toBeGreaterThan(200);
  });

  it('is sent lossy to everybody, and not at all without a connection', () => {
    channel.send(ME, SPOT);
    expect(room.localParticipant.lossy).toEqual([]);
    room.state = 'connected';
    channel.send(ME, SPOT);
    expect(room.localParticipant.lossy).toEqual([point()]);
    channel.dispose();
    expect(room.listenerCount).toBe(0);
  });
});

// CALL-46
describe('a pointing hand', () => {
  const sent: { at: number; x: number }[] = [];
  let clock: FakeClock;
  let hand: Hand;
  const at = (x: number) => hand.at({ ...SPOT, x });
  beforeEach(() => {
    sent.length = 0;
    clock = new FakeClock();
    hand = new Hand((spot) => sent.push({ at: clock.now(), x: spot.x }), clock);
  });

  it('is told at once, then at most 30 times a second, the newest place last', async () => {
    for (let step = 0; step <= 200; step += 1) {
      at(step / 200);
      await clock.pass(5);
    }
    hand.lift();
    await clock.pass(1_000);
    expect(sent[0]?.x).toBe(0);
    expect(sent.at(-1)?.x).toBe(1);
    expect(sent.length).toBeLessThanOrEqual(31);
    expect(sent.length).toBeGreaterThan(24);
    for (const [index, one] of sent.entries()) {
      if (index > 0) expect(one.at - (sent[index - 1]?.at ?? 0)).toBeGreaterThanOrEqual(SEND_EVERY_MS);
    }
  });

  it('is told again while it rests, and no more when it is lifted', async () => {
    at(0.5);
    await clock.pass(1_000);
    expect(sent).toHaveLength(1 + Math.floor(1_000 / HOLD_EVERY_MS));
    hand.lift();
    await clock.pass(1_000);
    expect(sent).toHaveLength(5);
  });

  it('leaves its last place behind when it is lifted before that was told', async () => {
    at(0.1);
    at(0.9);
    hand.lift();
    await clock.pass(1_000);
    expect(sent.map(({ x }) => x)).toEqual([0.1, 0.9]);
  });
});

// CALL-46
describe('dots', () => {
  it('are clear while the hand rests, and gone after two seconds', () => {
    expect(remains(0)).toBe(1);
    expect(remains(HOLD_EVERY_MS)).toBe(1);
    expect(remains(1_175)).toBeCloseTo(0.5, 2);
    expect(remains(FADE_MS)).toBe(0);
    const lasers = new Lasers();
    lasers.take(STAFF, SPOT, 0);
    expect(lasers.shown(FADE_MS - 1)).toHaveLength(1);
    expect(lasers.shown(FADE_MS)).toEqual([]);
  });

  // CALL-47
  it('are at most 60 a second, the newest of each sixtieth, and a bounded trail', () => {
    const lasers = new Lasers();
    for (let index = 0; index < 50_000; index += 1) lasers.take(STAFF, { ...SPOT, x: index / 50_000 }, index / 10);
    const trail = lasers.shown(5_000)[0]?.trail ?? [];
    expect(trail.length).toBeLessThanOrEqual(60 * 2);
    expect(trail.length).toBeGreaterThan(100);
    expect(trail.at(-1)?.x).toBeCloseTo(1, 4);
  });

  // CALL-47
  it('are those of eight people at most', () => {
    const lasers = new Lasers();
    for (let index = 0; index < 20; index += 1) lasers.take(`user:${index}`, SPOT, index);
    expect(lasers.shown(20)).toHaveLength(8);
    lasers.take('user:0', SPOT, 30);
    expect(lasers.shown(30)[0]?.trail).toHaveLength(2);
  });
});
