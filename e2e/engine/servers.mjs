/** Starts the engine under test as a child process: a real LiveKit server, or a binary with the embedded engine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './lib/report.mjs';

/** Development key pair of the suite; it signs nothing outside a test run. */
export const PAIR = { key: 'suitekey', secret: 'suite-secret-that-is-long-enough-for-hs256-keys' };

async function running(child, http, log) {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the engine ended with ${code}; its log: ${log}`);
  });
  ended.catch(() => {});
  await Promise.race([ended, until(`an answer at ${http}`, async () => (await fetch(http, { signal: AbortSignal.timeout(1000) })).status > 0, { ms: 20000 })]);
}

function child(command, args, options, log) {
  const out = openSync(log, 'a');
  const process_ = spawn(command, args, { ...options, stdio: ['ignore', out, out] });
  process.on('exit', () => process_.kill('SIGKILL'));
  return process_;
}

async function stop(process_) {
  if (process_.exitCode !== null || process_.signalCode !== null) return;
  process_.kill('SIGTERM');
  const hard = setTimeout(() => process_.kill('SIGKILL'), 4000);
  await once(process_, 'exit');
  clearTimeout(hard);
}

/**
 * @param {{binary: string, address: string, port: number, webhook?: string}} options `port` HTTP, `port+1` ICE over TCP, `port+2` UDP
 * @returns {Promise<{url: string, http: string, pair: {key: string, secret: string}, log: string, pid: number, close: () => Promise<void>}>}
 */
export async function startLiveKit({ binary, address, port, webhook = '' }) {
  const folder = mkdtempSync(join(tmpdir(), 'atalaya-livekit-'));
  const config = join(folder, 'livekit.yaml');
  const log = join(folder, 'server.log');
  writeFileSync(config, [
    `port: ${port}`, 'keys:', `  ${PAIR.key}: ${PAIR.secret}`, 'rtc:', `  tcp_port: ${port + 1}`, `  udp_port: ${port + 2}`, `  node_ip: ${address}`, '  use_external_ip: false',
    address === '127.0.0.1' ? '  enable_loopback_candidate: true' : '', 'logging:', '  level: info',
    ...(webhook ? ['webhook:', `  api_key: ${PAIR.key}`, '  urls:', `    - ${webhook}`] : []), '',
  ].join('\n'));
  const server = child(binary, ['--config', config, '--bind', address], {}, log);
  const http = `http://${address}:${port}`;
  await running(server, http, log);
  return { url: http.replace('http', 'ws'), http, pair: PAIR, log, pid: server.pid, close: () => stop(server) };
}

/**
 * The embedded engine, either the example of `crates/sfu` or anything that takes the same environment names.
 * @param {{binary: string, address: string, port: number}} options `port` HTTP, `port+1` media (UDP and TCP)
 */
export async function startEmbedded({ binary, address, port }) {
  const folder = mkdtempSync(join(tmpdir(), 'atalaya-engine-'));
  const log = join(folder, 'engine.log');
  const env = {
    ...process.env,
    ATALAYA_LISTEN: `${address}:${port}`,
    ATALAYA_MEDIA_UDP_PORT: String(port + 1),
    ATALAYA_MEDIA_ANNOUNCE_IP: address,
    ATALAYA_MEDIA_API_KEY: PAIR.key,
    ATALAYA_MEDIA_API_SECRET: PAIR.secret,
    ATALAYA_DATA_DIR: folder,
    ATALAYA_RECORDINGS: join(folder, 'recordings'),
    RUST_LOG: process.env.RUST_LOG ?? 'info',
  };
  const server = child(binary, [], { env, cwd: folder }, log);
  const http = `http://${address}:${port}`;
  await running(server, http, log);
  return { url: http.replace('http', 'ws'), http, pair: PAIR, log, binary, recordings: env.ATALAYA_RECORDINGS, pid: server.pid, close: () => stop(server) };
}

/**
 * The whole server with a certificate of its own, so that TURN runs inside its TLS.
 * @param {{binary: string, address: string, port: number}} options `port` HTTPS, `port+1` media (UDP and TCP)
 */
export async function startServer({ binary, address, port }) {
  const folder = mkdtempSync(join(tmpdir(), 'atalaya-server-'));
  const log = join(folder, 'server.log');
  const http = `https://${address}:${port}`;
  const env = {
    ...process.env,
    ATALAYA_LISTEN: `${address}:${port}`,
    ATALAYA_PUBLIC_URL: http,
    ATALAYA_TLS: 'self-signed',
    ATALAYA_MEDIA_UDP_PORT: String(port + 1),
    ATALAYA_MEDIA_ANNOUNCE_IP: address,
    ATALAYA_MEDIA_API_KEY: PAIR.key,
    ATALAYA_MEDIA_API_SECRET: PAIR.secret,
    ATALAYA_DATA_DIR: folder,
  };
  const server = child(binary, ['serve'], { env, cwd: folder }, log);
  const ready = () => readFileSync(log, 'utf8').includes(' is ready: ') || (server.exitCode !== null && Promise.reject(new Error(`the server ended; its log: ${log}`)));
  await until('the server to be ready', async () => ready(), { ms: 30000 });
  return { url: http.replace('http', 'ws'), http, pair: PAIR, log, mediaPort: port + 1, close: () => stop(server) };
}
