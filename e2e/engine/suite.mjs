#!/usr/bin/env node
/**
 * The media engine's browser suite. It speaks to any engine that speaks LiveKit's signalling:
 *
 *   node suite.mjs --engine embedded --url ws://host:port --http http://host:port --key K --secret S
 *   … --server PATH_OF_ATALAYA                            also a call by TURN inside the server's TLS
 *   node suite.mjs --engine livekit --start PATH_OF_BINARY     starts the engine itself (see servers.mjs) and stops it
 *
 * Prints `ok N name` / `not ok N name` / `skip N name # reason`, ends with `N passed, N failed[, N skipped]`; exit code 1 when one failed.
 */
import { ownAddress, parseArgs } from './lib/args.mjs';
import { startChromium } from './lib/browsers.mjs';
import { serveHarness } from './lib/harness-server.mjs';
import { Report } from './lib/report.mjs';
import { RoomService } from './lib/twirp.mjs';
import { leaveAll } from './lib/call.mjs';
import { cannotCut } from './cut.mjs';
import { startEmbedded, startLiveKit } from './servers.mjs';
import { mediaChecks } from './checks/media.mjs';
import { trackChecks } from './checks/tracks.mjs';
import { layerChecks } from './checks/layers.mjs';
import { reconnectChecks } from './checks/reconnect.mjs';
import { moderationChecks } from './checks/moderation.mjs';
import { rightsChecks } from './checks/rights.mjs';
import { firefoxChecks } from './checks/firefox.mjs';
import { networkChecks } from './checks/network.mjs';
import { relayChecks } from './checks/relay.mjs';
import { garbageChecks } from './checks/garbage.mjs';
import { recordingChecks } from './checks/recording.mjs';

const DEFAULTS = {
  engine: 'embedded', url: '', http: '', key: '', secret: '', start: '', port: '7950', 'harness-ports': '8170,8171,8172', groups: '', server: '', verbose: false, long: false,
};

async function engineUnderTest(args) {
  if (!args.start) {
    for (const name of ['url', 'key', 'secret']) if (!args[name]) throw new Error(`--${name} is missing (or --start a binary)`);
    return { url: args.url, http: args.http || args.url.replace(/^ws/, 'http'), pair: { key: args.key, secret: args.secret }, close: async () => {} };
  }
  const start = args.engine === 'livekit' ? startLiveKit : startEmbedded;
  return start({ binary: args.start, address: ownAddress() ?? '127.0.0.1', port: Number(args.port) });
}

async function run(args) {
  const engine = await engineUnderTest(args);
  const harness = await serveHarness(args['harness-ports'].split(',').map(Number));
  const report = new Report({ engine: args.engine, verbose: args.verbose });
  const browser = await startChromium(harness.address);
  console.log(`# engine ${args.engine} at ${engine.url}; Chromium ${browser.version}; livekit-client 2.23.0`);
  const started = Date.now();
  const ctx = { ...engine, engine: args.engine, report, browser, harness: harness.address, service: new RoomService(engine.http, engine.pair), noCut: cannotCut(), long: args.long, server: args.server, port: Number(args.port) };
  const wanted = args.groups ? args.groups.split(',') : null;
  const group = async (name, body) => {
    if (wanted && !wanted.includes(name)) return;
    const at = Date.now();
    // A group that fails as a whole (a browser died) must not hide the results of the others.
    await body().catch((error) => report.check(`group ${name} runs`, () => Promise.reject(error)));
    console.log(`# group ${name}: ${((Date.now() - at) / 1000).toFixed(0)} s`);
  };
  try {
    const [a, b, c] = [await browser.open(), await browser.open(), await browser.open()];
    await group('call', async () => {
      await mediaChecks(ctx, { a, b });
      await trackChecks(ctx, { a, b, c });
      await leaveAll(a, b, c);
    });
    await group('layers', () => layerChecks(ctx, { a, b }));
    await group('reconnect', () => reconnectChecks(ctx, { a, b }));
    await group('moderation', () => moderationChecks(ctx, { a, b, c }));
    await group('rights', () => rightsChecks(ctx, { a, b }));
    await group('garbage', () => garbageChecks(ctx, { a, b }));
    await group('network', () => networkChecks(ctx, { a, b }));
    await group('relay', () => relayChecks(ctx, { a, b }));
    await group('firefox', () => firefoxChecks(ctx, { a }));
    await group('recording', () => recordingChecks(ctx, { a, b })); // last: it ends the engine
  } finally {
    await browser.close().catch(() => {});
    harness.close();
    await engine.close();
  }
  console.log(`# server ${ctx.serverInfo?.version ?? 'unknown'}; ${((Date.now() - started) / 1000).toFixed(0)} s; log ${engine.log ?? 'elsewhere'}`);
  return report.finish();
}

try {
  process.exit(await run(parseArgs(process.argv.slice(2), DEFAULTS)));
} catch (error) {
  console.error(`suite: ${error.message}`);
  process.exit(2);
}
