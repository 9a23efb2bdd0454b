/**
 * Loaded before livekit-client: keeps every peer connection and websocket the page makes, so that the checks can look at
 * what was really negotiated and can break a connection from below, without using the client's private members.
 */
export const peerConnections = [];
export const sockets = [];

export const startBitrates = { offered: [], answered: [] };

const hints = (description) => [...(description?.sdp ?? '').matchAll(/x-google-start-bitrate=(\d+)/g)].map((m) => Number(m[1]));

let turnTransport = null;
/** Makes the page use its TURN servers by this transport, `udp` or `tcp`; null: as they were offered. */
export const useTurnBy = (transport) => {
  turnTransport = transport;
};

function configured(config) {
  if (!turnTransport || !config?.iceServers) return config;
  const by = (url) => (url.startsWith('turn:') ? url.replace(/transport=\w+/, `transport=${turnTransport}`) : url);
  return { ...config, iceServers: config.iceServers.map((server) => ({ ...server, urls: [...new Set([server.urls].flat().map(by))] })) };
}

const NativePeerConnection = globalThis.RTCPeerConnection;
globalThis.RTCPeerConnection = class extends NativePeerConnection {
  constructor(config, ...args) {
    super(configured(config), ...args);
    peerConnections.push(this);
  }

  // The client makes its connection before it knows the servers.
  setConfiguration(config) {
    super.setConfiguration(configured(config));
  }

  // The client writes a start bit rate into its offer; the browser obeys it only when the answer repeats it.
  setLocalDescription(description) {
    startBitrates.offered.push(...hints(description));
    return super.setLocalDescription(description);
  }

  setRemoteDescription(description) {
    startBitrates.answered.push(...hints(description));
    return super.setRemoteDescription(description);
  }
};

const NativeWebSocket = globalThis.WebSocket;
globalThis.WebSocket = class extends NativeWebSocket {
  constructor(...args) {
    super(...args);
    sockets.push(this);
  }
};

/** The newest peer connection that is not closed. */
export const livePeerConnection = () => peerConnections.filter((pc) => pc.connectionState !== 'closed').at(-1) ?? null;

/** The TURN servers that the newest peer connection was given. */
export const iceServers = () => (livePeerConnection()?.getConfiguration().iceServers ?? []).map((server) => ({ ...server, urls: [server.urls].flat() }));

const candidateLines = (sdp) => (sdp ?? '').split(/\r?\n/).filter((line) => line.startsWith('a=candidate:'));

/** Remote candidates as `{protocol, address, port}`, from the description and from statistics. */
async function remoteCandidates(pc) {
  const found = candidateLines(pc.remoteDescription?.sdp).map((line) => {
    const part = line.split(' ');
    return { protocol: part[2].toLowerCase(), address: part[4], port: Number(part[5]) };
  });
  (await pc.getStats()).forEach((s) => {
    if (s.type === 'remote-candidate' && s.port) found.push({ protocol: s.protocol, address: s.address, port: s.port });
  });
  return found;
}

/** The pair that carries the media: protocols, ports and the kind of the local candidate. */
async function selectedPair(pc) {
  const byId = new Map();
  (await pc.getStats()).forEach((s) => byId.set(s.id, s));
  const transport = [...byId.values()].find((s) => s.type === 'transport');
  const pairs = [...byId.values()].filter((s) => s.type === 'candidate-pair');
  const pair = byId.get(transport?.selectedCandidatePairId) ?? pairs.find((s) => s.nominated && s.state === 'succeeded');
  if (!pair) return null;
  const local = byId.get(pair.localCandidateId);
  const remote = byId.get(pair.remoteCandidateId);
  return { kind: local?.candidateType, relayProtocol: local?.relayProtocol ?? null, protocol: local?.protocol ?? remote?.protocol, remotePort: remote?.port, remoteAddress: remote?.address, rtt: pair.currentRoundTripTime, available: pair.availableOutgoingBitrate };
}

/** What the newest peer connection negotiated. */
export async function connectionFacts() {
  const pc = livePeerConnection();
  if (!pc) return null;
  const sdp = pc.localDescription?.sdp ?? '';
  return {
    count: peerConnections.filter((p) => p.connectionState !== 'closed').length,
    ice: pc.iceConnectionState,
    ufrag: /a=ice-ufrag:(\S+)/.exec(sdp)?.[1] ?? null,
    localCandidates: candidateLines(sdp),
    remote: await remoteCandidates(pc),
    pair: await selectedPair(pc),
    sections: pc.getTransceivers().map((t) => ({ mid: t.mid, kind: t.receiver.track?.kind, direction: t.direction, current: t.currentDirection, stopped: t.stopped ?? false })),
    answer: pc.remoteDescription?.sdp ?? '',
  };
}
