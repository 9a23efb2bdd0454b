/**
 * How a side's media come and what fails (CALL-61), from the browser's own statistics. Pure, and shared by both sides;
 * `path/report.ts` reads and tells.
 */

export type Way = 'udp' | 'tcp' | 'relay-udp' | 'relay-tcp' | 'relay-tls';
export type Failure = 'camera' | 'microphone' | 'udp' | 'tcp' | 'relay' | 'bandwidth' | 'media' | 'server';

export const WAYS: readonly string[] = ['udp', 'tcp', 'relay-udp', 'relay-tcp', 'relay-tls'];
export const FAILURES: readonly string[] = [
  'camera',
  'microphone',
  'udp',
  'tcp',
  'relay',
  'bandwidth',
  'media',
  'server',
];

/** The parts of a report that are read. Browsers leave out what they do not measure. */
export interface Stat {
  id: string;
  type: string;
  state?: string;
  nominated?: boolean;
  /** Firefox only. */
  selected?: boolean;
  selectedCandidatePairId?: string;
  localCandidateId?: string;
  candidateType?: string;
  protocol?: string;
  relayProtocol?: string;
  currentRoundTripTime?: number;
  availableOutgoingBitrate?: number;
  bytesSent?: number;
  bytesReceived?: number;
  packetsReceived?: number;
  packetsLost?: number;
  fractionLost?: number;
}

/** What a page sees at one moment. */
export interface Reading {
  /** Milliseconds. */
  at: number;
  /** The server can be reached. */
  server: boolean;
  /** State of the media's path; undefined where there is none or the browser does not say. */
  ice: RTCIceTransportState | undefined;
  /** Null while there is no connection to ask. */
  stats: readonly Stat[] | null;
  /** Media of this direction are due: somebody sends, and somebody wants it. */
  due: boolean;
  direction: 'sent' | 'received';
  /** A device that this side uses has ended or was taken away. */
  cameraLost: boolean;
  microphoneLost: boolean;
}

export interface Diagnosis {
  /** Null while nothing passes. */
  way: Way | null;
  failed: Failure[];
  rttMs: number | null;
  /** What the browser thinks fits, or what came. */
  kbps: number | null;
  lossPercent: number | null;
}

/** Voice and a small picture need this much; bits a second. */
const ENOUGH_BPS = 150_000;
/** From here on voice breaks; parts of one. */
const TOO_MUCH_LOSS = 0.1;

/** The pair that is used: as the transport names it, as Firefox marks it, or the one that won. */
function chosenPair(stats: readonly Stat[]): Stat | undefined {
  const named = stats.find(({ type, selectedCandidatePairId }) => type === 'transport' && selectedCandidatePairId);
  const pairs = stats.filter(({ type }) => type === 'candidate-pair');
  return (
    pairs.find(({ id }) => id === named?.selectedCandidatePairId) ??
    pairs.find(({ selected }) => selected) ??
    pairs.find(({ nominated, state }) => nominated && state === 'succeeded')
  );
}

/** How a local candidate goes: directly, or by the relay and what leads there. */
export function wayOf({ candidateType, protocol, relayProtocol }: Stat): Way | null {
  if (candidateType === 'relay') {
    if (relayProtocol === 'tls') return 'relay-tls';
    return relayProtocol === 'tcp' ? 'relay-tcp' : 'relay-udp';
  }
  if (protocol === 'tcp') return 'tcp';
  return protocol === 'udp' ? 'udp' : null;
}

/** The direct way by UDP is preferred, then TCP, then the relay: whoever uses a later one was refused by the ones before. */
const BEFORE: Record<Way, Failure[]> = {
  udp: [],
  tcp: ['udp'],
  'relay-udp': ['udp'],
  'relay-tcp': ['udp', 'tcp'],
  'relay-tls': ['udp', 'tcp'],
};

/** With no way at all: each one that was tried. */
function refused(stats: readonly Stat[]): Failure[] {
  const tried = new Set(stats.filter(({ type }) => type === 'local-candidate').map(wayOf));
  const failed: Failure[] = [];
  if (tried.has('udp')) failed.push('udp');
  if (tried.has('tcp')) failed.push('tcp');
  if ([...tried].some((way) => way?.startsWith('relay'))) failed.push('relay');
  // Not even an address of its own: UDP is what every browser tries first.
  return failed.length ? failed : ['udp'];
}

