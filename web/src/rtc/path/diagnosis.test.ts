import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-room';
import { type Diagnosis, diagnose, type Reading, type Stat, troubleOf } from './diagnosis';
import { type ConnectionReport, PathReporter, READ_EVERY_MS } from './report';

const pair = (more: Partial<Stat> = {}): Stat => ({
  id: 'P1',
  type: 'candidate-pair',
  state: 'succeeded',
  nominated: true,
  localCandidateId: 'L1',
  currentRoundTripTime: 0.042,
  ...more,
});
const local = (more: Partial<Stat>): Stat => ({ id: 'L1', type: 'local-candidate', ...more });
const sent = (bytesSent: number): Stat => ({ id: 'O1', type: 'outbound-rtp', bytesSent });

function reading(stats: Stat[] | null, more: Partial<Reading> = {}): Reading {
  const lost = { cameraLost: false, microphoneLost: false };
  return { at: 1000, server: true, ice: 'connected', due: true, direction: 'sent', stats, ...lost, ...more };
}

// CALL-61
describe('the way in use', () => {
  it.each([
    [{ candidateType: 'host', protocol: 'udp' }, 'udp', []],
    [{ candidateType: 'srflx', protocol: 'udp' }, 'udp', []],
    [{ candidateType: 'prflx', protocol: 'tcp' }, 'tcp', ['udp']],
    [{ candidateType: 'relay', protocol: 'udp', relayProtocol: 'udp' }, 'relay-udp', ['udp']],
    [{ candidateType: 'relay', protocol: 'udp', relayProtocol: 'tcp' }, 'relay-tcp', ['udp', 'tcp']],
    [{ candidateType: 'relay', protocol: 'udp', relayProtocol: 'tls' }, 'relay-tls', ['udp', 'tcp']],
  ])('of %o', (candidate, way, failed) => {
    const found = diagnose(reading([pair(), local(candidate), sent(1)]), null);
    expect(found).toMatchObject({ way, failed, rttMs: 42 });
    expect(troubleOf(found), 'closed ways beside an open one are no trouble').toBeNull();
  });

  it('is the one that the transport names, or that Firefox marks', () => {
    const [one, two] = [pair({ id: 'P0', localCandidateId: 'L0' }), pair({ nominated: false })];
    const candidates = [
      local({ id: 'L0', candidateType: 'host', protocol: 'udp' }),
      local({ candidateType: 'host', protocol: 'tcp' }),
    ];
    const transport: Stat = { id: 'T', type: 'transport', selectedCandidatePairId: 'P1' };
    expect(diagnose(reading([one, two, transport, ...candidates]), null).way).toBe('tcp');
    expect(diagnose(reading([one, { ...two, selected: true }, ...candidates]), null).way).toBe('tcp');
  });
});

