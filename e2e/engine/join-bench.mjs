#!/usr/bin/env node
/**
 * Join → first remote frame, two engines in the same run, alternating (A B, B A, …) so that the machine's load hits both alike.
 * Measured in the page: from the call of `room.connect()` to the first remote video frame handed to the compositor.
 *
 *   node join-bench.mjs --a-name embedded --a-start BINARY --b-name livekit --b-start BINARY [--joins 20] [--rest MS]
 *   node join-bench.mjs --a-name embedded --a-url ws://… --a-key K --a-secret S --b-name livekit --b-url ws://… --b-key K --b-secret S
 *
 * Prints every engine's median, quartiles and the ratio A/B of the medians; exit code 1 when a join failed or, with `--max-ratio R`, when the ratio is above R.
 */
import { ownAddress, parseArgs } from './lib/args.mjs';
import { startChromium } from './lib/browsers.mjs';
import { framesRise, join, roomName } from './lib/call.mjs';
import { serveHarness } from './lib/harness-server.mjs';
import { must, pause, until } from './lib/report.mjs';
import { startEmbedded, startLiveKit } from './servers.mjs';

const SIDE = { name: '', url: '', key: '', secret: '', start: '' };
const DEFAULTS = {
  ...Object.fromEntries(['a', 'b'].flatMap((s) => Object.entries(SIDE).map(([k, v]) => [`${s}-${k}`, v]))),
  'a-name': 'embedded', 'b-name': 'livekit', joins: '20', rest: '1500', port: '7960', 'harness-ports': '8173,8174,8175', 'max-ratio': '',
};

/** @returns the engine of one side: started here, or the one at the given address */
async function engineOf(args, side, port) {
  const name = args[`${side}-name`];
  const binary = args[`${side}-start`];
  if (binary) {
    const start = name === 'livekit' ? startLiveKit : startEmbedded;
    return { name, ...(await start({ binary, address: ownAddress() ?? '127.0.0.1', port })) };
  }
  must(args[`${side}-url`], `--${side}-url or --${side}-start is missing`);
  return { name, url: args[`${side}-url`], pair: { key: args[`${side}-key`], secret: args[`${side}-secret`] }, close: async () => {} };
}

/** One publisher with camera and microphone, there before every join. */
async function publisher(browser, engine) {
  const peer = await browser.open();
  engine.room = roomName(`bench-${engine.name}`);
  await join(engine, peer, engine.room, 'publisher');
  must((await peer.call('microphone', true)) === true, 'microphone was not published');
  must((await peer.call('camera', true)) === true, 'camera was not published');
}

/** One join and leave. @returns {Promise<{connected: number, frame: number}>} milliseconds since `connect()` was called */
async function oneJoin(peer, engine, index, rest) {
  const outcome = await join(engine, peer, engine.room, `viewer-${index}`);
  const seen = await until('the first remote frame', async () => {
    const { joinedAt, frames } = await peer.call('firstFrames');
    const first = Object.values(frames)[0];
    return first && { joinedAt, at: first.at };
  }, { ms: 20000, every: 20 });
  await framesRise(peer, 'publisher', { by: 1 });
  await peer.call('leave');
  // Engines ask a publisher for key frames at most once in 0.4 to 1 s. A join right after another would measure that throttle.
  await pause(Number(rest));
  return { connected: outcome.ms, frame: seen.at - seen.joinedAt };
}

/** Quantile of numbers, linear between neighbours. */
export function quantile(values, q) {
  const sorted = [...values].sort((x, y) => x - y);
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]) * (at - low);
}

const line = (name, values) => `${name}: median ${quantile(values, 0.5).toFixed(0)} ms (quartiles ${quantile(values, 0.25).toFixed(0)}–${quantile(values, 0.75).toFixed(0)}, min ${Math.min(...values).toFixed(0)}, max ${Math.max(...values).toFixed(0)}, n ${values.length})`;

async function run(args) {
  const engines = [await engineOf(args, 'a', Number(args.port)), await engineOf(args, 'b', Number(args.port) + 10)];
  const harness = await serveHarness(args['harness-ports'].split(',').map(Number));
  const browser = await startChromium(harness.address);
  const times = engines.map(() => ({ connected: [], frame: [] }));
  try {
    for (const engine of engines) await publisher(browser, engine);
    const viewer = await browser.open();
    for (const engine of engines) await oneJoin(viewer, engine, 'warm', args.rest); // the first one pays for code and caches
    for (let i = 0; i < Number(args.joins); i += 1) {
      // A B, B A, A B …: whoever comes second pays for the first one's clean-up, so each is second equally often.
      for (const n of i % 2 ? [1, 0] : [0, 1]) {
        const engine = engines[n];
        const { connected, frame } = await oneJoin(viewer, engine, i, args.rest);
        times[n].connected.push(connected);
        times[n].frame.push(frame);
      }
    }
  } finally {
    await browser.close().catch(() => {});
    harness.close();
    await Promise.all(engines.map((e) => e.close()));
  }
  console.log(`# join → first remote frame, Chromium ${browser.version}, ${args.joins} joins each, alternating`);
  engines.forEach((e, n) => console.log(line(`${e.name} connected`, times[n].connected)));
  engines.forEach((e, n) => console.log(line(`${e.name} first frame`, times[n].frame)));
  const ratio = quantile(times[0].frame, 0.5) / quantile(times[1].frame, 0.5);
  console.log(`ratio ${engines[0].name}/${engines[1].name}: ${ratio.toFixed(2)}`);
  return args['max-ratio'] && ratio > Number(args['max-ratio']) ? 1 : 0;
}

try {
  process.exit(await run(parseArgs(process.argv.slice(2), DEFAULTS)));
} catch (error) {
  console.error(`join-bench: ${error.message}`);
  process.exit(1);
}