const sum = (
  stats: readonly Stat[],
  type: string,
  field: 'bytesSent' | 'bytesReceived' | 'packetsReceived' | 'packetsLost',
) => {
  const values = stats.flatMap((one) => (one.type === type && one[field] !== undefined ? [one[field]] : []));
  return values.length ? values.reduce((total, value) => total + value, 0) : null;
};

const bytesOf = ({ stats, direction }: Reading) =>
  stats &&
  (direction === 'sent' ? sum(stats, 'outbound-rtp', 'bytesSent') : sum(stats, 'inbound-rtp', 'bytesReceived'));

/** Parts of one, as the other end reports it, or as what came in between tells. */
function lossOf(now: Reading, before: Reading | null): number | null {
  if (!now.stats) return null;
  if (now.direction === 'sent') {
    const told = now.stats.flatMap((one) => (one.type === 'remote-inbound-rtp' ? [one.fractionLost ?? 0] : []));
    return told.length ? Math.max(...told) : null;
  }
  const grown = (field: 'packetsReceived' | 'packetsLost') => {
    const [to, from] = [now, before].map((one) => one?.stats && sum(one.stats, 'inbound-rtp', field));
    return to == null || from == null || to < from ? null : to - from;
  };
  const [came, lost] = [grown('packetsReceived'), grown('packetsLost')];
  return came === null || lost === null || came + lost === 0 ? null : lost / (came + lost);
}

/** What this reading and the one before it say; a counter that restarted says nothing. */
export function diagnose(now: Reading, before: Reading | null): Diagnosis {
  const failed = new Set<Failure>();
  if (now.cameraLost) failed.add('camera');
  if (now.microphoneLost) failed.add('microphone');
  if (!now.server) failed.add('server');
  const nothing = { way: null, rttMs: null, kbps: null, lossPercent: null };
  const { stats } = now;
  if (!stats) return { ...nothing, failed: [...failed] };
  const pair = chosenPair(stats);
  const local = pair && stats.find(({ id }) => id === pair.localCandidateId);
  const passes = pair && now.ice !== 'failed' && now.ice !== 'disconnected';
  if (!passes) {
    // Without the server nothing can be said about the ways to it.
    if (now.server && now.ice !== 'new' && now.ice !== 'checking') for (const one of refused(stats)) failed.add(one);
    return { ...nothing, failed: [...failed] };
  }
  const way = local ? wayOf(local) : null;
  if (way) for (const one of BEFORE[way]) failed.add(one);
  const [bytes, earlier] = [bytesOf(now), before && bytesOf(before)];
  const due = now.due && before?.due;
  if (due && bytes !== null && bytes === earlier) failed.add('media');
  const loss = lossOf(now, before);
  const room = pair.availableOutgoingBitrate;
  if (due && now.direction === 'sent' && room !== undefined && room > 0 && room < ENOUGH_BPS) failed.add('bandwidth');
  if (due && loss !== null && loss > TOO_MUCH_LOSS) failed.add('bandwidth');
  return {
    way,
    failed: [...failed],
    rttMs: pair.currentRoundTripTime === undefined ? null : Math.round(pair.currentRoundTripTime * 1000),
    kbps: now.direction === 'sent' ? (room ? Math.round(room / 1000) : null) : kbpsOf(bytes, earlier, now, before),
    lossPercent: loss === null ? null : Math.round(loss * 100),
  };
}

function kbpsOf(to: number | null, from: number | null, now: Reading, before: Reading | null): number | null {
  const ms = before ? now.at - before.at : 0;
  return to === null || from === null || to < from || ms <= 0 ? null : Math.round(((to - from) * 8) / ms);
}

/** Ways that are closed while another one is open are a fact and no trouble. */
export function troubleOf({ way, failed }: Pick<Diagnosis, 'way' | 'failed'>): Failure | null {
  const urgent: Failure[] = ['server', 'microphone', 'camera', 'relay', 'tcp', 'udp', 'media', 'bandwidth'];
  const closed: Failure[] = ['udp', 'tcp', 'relay'];
  return urgent.find((one) => failed.includes(one) && !(way && closed.includes(one))) ?? null;
}

/** Whether something has changed that is worth telling: numbers alone are not. */
export const sameCase = (a: Diagnosis, b: Diagnosis): boolean =>
  a.way === b.way && a.failed.length === b.failed.length && a.failed.every((one) => b.failed.includes(one));
