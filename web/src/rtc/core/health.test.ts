import { describe, expect, it } from 'vitest';
import { FakeClock, FakeRoom } from '../testing/fake-room';
import { assess, type Sample, Steady } from './health';
import { HealthMonitor, lossBetween } from './health-monitor';
import { CallSession } from './session';

const fine: Sample = {
  reconnecting: false,
  myQuality: 'excellent',
  clientQuality: 'good',
  clientPresent: true,
  videoDue: true,
  audioDue: true,
  fps: 24,
  height: 720,
  videoLoss: 0,
  audioConcealed: 0,
  uplinkLoss: 0,
};

// CALL-15
describe('assess', () => {
  it.each<[string, Partial<Sample>, Record<string, unknown>]>([
    ['all well', {}, { side: 'client', level: 'good', voiceOnly: false, height: 720 }],
    ['server says poor', { clientQuality: 'poor', height: 360 }, { side: 'client', level: 'fair', height: 360 }],
    ['picture loses packets', { videoLoss: 0.05 }, { side: 'client', level: 'fair' }],
    ['slow picture', { fps: 4 }, { side: 'client', level: 'fair', voiceOnly: false }],
    ['no picture at all', { fps: 0 }, { side: 'client', level: 'poor', voiceOnly: true }],
    ['camera off is not a fault', { fps: 0, videoDue: false }, { side: 'client', level: 'good', voiceOnly: false }],
    ['voice in pieces', { audioConcealed: 0.3 }, { side: 'client', level: 'poor', voiceBroken: true }],
    ['client gone', { clientPresent: false }, { side: 'client', level: 'lost' }],
    ['our uplink loses', { uplinkLoss: 0.2 }, { side: 'me', level: 'poor' }],
    ['both bad: ours is named', { uplinkLoss: 0.2, fps: 0 }, { side: 'me', level: 'poor' }],
    ['we are reconnecting', { reconnecting: true }, { side: 'me', level: 'lost' }],
    ['theirs much worse', { myQuality: 'poor', clientQuality: 'lost' }, { side: 'client', level: 'lost' }],
  ])('%s', (_name, change, expected) => {
    expect(assess({ ...fine, ...change })).toMatchObject(expected);
  });
});

// CALL-16
describe('Steady', () => {
  it('steps down after 2 s and up only after 20 s without trouble', () => {
    const steady = new Steady();
    const good = assess(fine);
    const fair = assess({ ...fine, videoLoss: 0.05 });
    expect(steady.push(good, 0).level).toBe('good');
    expect(steady.push(fair, 2_000).level).toBe('good');
    expect(steady.push(fair, 4_000).level).toBe('fair');
    expect(steady.push(good, 6_000).level).toBe('fair');
    expect(steady.push(fair, 16_000).level).toBe('fair');
    expect(steady.push(good, 20_000).level).toBe('fair');
    expect(steady.push(good, 38_000).level).toBe('fair');
    expect(steady.push(good, 40_000).level).toBe('good');
  });

  it('shows a lost side at once', () => {
    const steady = new Steady();
    steady.push(assess(fine), 0);
    expect(steady.push(assess({ ...fine, clientPresent: false }), 100).level).toBe('lost');
  });
});

describe('HealthMonitor', () => {
  it('turns counters into a verdict about the client', async () => {
    const room = new FakeRoom();
    const clock = new FakeClock();
    const session = new CallSession({ room, clock, ticket: async () => ({ url: 'ws://x', token: 't' }) });
    const client = room.join('client:0a1b2c3d', 'Carmen');
    const camera = client.publish('camera');
    await session.start();
    const monitor = new HealthMonitor(session, clock);
    monitor.start();
    camera.track.stats = { framesDecoded: 0, packetsLost: 0, packetsReceived: 0, frameWidth: 360, frameHeight: 640 };
    await clock.pass(2_000);
    for (const turn of [1, 2, 3]) {
      camera.track.stats = {
        ...camera.track.stats,
        framesDecoded: turn * 40,
        packetsLost: turn * 10,
        packetsReceived: turn * 100,
      };
      await clock.pass(2_000);
    }
    expect(monitor.verdict.get()).toMatchObject({ side: 'client', level: 'fair', height: 360 });
    monitor.stop();
  });

  // CALL-40
  it('says of nobody that the connection is lost before they came', async () => {
    const room = new FakeRoom();
    const clock = new FakeClock();
    const session = new CallSession({ room, clock, ticket: async () => ({ url: 'ws://x', token: 't' }) });
    await session.start();
    const monitor = new HealthMonitor(session, clock);
    monitor.start();
    await clock.pass(2_000);
    expect(monitor.verdict.get()).toBeNull();
    room.join('client:0a1b2c3d', 'Carmen');
    await clock.pass(2_000);
    expect(monitor.verdict.get()).toMatchObject({ side: 'client', level: 'good' });
    monitor.stop();
  });

  // CALL-43
  it('says within 3 s that pictures have stopped, and that they are back', async () => {
    const room = new FakeRoom();
    const clock = new FakeClock();
    const session = new CallSession({ room, clock, ticket: async () => ({ url: 'ws://x', token: 't' }) });
    const camera = room.join('client:0a1b2c3d', 'Carmen').publish('camera');
    await session.start();
    const monitor = new HealthMonitor(session, clock);
    monitor.start();
    for (const turn of [1, 2, 3, 4, 5, 6]) {
      camera.track.stats = { framesDecoded: turn * 12 };
      await clock.pass(500);
      expect(monitor.frozen.get()).toBe(false);
    }
    await clock.pass(3_000);
    expect(monitor.frozen.get()).toBe(true);
    camera.track.stats = { framesDecoded: 100 };
    await clock.pass(800);
    expect(monitor.frozen.get()).toBe(false);
    // A paused picture has not stopped by itself.
    camera.isMuted = true;
    room.emit('trackMuted');
    await clock.pass(5_000);
    expect(monitor.frozen.get()).toBe(false);
    monitor.stop();
  });

  it('does not call a restarted counter a loss', () => {
    expect(lossBetween({ packetsLost: 1, packetsReceived: 5 }, { packetsLost: 9, packetsReceived: 900 })).toBeNull();
    expect(lossBetween({ packetsLost: 10, packetsReceived: 190 }, { packetsLost: 0, packetsReceived: 100 })).toBe(0.1);
  });
});
