import { describe, expect, it } from 'vitest';
import { FakeRoom } from '../testing/fake-room';
import { Commands, type Received } from './commands';
import { decode, senderOf } from './messages';

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

// CALL-19
describe('decode', () => {
  it.each([
    ['garbage', '{{{', 'client'],
    ['an array', [1], 'client'],
    ['an unknown type', { t: 'reboot' }, 'client'],
    ['a still without id', { t: 'still' }, 'staff'],
    ['a camera that is none', { t: 'camera', facing: 'left' }, 'staff'],
    ['a position off the globe', { t: 'position', latitude: 91, longitude: 0, accuracy: 1, at: 'x' }, 'client'],
    ['progress with an unknown state', { t: 'still-progress', id: 'a', state: 'half', percent: 3 }, 'client'],
  ] as const)('drops %s', (_name, value, sender) => {
    expect(decode(bytes(value), sender)).toBeNull();
  });

  it('lets nobody send what is not theirs', () => {
    const torch = bytes({ t: 'torch', on: true });
    expect(decode(torch, 'staff')).toEqual({ t: 'torch', on: true });
    expect(decode(torch, 'client')).toBeNull();
    expect(decode(torch, 'server')).toBeNull();
    const recording = bytes({ t: 'recording', state: 'recording' });
    expect(decode(recording, 'server')).toEqual({ t: 'recording', body: { state: 'recording' } });
    expect(decode(recording, 'client')).toBeNull();
    expect(decode(recording, 'staff')).toBeNull();
    expect(decode(torch, senderOf('robot:1'))).toBeNull();
  });

  it('reads capabilities with what is missing taken as absent', () => {
    expect(
      decode(bytes({ t: 'caps', facing: 'environment', zoom: { min: 1, max: 1 }, torch: null }), 'client'),
    ).toEqual({
      t: 'caps',
      facing: 'environment',
      torch: false,
      torchOn: false,
      zoom: null,
      cameras: 1,
      label: '',
      takePhoto: false,
      userAgent: { browser: '', os: '', model: '' },
    });
  });

  it('keeps percent within 0 and 100', () => {
    const message = decode(bytes({ t: 'still-progress', id: 'a', state: 'uploading', percent: 430 }), 'client');
    expect(message).toMatchObject({ percent: 100 });
  });
});

// CALL-19
describe('Commands', () => {
  it('goes to the client only, and says so when there is none', async () => {
    const room = new FakeRoom();
    const commands = new Commands(room);
    room.join('user:colleague', 'Ana');
    await expect(commands.torch('client:0a1b2c3d', true)).rejects.toThrow('NO_CLIENT');
    room.join('client:0a1b2c3d', 'Carmen');
    room.join('client:ffffffff', 'Carmen');
    await expect(commands.torch(null, true)).rejects.toThrow('NO_CLIENT');
    await commands.still('client:0a1b2c3d', 's1', 'Nuria');
    expect(room.localParticipant.sent).toEqual([
      { message: { t: 'still', id: 's1', by: 'Nuria' }, to: ['client:0a1b2c3d'] },
    ]);
  });

  it('hands over checked messages with their sender and ignores a client that commands', () => {
    const room = new FakeRoom();
    const commands = new Commands(room);
    room.join('client:0a1b2c3d', 'Carmen');
    const got: Received[] = [];
    commands.onMessage((received) => got.push(received));
    room.receive({ t: 'torch', on: true }, 'client:0a1b2c3d');
    room.receive({ t: 'problem', reason: 'PHONE_CALL' }, 'client:0a1b2c3d');
    room.receive({ t: 'closed' });
    room.receive({ t: 'closed' }, 'client:ffffffff');
    expect(got.map((one) => [one.sender, one.message.t])).toEqual([
      ['client', 'problem'],
      ['server', 'closed'],
    ]);
    commands.dispose();
    expect(room.listenerCount).toBe(0);
  });
});

// CALL-19, CALL-63
describe('the connection of the client', () => {
  const told = (body: object) => decode(new TextEncoder().encode(JSON.stringify({ t: 'path', ...body })), 'client');

  it('is read as words of the list', () => {
    expect(told({ way: 'relay-tls', failed: ['udp', 'smoke', 7] })).toEqual({
      t: 'path',
      way: 'relay-tls',
      failed: ['udp'],
    });
    expect(told({ way: null, failed: [] })).toEqual({ t: 'path', way: null, failed: [] });
  });

  it.each([{ way: 'pigeon', failed: [] }, { way: 'udp' }, { way: 'udp', failed: Array(9).fill('udp') }])(
    '%o is dropped',
    (body) => {
      expect(told(body)).toBeNull();
    },
  );
});