// CALL-61
describe('what fails', () => {
  const way = [pair(), local({ candidateType: 'host', protocol: 'udp' })];

  it('is each way that was tried, when none is left', () => {
    const tried = [
      local({ candidateType: 'host', protocol: 'udp' }),
      local({ id: 'L2', candidateType: 'host', protocol: 'tcp' }),
      local({ id: 'L3', candidateType: 'relay', protocol: 'udp', relayProtocol: 'tls' }),
    ];
    const found = diagnose(reading([pair(), ...tried], { ice: 'failed' }), null);
    expect(found).toMatchObject({ way: null, failed: ['udp', 'tcp', 'relay'] });
    expect(troubleOf(found)).toBe('relay');
    expect(diagnose(reading([], { ice: 'failed' }), null).failed).toEqual(['udp']);
    expect(diagnose(reading([], { ice: 'checking' }), null).failed, 'still trying').toEqual([]);
  });

  it('is the server alone while it cannot be reached', () => {
    const found = diagnose(reading(way, { ice: 'disconnected', server: false }), null);
    expect(found).toMatchObject({ way: null, failed: ['server'] });
  });

  it('is the camera or the microphone that ended', () => {
    const found = diagnose(reading(null, { cameraLost: true, microphoneLost: true }), null);
    expect(found.failed).toEqual(['camera', 'microphone']);
    expect(troubleOf(found)).toBe('microphone');
  });

  it('is the media that do not flow on an open way, only when they are due', () => {
    const before = reading([...way, sent(900)]);
    expect(diagnose(reading([...way, sent(900)]), before).failed).toEqual(['media']);
    expect(diagnose(reading([...way, sent(901)]), before).failed).toEqual([]);
    expect(diagnose(reading([...way, sent(900)], { due: false }), before).failed).toEqual([]);
    expect(diagnose(reading([...way, sent(5)]), before).failed, 'counted anew').toEqual([]);
  });

  it('is the bandwidth, by what fits and by what is lost', () => {
    const narrow = [pair({ availableOutgoingBitrate: 90_000 }), local({ candidateType: 'host', protocol: 'udp' })];
    const found = diagnose(reading([...narrow, sent(2)]), reading([...narrow, sent(1)]));
    expect(found).toMatchObject({ failed: ['bandwidth'], kbps: 90 });
    const inbound = (packetsReceived: number, packetsLost: number, bytesReceived: number): Stat[] => [
      ...way,
      { id: 'I', type: 'inbound-rtp', packetsReceived, packetsLost, bytesReceived },
    ];
    const received = (stats: Stat[], at: number) => reading(stats, { direction: 'received', at });
    const lossy = diagnose(received(inbound(180, 20, 51_000), 2000), received(inbound(100, 0, 1000), 1000));
    expect(lossy).toMatchObject({ failed: ['bandwidth'], lossPercent: 20, kbps: 400 });
  });
});

// CALL-61
describe('telling', () => {
  const udp = [pair(), local({ candidateType: 'host', protocol: 'udp' })];
  const tls = [pair(), local({ candidateType: 'relay', protocol: 'udp', relayProtocol: 'tls' })];

  function setup() {
    const clock = new FakeClock();
    const told: ConnectionReport[] = [];
    const shown: Diagnosis[] = [];
    const host = { stats: udp, arrives: true };
    let bytes = 0;
    const reporter = new PathReporter(
      {
        read: async () => reading([...host.stats, sent(++bytes)]),
        show: (one) => shown.push(one),
        tell: async (report) => {
          if (host.arrives) told.push(report);
          return host.arrives;
        },
      },
      clock,
    );
    reporter.start();
    return { clock, told, shown, host, reporter };
  }

  it('happens for what lasts, once for each change', async () => {
    const { clock, told, host, reporter } = setup();
    await clock.pass(READ_EVERY_MS);
    expect(told, 'seen once').toEqual([]);
    await clock.pass(60_000);
    expect(told).toEqual([{ way: 'udp', failed: [], rttMs: 42, ageS: 0 }]);
    host.stats = tls;
    await clock.pass(30_000);
    expect(told.map(({ way, failed }) => [way, failed])).toEqual([
      ['udp', []],
      ['relay-tls', ['udp', 'tcp']],
    ]);
    reporter.stop();
    host.stats = udp;
    await clock.pass(60_000);
    expect(told).toHaveLength(2);
  });

  it('is made up for when the network is back, with how long ago it was', async () => {
    const { clock, told, host, reporter } = setup();
    host.arrives = false;
    await clock.pass(READ_EVERY_MS * 2);
    reporter.note({ way: null, failed: ['udp', 'tcp', 'relay'], rttMs: null, kbps: null, lossPercent: null });
    await clock.pass(40_000);
    host.arrives = true;
    await clock.pass(60_000);
    expect(told.map(({ way }) => way).slice(0, 2)).toEqual(['udp', null]);
    expect(told[0]?.ageS).toBeGreaterThanOrEqual(40);
  });
});
