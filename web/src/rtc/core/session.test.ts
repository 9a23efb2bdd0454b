import { describe, expect, it } from 'vitest';
import { FakeClock, FakeRoom, settle } from '../testing/fake-room';
import { Devices } from './devices';
import { CallSession } from './session';

function setup(ticket?: () => Promise<{ url: string; token: string }>) {
  const room = new FakeRoom();
  const clock = new FakeClock();
  let count = 0;
  const session = new CallSession({
    room,
    clock,
    ticket:
      ticket ??
      (async () => {
        count += 1;
        return { url: 'ws://x', token: `t${count}` };
      }),
  });
  return { room, clock, session };
}

describe('CallSession', () => {
  it('joins and shows who is there, the client first', async () => {
    const { room, session } = setup();
    room.join('user:colleague', 'Ana');
    room.join('client:0a1b2c3d', 'Carmen');
    await session.start();
    expect(session.status.get().name).toBe('connected');
    expect(session.people.get().others.map((one) => one.name)).toEqual(['Carmen', 'Ana']);
    expect(session.people.get().client?.identity).toBe('client:0a1b2c3d');
  });

  it('goes through reconnecting and back when the library repairs the line', async () => {
    const { room, session } = setup();
    await session.start();
    room.emit('signalReconnecting');
    expect(session.status.get().name).toBe('reconnecting');
    room.emit('reconnected');
    expect(session.status.get().name).toBe('connected');
    expect(room.connections).toEqual(['t1']);
  });

  // CALL-17
  it('joins again with a fresh ticket and puts microphone and camera back', async () => {
    const { room, clock, session } = setup();
    await session.start();
    session.want('microphone', true);
    session.want('camera', true);
    room.localParticipant.trackPublications.clear();
    room.cut();
    expect(session.status.get()).toMatchObject({ name: 'reconnecting', attempt: 1 });
    await clock.pass(600);
    expect(room.connections).toEqual(['t1', 't2']);
    expect(session.status.get().name).toBe('connected');
    const sources = [...room.localParticipant.trackPublications.values()].map((one) => one.source);
    expect(sources.sort()).toEqual(['camera', 'microphone']);
  });

  // CALL-17
  it('gives up as lost when the held seat is gone, and may start again', async () => {
    const { room, clock, session } = setup();
    await session.start();
    room.connectError = new Error('no route');
    room.cut();
    await clock.pass(61_000);
    expect(session.status.get()).toEqual({ name: 'disconnected', reason: 'lost', code: 'CONNECTION_LOST' });
    const tries = room.connections.length;
    await clock.pass(60_000);
    expect(room.connections).toHaveLength(tries);
    room.connectError = null;
    await session.start();
    expect(session.status.get().name).toBe('connected');
  });

  // CALL-18
  it.each([
    [2, 'duplicate'],
    [4, 'removed'],
    [5, 'closed'],
    [10, 'closed'],
  ])('does not come back after reason %i (%s)', async (reason, name) => {
    const { room, clock, session } = setup();
    await session.start();
    room.cut(reason);
    await clock.pass(30_000);
    expect(session.status.get()).toMatchObject({ name: 'disconnected', reason: name });
    expect(room.connections).toHaveLength(1);
  });

  // CALL-18
  it('stops at a refused ticket with its code', async () => {
    const { clock, session } = setup(async () => {
      throw Object.assign(new Error('closed'), { status: 410, code: 'CONFERENCE_CLOSED' });
    });
    await session.start();
    await clock.pass(20_000);
    expect(session.status.get()).toEqual({ name: 'disconnected', reason: 'refused', code: 'CONFERENCE_CLOSED' });
  });

  // CALL-18
  it('leaving ends a running retry', async () => {
    const { room, clock, session } = setup();
    await session.start();
    room.cut();
    await session.leave();
    await clock.pass(30_000);
    expect(room.connections).toHaveLength(1);
    expect(session.status.get()).toMatchObject({ reason: 'left' });
  });

  it('is told of the end by the server before the line drops', async () => {
    const { session } = setup();
    await session.start();
    await session.closedByServer();
    expect(session.status.get()).toMatchObject({ name: 'disconnected', reason: 'closed' });
  });

  // CALL-22
  it('notices blocked sound and lifts it with a tap', async () => {
    const { room, session } = setup();
    await session.start();
    room.canPlaybackAudio = false;
    room.emit('audioPlaybackChanged');
    expect(session.audioAllowed.get()).toBe(false);
    await session.startAudio();
    expect(session.audioAllowed.get()).toBe(true);
  });

  it('leaves no listener behind', () => {
    const { room, session } = setup();
    expect(room.listenerCount).toBeGreaterThan(0);
    session.dispose();
    expect(room.listenerCount).toBe(0);
  });
});

describe('Devices', () => {
  const media = {
    enumerateDevices: async () => [
      { deviceId: 'm1', kind: 'audioinput' as const, label: 'Brio' },
      { deviceId: '', kind: 'videoinput' as const, label: '' },
      { deviceId: 'c1', kind: 'videoinput' as const, label: 'Brio 4K' },
    ],
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };

  it('lists, switches on and follows a mute made by the server', async () => {
    const { room, session } = setup();
    await session.start();
    const devices = new Devices(session, media);
    await devices.enumerate();
    expect(devices.state.get().videoinput).toEqual([{ id: 'c1', label: 'Brio 4K' }]);
    expect(await devices.microphone(true)).toBeNull();
    expect(devices.state.get().microphoneOn).toBe(true);
    for (const publication of room.localParticipant.trackPublications.values()) publication.isMuted = true;
    room.emit('trackMuted');
    expect(devices.state.get().microphoneOn).toBe(false);
    expect(await devices.choose('audioinput', 'm1')).toBeNull();
    expect(room.chosen).toEqual([['audioinput', 'm1']]);
  });

  it.each([
    ['NotAllowedError', 'CAMERA_DENIED'],
    ['NotFoundError', 'CAMERA_NOT_FOUND'],
    ['NotReadableError', 'CAMERA_IN_USE'],
    ['TypeError', 'DEVICE_FAILED'],
  ])('answers %s as %s and stays usable', async (name, code) => {
    const { room, session } = setup();
    await session.start();
    const devices = new Devices(session, media);
    room.localParticipant.deviceError = Object.assign(new Error('x'), { name });
    expect(await devices.camera(true)).toBe(code);
    await settle();
    expect(devices.state.get()).toMatchObject({ cameraOn: false, busy: [] });
  });

  // CALL-52
  it('mutes at once while the camera is still starting', async () => {
    const { room, session } = setup();
    await session.start();
    const devices = new Devices(session, media);
    await devices.microphone(true);
    let started = () => {};
    room.localParticipant.setCameraEnabled = () => new Promise((done) => (started = () => done(undefined)));
    const camera = devices.camera(true);
    expect(devices.state.get().busy).toEqual(['camera']);
    expect(await devices.microphone(false)).toBeNull();
    expect(devices.state.get()).toMatchObject({ microphoneOn: false, busy: ['camera'] });
    started();
    expect(await camera).toBeNull();
    expect(devices.state.get().busy).toEqual([]);
  });
});
