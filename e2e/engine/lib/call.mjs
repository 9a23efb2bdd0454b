/** What the checks share: joining, and the three observations that matter (frames rise, sound arrives, frames stop). */
import { joinToken } from './token.mjs';
import { must, pause, until } from './report.mjs';

let roomSerial = 0;

/** A fresh room name: no check inherits anything from another group. */
export function roomName(group) {
  roomSerial += 1;
  return `suite-${group}-${process.pid}-${roomSerial}`;
}

/**
 * Joins, or fails with the client's own error.
 * @param {object} ctx the suite's context
 * @param {import('./browsers.mjs').Peer} peer
 * @param {string} room
 * @param {string} identity
 * @param {{grants?: object, options?: object, connect?: object, token?: string}} [more]
 */
export async function join(ctx, peer, room, identity, { grants = {}, options = {}, connect = {}, token } = {}) {
  const outcome = await peer.call('join', { url: ctx.url, token: token ?? joinToken(ctx.pair, room, identity, grants), room: options, connect });
  must(outcome.ok, `${identity} could not join: ${JSON.stringify(outcome.error)}`);
  return outcome;
}

/** Two peers in one fresh room, both publishing microphone and camera, both subscribed. */
export async function twoInACall(ctx, a, b, group, { camera = {}, options = {}, names = ['alice', 'bob'] } = {}) {
  const room = roomName(group);
  const [first, second] = names;
  await Promise.all([join(ctx, a, room, first, { options }), join(ctx, b, room, second, { options })]);
  for (const peer of [a, b]) {
    await peer.call('microphone', true);
    const outcome = await peer.call('camera', true, camera);
    must(outcome === true, `camera not published: ${JSON.stringify(outcome)}`);
  }
  await Promise.all([framesRise(a, second), framesRise(b, first)]);
  return { room, first, second };
}

export const leaveAll = (...peers) => Promise.all(peers.map((p) => p.call('leave').catch(() => {})));

/**
 * The video of `identity` decodes: at least `by` more frames within `ms`.
 * @returns {Promise<{from: number, to: number, stats: any}>}
 */
export async function framesRise(peer, identity, { source = 'camera', by = 8, ms = 12000 } = {}) {
  let from = null;
  const stats = await until(
    `${by} more frames of ${identity}/${source}`,
    async () => {
      const now = await peer.call('inbound', identity, source);
      if (now && (from === null || now.frames < from)) from = now.frames;
      return now && now.frames >= from + by && now;
    },
    { ms, show: () => peer.call('inbound', identity, source) },
  );
  return { from, to: stats.frames, stats };
}

/** Sound of `identity` arrives: audio energy rises. */
export async function energyRises(peer, identity, { ms = 12000, by = 1e-4 } = {}) {
  let from = null;
  return until(
    `audio energy of ${identity} to rise`,
    async () => {
      const now = await peer.call('inbound', identity, 'microphone');
      if (!now) return false;
      must(now.muted !== true, 'the audio element is muted: its energy would mean nothing');
      if (from === null || now.energy < from) from = now.energy;
      return now.energy > from + by && now;
    },
    { ms, show: () => peer.call('inbound', identity, 'microphone') },
  );
}

/** Nothing arrives any more: `field` does not change over `quiet` ms. */
export async function stops(peer, identity, source, { field = 'frames', quiet = 900, ms = 10000, slack = 0 } = {}) {
  return until(
    `${field} of ${identity}/${source} to stop`,
    async () => {
      const before = await peer.call('inbound', identity, source);
      await pause(quiet);
      const after = await peer.call('inbound', identity, source);
      return !after || !before || after[field] - before[field] <= slack;
    },
    { ms, every: 50 },
  );
}

/** Waits for an event of the page. */
export function event(peer, name, since, match = () => true, ms = 8000) {
  return until(`event ${name}`, async () => (await peer.events(name, since)).find(match), { ms, show: async () => (await peer.events(undefined, since)).slice(-12) });
}

/** Waits until `peer` sees a publication of `identity` with this source. */
export function sees(peer, identity, source, ms = 8000) {
  return until(`${identity}/${source} to be announced`, async () => (await peer.call('remote', identity))?.tracks.find((t) => t.source === source), { ms, show: () => peer.call('remote', identity) });
}
