import { describe, expect, it } from 'vitest';
import { FakeClock, FakeRoom, settle } from '../testing/fake-room';
import { ClientDevice } from './client-device';
import { Commands } from './commands';
import { CallSession } from './session';

const CLIENT = 'client:0a1b2c3d';

async function setup() {
  const room = new FakeRoom();
  const clock = new FakeClock();
  const session = new CallSession({ room, clock, ticket: async () => ({ url: 'ws://x', token: 't' }) });
  const commands = new Commands(room);
  let count = 0;
  const device = new ClientDevice(session, commands, () => `s${++count}`, clock);
  await session.start();
  return { room, clock, session, device };
}

describe('ClientDevice', () => {
  // CALL-20
  it('asks an arriving client for its capabilities and forgets them when it leaves', async () => {
    const { room, device } = await setup();
    room.join(CLIENT, 'Carmen');
    await settle();
    expect(room.localParticipant.sent.map((one) => one.message)).toEqual([{ t: 'caps?' }]);
    room.receive({ t: 'caps', facing: 'environment', torch: true, torchOn: false, cameras: 2 }, CLIENT);
    expect(device.state.get().caps).toMatchObject({ torch: true, cameras: 2 });
    room.part(CLIENT);
    expect(device.state.get().caps).toBeNull();
  });

  // CALL-21
  it('follows a still to its picture and limits how many run at once', async () => {
    const { room, device } = await setup();
    room.join(CLIENT, 'Carmen');
    for (const _ of [1, 2, 3]) expect(await device.takeStill('Nuria')).toBeNull();
    expect(await device.takeStill('Nuria')).toBe('STILLS_BUSY');
    room.receive({ t: 'still-progress', id: 's1', state: 'uploading', percent: 43 }, CLIENT);
    expect(device.state.get().stills[0]).toMatchObject({ state: 'uploading', percent: 43 });
    room.receive({ t: 'still-progress', id: 's1', state: 'done', percent: 100, mediaId: 'm1' }, CLIENT);
    expect(await device.takeStill('Nuria')).toBeNull();
  });

  // CALL-21
  it('fails what the client can no longer deliver', async () => {
    const { room, clock, device } = await setup();
    expect(await device.takeStill('Nuria')).toBe('NO_CLIENT');
    expect(device.state.get().stills[0]).toMatchObject({ state: 'failed', reason: 'NO_CLIENT' });
    device.dismissStill('s1');
    room.join(CLIENT, 'Carmen');
    await device.takeStill('Nuria');
    room.part(CLIENT);
    expect(device.state.get().stills[0]).toMatchObject({ state: 'failed', reason: 'CLIENT_LEFT' });
    room.join(CLIENT, 'Carmen');
    await device.takeStill('Nuria');
    await clock.pass(130_000);
    expect(device.state.get().stills[1]).toMatchObject({ state: 'failed', reason: 'STILL_SILENT' });
  });

  // CALL-42
  it('asks one of two devices, and follows the one that is chosen', async () => {
    const { room, session, device } = await setup();
    const OTHER = 'client:00000001';
    room.join(CLIENT, 'Carmen');
    await settle();
    room.join(OTHER, 'Carmen');
    await settle();
    expect(session.people.get().client?.identity).toBe(CLIENT);
    await device.takeStill('Nuria');
    expect(room.localParticipant.sent.filter((one) => one.message.t === 'still').map((one) => one.to)).toEqual([
      [CLIENT],
    ]);
    room.receive({ t: 'caps', facing: 'user', torch: false, torchOn: false, cameras: 1 }, OTHER);
    expect(device.state.get().caps).toBeNull();
    session.choose(OTHER);
    await settle();
    expect(room.localParticipant.sent.at(-1)).toEqual({ message: { t: 'caps?' }, to: [OTHER] });
    room.part(CLIENT);
    expect(device.state.get().stills[0]).toMatchObject({ state: 'failed', reason: 'CLIENT_LEFT' });
    expect(session.people.get().client?.identity).toBe(OTHER);
  });

  it('shows a phone call and its end', async () => {
    const { room, device } = await setup();
    room.join(CLIENT, 'Carmen');
    room.receive({ t: 'problem', reason: 'PHONE_CALL' }, CLIENT);
    expect(device.state.get().problem).toBe('PHONE_CALL');
    room.receive({ t: 'back' }, CLIENT);
    expect(device.state.get().problem).toBeNull();
  });
});
