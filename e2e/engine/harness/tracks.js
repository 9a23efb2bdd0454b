/** The page's own tracks: microphone, camera, shared screens, and what is really sent of them. */
import { Track, VideoPresets } from 'livekit-client';

/** A moving picture of pure noise, whose key frames fill far more than 30 packets. */
function noiseCanvas(width, height, fps) {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  const tile = context.createImageData(width, height);
  let seed = 1;
  for (let i = 0; i < tile.data.length; i += 1) {
    seed = (seed * 1103515245 + 12345) >>> 0;
    tile.data[i] = i % 4 === 3 ? 255 : seed >>> 24;
  }
  let step = 0;
  const timer = setInterval(() => {
    context.putImageData(tile, 0, 0);
    context.fillStyle = '#fff';
    context.fillRect((step * 16) % width, 20, 120, 60);
    step += 1;
  }, 1000 / fps);
  return { track: canvas.captureStream(fps).getVideoTracks()[0], stop: () => clearInterval(timer) };
}

/**
 * @param {() => import('livekit-client').Room} room
 * @param {(thing: any) => Promise<any[]>} reportsOf statistics of a sender
 * @param {(error: any) => object} errorOf
 */
export function localTracks(room, reportsOf, errorOf) {
  const me = () => room().localParticipant;
  return {
    // One channel, because the client leaves RED off for stereo; unprocessed, because the sound is artificial.
    microphone: (on) => me().setMicrophoneEnabled(on, { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false }, { red: true, forceStereo: false }).then(() => true, errorOf),
    /** Publishes, mutes or unmutes the camera; 1280 wide gives three layers, 640 two. */
    camera: (on, { width = 640, height = 360, fps = 15 } = {}) =>
      me()
        .setCameraEnabled(on, { resolution: { width, height, frameRate: fps } }, width >= 960 ? { videoSimulcastLayers: [VideoPresets.h180, VideoPresets.h360] } : {})
        .then(() => true, errorOf),
    own: () => [...me().trackPublications.values()].map((t) => ({ sid: t.trackSid, source: t.source, muted: t.isMuted })),
    unpublish: async (source) => {
      const publication = me().getTrackPublication(source);
      await me().unpublishTrack(publication.track, true);
    },
    /** Sending statistics of one own track, one entry per layer. */
    outbound: async (source) => {
      const sender = me().getTrackPublication(source)?.track?.sender;
      if (!sender) return [];
      const reports = await reportsOf(sender);
      return reports
        .filter((s) => s.type === 'outbound-rtp')
        .map((s) => ({
          rid: s.rid ?? null, frames: s.framesSent ?? 0, packets: s.packetsSent ?? 0, bytes: s.bytesSent ?? 0, target: s.targetBitrate ?? 0, active: s.active ?? null, width: s.frameWidth ?? 0,
          limited: s.qualityLimitationReason ?? null, codec: reports.find((c) => c.id === s.codecId)?.mimeType ?? null,
        }));
    },
    permissions: () => ({ publish: me().permissions?.canPublish, data: me().permissions?.canPublishData, subscribe: me().permissions?.canSubscribe }),
    /** Makes the client believe that it may do everything: what is refused then is refused by the engine. */
    pretendAllowed: () => {
      const real = me().permissions ?? {};
      Object.defineProperty(me(), 'permissions', { get: () => Object.assign(Object.create(real), { canPublish: true, canPublishData: true, canPublishSources: [] }), set: () => {} });
    },
  };
}

/** @param {() => import('livekit-client').Room} room */
export function screenShares(room) {
  let noise = null;
  return {
    /** Publishes a drawn picture as the shared screen. */
    shareCanvas: async ({ width = 1280, height = 720, fps = 5 } = {}) => {
      noise = noiseCanvas(width, height, fps);
      const publication = await room().localParticipant.publishTrack(noise.track, { source: Track.Source.ScreenShare, simulcast: false, screenShareEncoding: { maxBitrate: 2_500_000, maxFramerate: fps } });
      return publication.trackSid;
    },
    unshareCanvas: async () => {
      await room().localParticipant.unpublishTrack(noise.track, true);
      noise.stop();
    },
    /** The browser's own screen sharing (getDisplayMedia). */
    shareScreen: (on) =>
      room()
        .localParticipant.setScreenShareEnabled(on, { video: true, audio: false, contentHint: 'detail' }, { simulcast: false })
        .then((p) => (on ? (p?.trackSid ?? null) : true), (error) => ({ message: String(error?.message ?? error) })),
  };
}
