import { Room, VideoPresets } from 'livekit-client';
import type { RoomPort } from './core/ports';

/**
 * A livekit-client room with the adjuster's settings. The client sends up to 720p but receives only a small face
 * (MARKET §2 complaint 12), so our own camera is 360p with one lower layer. Audio carries RED (CONGESTION §4).
 */
export function createRoom(): RoomPort {
  const room = new Room({
    // Layers follow the size of the elements on screen: they must be sized by CSS (MEDIA pitfall 10).
    adaptiveStream: { pixelDensity: 'screen' },
    dynacast: true,
    disconnectOnPageLeave: true,
    audioCaptureDefaults: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    videoCaptureDefaults: { resolution: VideoPresets.h360.resolution },
    publishDefaults: { red: true, dtx: true, simulcast: true, videoSimulcastLayers: [VideoPresets.h180] },
  });
  return room as unknown as RoomPort;
}
