import { Room, VideoPresets } from 'livekit-client';
import type { RoomPort } from './core/ports';

/**
 * A livekit-client room with the adjuster's settings. The client sends up to 720p but shows only a small face of the
 * adjuster, so our own camera is 360p with one lower layer. RED lets audio survive packet loss.
 */
export function createRoom(): RoomPort {
  const room = new Room({
    // Layers follow the size of the video elements on screen, which therefore must be sized by CSS.
    adaptiveStream: { pixelDensity: 'screen' },
    dynacast: true,
    disconnectOnPageLeave: true,
    audioCaptureDefaults: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    videoCaptureDefaults: { resolution: VideoPresets.h360.resolution },
    publishDefaults: { red: true, dtx: true, simulcast: true, videoSimulcastLayers: [VideoPresets.h180] },
  });
  return room as unknown as RoomPort;
}
