import { describe, expect, it } from 'vitest';
import { type NetworkChanges, watchIce } from '../path/ice';
import { FakeClock, FakeRoom, type FakeTrack } from '../testing/fake-room';
import { pathState } from './path-state';
import { CallSession } from './session';

async function setup() {
  const room = new FakeRoom();
  const clock = new FakeClock();
  let tickets = 0;
  const ticket = async () => ({ url: 'ws://x', token: `t${++tickets}` });
  const session = new CallSession({ room, clock, ticket });
  await session.start();
  const { track } = room.join('client:0a1b2c3d', 'Carmen').publish('camera');
  track.path = 'connected';
  room.emit('trackSubscribed');
  return { room, clock, session, track };
}

const name = (session: CallSession) => session.status.get().name;

// CALL-60
describe('the path of the media on our side', () => {
  it('is shown as broken after a second, and gets a new way after three', async () => {
    const { room, clock, session, track } = await setup();
    track.path = 'disconnected';
    await clock.pass(1000);
    expect(name(session)).toBe('reconnecting');
    await clock.pass(2000);
    expect(room.scenarios).toEqual([]);
    await clock.pass(1000);
    expect(room.scenarios).toEqual(['signal-reconnect']);
    track.path = 'connected';
    await clock.pass(1000);
    expect(name(session)).toBe('connected');
    expect(room.connections, 'no new connection was needed').toEqual(['t1']);
  });

  it('that no new way mends is joined anew with a fresh ticket after ten', async () => {
    const { room, clock, session, track } = await setup();
    session.want('microphone', true);
    track.path = 'failed';
    await clock.pass(12_000);
    expect(room.connections).toEqual(['t1', 't2']);
    expect(name(session)).toBe('connected');
    expect([...room.localParticipant.trackPublications.values()].map(({ source }) => source)).toEqual(['microphone']);
  });

  it('of a library that reconnects for too long is joined anew, and not disturbed before', async () => {
    const { room, clock, session } = await setup();
    room.state = 'reconnecting';
    room.emit('reconnecting');
    await clock.pass(10_000);
    expect(room.scenarios).toEqual([]);
    await clock.pass(2000);
    expect(room.connections).toEqual(['t1', 't2']);
    expect(name(session)).toBe('connected');
  });

  it('is left alone once the call is over', async () => {
    const { room, clock, session, track } = await setup();
    await session.leave();
    track.path = 'failed';
    await clock.pass(30_000);
    expect(room.scenarios).toEqual([]);
    expect(room.connections).toEqual(['t1']);
  });

  it('is not looked at while attempts are under way', async () => {
    const { room, clock, session, track } = await setup();
    track.path = 'failed';
    room.connectError = new Error('no route');
    room.cut();
    await clock.pass(61_000);
    expect(session.status.get()).toMatchObject({ name: 'disconnected', reason: 'lost' });
    expect(room.scenarios).toEqual([]);
  });

  it('is the worst of all tracks, and unknown without one', async () => {
    const { room, track } = await setup();
    const second = room.remoteParticipants.get('client:0a1b2c3d')?.publish('microphone').track as FakeTrack;
    expect(pathState(room), 'a track that does not say changes nothing').toBe('connected');
    second.path = 'failed';
    expect(pathState(room)).toBe('failed');
    second.path = 'checking';
    expect(pathState(room)).toBe('checking');
    track.path = null;
    second.path = null;
    expect(pathState(room)).toBeUndefined();
  });
});

// CALL-60
describe('another network', () => {
  /** What happened and when, seconds after the network changed; the browser notices at `noticedMs`, a new path needs a second. */
  async function change(noticedMs: number, told: boolean) {
    const clock = new FakeClock();
    const start = clock.now();
    const happened: [string, number][] = [];
    let state: RTCIceTransportState = 'connected';
    let changed = () => {};
    const changes: NetworkChanges = (run) => {
      changed = run;
      return () => {};
    };
    const note = (what: string) => happened.push([what, (clock.now() - start) / 1000]);
    const path = {
      state: () => state,
      broken: () => note('broken'),
      mended: () => note('mended'),
      restart: () => {
        note('restart');
        clock.after(900, () => {
          state = 'connected';
        });
      },
      rejoin: () => note('rejoin'),
    };
    const stop = watchIce(path, clock, changes);
    if (told) changed();
    clock.after(noticedMs, () => {
      state = 'disconnected';
    });
    await clock.pass(9000);
    stop();
    return happened;
  }

  it('has its path within five seconds of the change', async () => {
    expect(await change(2500, true)).toEqual([
      ['broken', 3],
      ['restart', 3],
      ['mended', 4],
    ]);
  });

  it('that the system does not tell has its new path asked for three seconds after the hole is seen', async () => {
    expect(await change(500, false)).toEqual([
      ['broken', 1],
      ['restart', 4],
      ['mended', 5],
    ]);
  });

  it('is no reason to disturb a path that stays', async () => {
    expect(await change(60_000, true)).toEqual([]);
  });
});
