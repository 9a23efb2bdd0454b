/** What a page really sends and receives, read from WebRTC's own statistics. */

/** Installed before a page's scripts: keeps every peer connection in reach. */
export const KEEP_CONNECTIONS = () => {
  const Native = window.RTCPeerConnection;
  window.__connections = [];
  window.RTCPeerConnection = class extends Native {
    constructor(...args) {
      super(...args);
      window.__connections.push(this);
    }
  };
};

/** Sums over all connections: decoded frames, received audio energy, frames sent. */
export function stats(page) {
  return page.evaluate(async () => {
    const sum = { frames: 0, energy: 0, samples: 0, sent: 0, audioPackets: 0, width: 0 };
    for (const connection of window.__connections ?? []) {
      if (connection.connectionState === 'closed') continue;
      for (const report of (await connection.getStats()).values()) {
        if (report.type === 'inbound-rtp' && report.kind === 'video') {
          sum.frames += report.framesDecoded ?? 0;
          sum.width = Math.max(sum.width, report.frameWidth ?? 0);
        }
        if (report.type === 'inbound-rtp' && report.kind === 'audio') {
          sum.energy += report.totalAudioEnergy ?? 0;
          sum.samples += report.totalSamplesReceived ?? 0;
          sum.audioPackets += report.packetsReceived ?? 0;
        }
        if (report.type === 'outbound-rtp' && report.kind === 'video') sum.sent += report.framesSent ?? 0;
      }
    }
    return sum;
  });
}

/** Waits until `page` decodes more frames and hears more than now. */
export async function flows(page, { timeout = 60_000, audio = true, frames = 10 } = {}) {
  const before = await stats(page);
  const deadline = Date.now() + timeout;
  for (;;) {
    const now = await stats(page);
    if (now.frames >= before.frames + frames && (!audio || now.energy > before.energy)) return { before, now };
    if (Date.now() > deadline) throw new Error(`no media: ${JSON.stringify({ before, now })}`);
    await page.waitForTimeout(250);
  }
}
