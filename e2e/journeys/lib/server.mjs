/** Starts the real binary on fresh demo data and reads what it prints, as a new user would. */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The environment without our own settings, because the server refuses names it does not know. */
export const plainEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ATALAYA_')));

/** Whether the port is free on every address. */
const freeForTcp = (port) =>
  new Promise((answer) => {
    const server = createServer().on('error', () => answer(false));
    server.listen(port, '0.0.0.0', () => server.close(() => answer(true)));
  });

const freeForUdp = (port) =>
  new Promise((answer) => {
    const socket = createSocket('udp4').on('error', () => answer(false));
    socket.bind(port, '0.0.0.0', () => socket.close(() => answer(true)));
  });

/** Each process has a share of the ports of its own, so that two journeys at once never try the same one. */
const SHARE = 300;
const FIRST = 20_000 + SHARE * (process.pid % 40);
/** A port belongs to its first server of this process, even before that listens. */
const handedOut = new Set();

/**
 * A free port below the kernel's range for outgoing connections, so that nobody takes it while a journey restarts its
 * server.
 */
async function freeNumber(...questions) {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * SHARE);
    if (handedOut.has(port)) continue;
    const free = await Promise.all(questions.map((ask) => ask(port)));
    if (!free.every(Boolean)) continue;
    handedOut.add(port);
    return port;
  }
}

export const freePort = () => freeNumber(freeForTcp);

/** A port that is free for both UDP and TCP. */
export const freeMediaPort = () => freeNumber(freeForUdp, freeForTcp);

/** A data folder of its own, with the demo data that `run.mjs` has seeded; without a seed the server fills it itself. */
export async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'atalaya-journey-'));
  const seed = process.env.ATALAYA_JOURNEY_SEED;
  if (seed) await cp(seed, folder, { recursive: true });
  return folder;
}

/**
 * @param {{ binary: string, args?: string[], env?: Record<string, string>, dataDir?: string, port?: number, mediaPort?: number }} options
 */
export async function startServer({ binary, args = ['--demo'], env = {}, dataDir, port, mediaPort }) {
  const folder = dataDir ?? (await newFolder());
  const http = port ?? (await freePort());
  const media = mediaPort ?? (await freeMediaPort());
  const url = `http://localhost:${http}`;
  const child = spawn(binary, ['serve', ...args], {
    env: {
      ...plainEnvironment(),
      ATALAYA_DATA_DIR: folder,
      ATALAYA_LISTEN: `127.0.0.1:${http}`,
      ATALAYA_PUBLIC_URL: url,
      ATALAYA_MEDIA_UDP_PORT: String(media),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk) => {
    output += chunk;
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const exited = new Promise((done) => child.once('exit', done));
  const deadline = Date.now() + 120_000;
  /** Ends a server that did not become ready; otherwise it would keep the whole run waiting. */
  const giveUp = (why) => {
    child.kill('SIGKILL');
    throw new Error(`${why}:\n${output}`);
  };
  for (;;) {
    if (child.exitCode !== null) giveUp('the server ended before it was ready');
    if (Date.now() > deadline) giveUp('the server was not ready in time');
    const ready = await fetch(`${url}/readyz`).then((r) => r.ok, () => false);
    if (ready && output.includes('is ready')) break;
    await new Promise((done) => setTimeout(done, 150));
  }
  // The accounts as they are printed for a new user: name, password, what for.
  const accounts = [...output.matchAll(/^\s{2,}(\S+@\S+)\s+(\S+)\s+(\S.*)$/gm)].map(([, email, password, what]) => ({
    email,
    password,
    what: what.trim(),
  }));
  return {
    url,
    media,
    folder,
    port: http,
    pid: child.pid,
    accounts,
    output: () => output,
    /** Ends the process: `SIGTERM` orderly, `SIGKILL` like a crash. */
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
    async clean() {
      child.kill('SIGKILL');
      await exited;
      if (!dataDir) await rm(folder, { recursive: true, force: true });
    },
  };
}
