/**
 * The page of the suite: an unmodified livekit-client and a few functions the suite calls by name (`h.join`, `h.inbound`, …).
 * Everything a check wants to know is asked for; nothing is decided here.
 */
import { connectionFacts, iceServers, sockets, startBitrates, useTurnBy } from './probe.js';
import * as LK from 'livekit-client';
import { localTracks, screenShares } from './tracks.js';

const { Room, RoomEvent, Track, VideoQuality } = LK;
const state = { room: null, events: [], data: [], texts: [], bytes: [], warnings: [], firstFrame: {}, joinedAt: 0 };

LK.setLogLevel('warn');
LK.setLogExtension((level, message) => {
  if (level >= LK.LogLevel.warn) state.warnings.push(String(message));
});

const note = (name, detail = {}) => state.events.push({ at: performance.now(), name, ...detail });

/** Shows a track: videos get a CSS size, which decides their layer; audio is not muted, or it would report energy 0. */
function attach(track, publication, participant) {
  const element = track.attach();
  element.dataset.sid = publication.trackSid;
  if (track.kind === Track.Kind.Video) {
    element.style.cssText = 'width:640px;height:360px';
    element.playsInline = true;
    const seen = () => {
      state.firstFrame[publication.trackSid] ??= { at: performance.now(), identity: participant.identity, source: publication.source };
    };
    element.requestVideoFrameCallback?.(seen);
  }
  document.getElementById('stage').append(element);
  element.play?.().catch((error) => note('play-refused', { error: String(error) }));
}

function listen(room) {
  const who = (p) => ({ identity: p?.identity ?? null });
  room
    .on(RoomEvent.TrackSubscribed, (track, publication, p) => {
      attach(track, publication, p);
      note('subscribed', { ...who(p), source: publication.source, sid: publication.trackSid });
    })
    .on(RoomEvent.TrackUnsubscribed, (track, publication, p) => {
      track.detach().forEach((element) => element.remove());
      note('unsubscribed', { ...who(p), source: publication.source, sid: publication.trackSid });
    })
    .on(RoomEvent.TrackPublished, (publication, p) => note('published', { ...who(p), source: publication.source }))
    .on(RoomEvent.TrackUnpublished, (publication, p) => note('unpublished', { ...who(p), source: publication.source }))
    .on(RoomEvent.TrackMuted, (publication, p) => note('muted', { ...who(p), source: publication.source }))
    .on(RoomEvent.TrackUnmuted, (publication, p) => note('unmuted', { ...who(p), source: publication.source }))
    .on(RoomEvent.ParticipantConnected, (p) => note('joined', who(p)))
    .on(RoomEvent.ParticipantDisconnected, (p) => note('left', who(p)))
    .on(RoomEvent.ParticipantAttributesChanged, (changed, p) => note('attributes', { ...who(p), changed }))
    .on(RoomEvent.ActiveSpeakersChanged, (speakers) => note('speakers', { identities: speakers.map((p) => p.identity) }))
    .on(RoomEvent.ConnectionQualityChanged, (quality, p) => note('quality', { ...who(p), quality }))
    .on(RoomEvent.ConnectionStateChanged, (value) => note('state', { value }))
    .on(RoomEvent.SignalReconnecting, () => note('signal-reconnecting'))
    .on(RoomEvent.Reconnecting, () => note('reconnecting'))
    .on(RoomEvent.Reconnected, () => note('reconnected'))
    .on(RoomEvent.Disconnected, (reason) => note('disconnected', { reason: reason === undefined ? null : (LK.DisconnectReason[reason] ?? String(reason)) }))
    .on(RoomEvent.DataReceived, (payload, p, kind, topic) => {
      const text = payload.length <= 200 ? new TextDecoder().decode(payload) : null;
      const sum = payload.reduce((a, b) => (a * 31 + b) >>> 0, 7);
      state.data.push({ from: p?.identity ?? null, kind: LK.DataPacket_Kind[kind], topic: topic ?? null, length: payload.length, text, sum });
    });
  room.registerTextStreamHandler('suite', async (reader, from) => {
    state.texts.push({ from: from.identity, text: await reader.readAll() });
  });
  room.registerByteStreamHandler('suite', async (reader, from) => {
    const length = (await reader.readAll()).reduce((n, chunk) => n + chunk.length, 0);
    state.bytes.push({ from: from.identity, length, name: reader.info.name });
  });
  room.registerRpcMethod('double', async ({ payload, callerIdentity }) => JSON.stringify({ value: 2 * JSON.parse(payload), callerIdentity }));
}

const remoteOf = (identity) => state.room.remoteParticipants.get(identity);
const publicationOf = (identity, source) => remoteOf(identity)?.getTrackPublication(source);
const errorOf = (error) => ({ name: error?.name, message: String(error?.message ?? error), reason: error?.name === 'ConnectionError' ? LK.ConnectionErrorReason[error.reason] : null, status: error?.status ?? null });

/** Reports of one sender or receiver, by type. */
async function reportsOf(thing) {
  const all = [];
  (await thing.getStats()).forEach((s) => all.push(s));
  return all;
}

const session = {
  /** Connects; never throws: the outcome is the answer. */
  async join({ url, token, room = {}, connect = {} }) {
    state.room = new Room({ stopLocalTrackOnUnpublish: true, ...room });
    Object.assign(state, { events: [], data: [], texts: [], bytes: [], warnings: [], firstFrame: {} });
    listen(state.room);
    state.joinedAt = performance.now();
    try {
      await state.room.connect(url, token, { maxRetries: 1, ...connect });
      return { ok: true, ms: performance.now() - state.joinedAt, server: state.room.serverInfo ?? null };
    } catch (error) {
      return { ok: false, ms: performance.now() - state.joinedAt, error: errorOf(error) };
    }
  },
  async leave() {
    await state.room?.disconnect();
    document.getElementById('stage').replaceChildren();
  },
  facts: connectionFacts,
  iceServers,
  useTurnBy,
  startBitrates: () => startBitrates,
  sockets: () => ({ count: sockets.length, open: sockets.filter((s) => s.readyState === 1).length }),
  /** Closes the signalling socket from below, as a network would. */
  dropSocket: () => sockets.filter((s) => s.readyState === 1).forEach((s) => s.close()),
  simulate: (scenario) => state.room.simulateScenario(scenario),
  state: () => state.room?.state,
  events: () => state.events,
  mark: () => state.events.length,
  data: () => state.data,
  texts: () => state.texts,
  bytes: () => state.bytes,
  warnings: () => state.warnings,
  now: () => performance.now(),
  firstFrames: () => ({ joinedAt: state.joinedAt, frames: state.firstFrame }),
};

const sending = {
  async send(text, options = {}) {
    await state.room.localParticipant.publishData(new TextEncoder().encode(text), { reliable: true, topic: 'suite', ...options });
  },
  /** `length` bytes of a fixed pattern; returns the checksum the receiver must find. */
  async sendLarge(length) {
    const payload = Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) & 255);
    await state.room.localParticipant.publishData(payload, { reliable: true, topic: 'large' });
    return payload.reduce((a, b) => (a * 31 + b) >>> 0, 7);
  },
  sendText: (text) => state.room.localParticipant.sendText(text, { topic: 'suite' }).then(() => true),
  async sendFile(length) {
    await state.room.localParticipant.sendFile(new File([new Uint8Array(length)], 'file.bin'), { topic: 'suite' });
  },
  rpc: (to, value) => state.room.localParticipant.performRpc({ destinationIdentity: to, method: 'double', payload: JSON.stringify(value) }),
  rpcError: (to, method) =>
    state.room.localParticipant.performRpc({ destinationIdentity: to, method, payload: '' }).then(
      () => null,
      (error) => ({ code: error.code, message: error.message }),
    ),
  attributes: (value) => state.room.localParticipant.setAttributes(value).then(() => true, (error) => errorOf(error)),
};

const receiving = {
  /** What this page knows of another participant. */
  remote(identity) {
    const p = remoteOf(identity);
    if (!p) return null;
    const tracks = [...p.trackPublications.values()].map((t) => ({
      sid: t.trackSid, source: t.source, kind: t.kind, muted: t.isMuted, subscribed: t.isSubscribed, simulcasted: t.simulcasted, mime: t.mimeType,
    }));
    return { sid: p.sid, name: p.name, metadata: p.metadata, attributes: p.attributes, quality: p.connectionQuality, tracks };
  },
  identities: () => [...state.room.remoteParticipants.keys()],
  /** Receiving statistics of one remote track, or null when it is not subscribed. */
  async inbound(identity, source) {
    const track = publicationOf(identity, source)?.track;
    if (!track?.receiver) return null;
    const reports = await reportsOf(track.receiver);
    const r = reports.find((s) => s.type === 'inbound-rtp');
    if (!r) return null;
    const codec = reports.find((s) => s.id === r.codecId);
    const element = track.attachedElements[0];
    return {
      frames: r.framesDecoded ?? 0, width: r.frameWidth ?? 0, height: r.frameHeight ?? 0, packets: r.packetsReceived ?? 0, lost: r.packetsLost ?? 0, bytes: r.bytesReceived ?? 0,
      energy: r.totalAudioEnergy ?? 0, duration: r.totalSamplesDuration ?? 0, concealed: r.concealedSamples ?? 0, freezes: r.freezeCount ?? 0, keyFrames: r.keyFramesDecoded ?? 0,
      codec: codec?.mimeType ?? null, shown: element?.getVideoPlaybackQuality?.().totalVideoFrames ?? 0, muted: element?.muted ?? null,
    };
  },
  quality: (identity, source, name) => publicationOf(identity, source).setVideoQuality(VideoQuality[name]),
  subscribe: (identity, source, on) => publicationOf(identity, source).setSubscribed(on),
  enable: (identity, source, on) => publicationOf(identity, source).setEnabled(on),
  /** CSS size of a video element, for adaptive stream. */
  resize(identity, source, width, height) {
    publicationOf(identity, source).track.attachedElements.forEach((e) => {
      e.style.cssText = `width:${width}px;height:${height}px`;
    });
  },
};

window.h = { ...session, ...sending, ...receiving, ...localTracks(() => state.room, reportsOf, errorOf), ...screenShares(() => state.room) };
