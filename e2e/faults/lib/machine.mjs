/** Starts the real binary on a folder of its own, with or without the shim, and speaks HTTP with it. */
import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { freeMediaPort, freePort, plainEnvironment } from '../../journeys/lib/server.mjs';

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** The server went away while it was asked. */
export class Gone extends Error {}

const agent = new Agent({ keepAlive: false });

/** One request on a connection of its own. Answers status, headers, bytes; throws [`Gone`] when the connection breaks. */
export function ask(url, { method = 'GET', headers = {}, body, timeout = 30_000 } = {}) {
  return new Promise((done, failed) => {
    const gone = (error) => failed(new Gone(`${method} ${url}: ${error.message}`));
    const sent = request(url, { method, headers, agent, timeout }, (answer) => {
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('error', gone);
      answer.on('end', () => {
        const bytes = Buffer.concat(pieces);
        const isJson = /json/.test(answer.headers['content-type'] ?? '');
        const json = isJson && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : undefined;
        done({ status: answer.statusCode, ok: answer.statusCode < 300, headers: answer.headers, bytes, json, path: new URL(url).pathname });
      });
    });
    sent.on('error', gone);
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${timeout} ms`)));
    sent.end(body);
  });
}

/** Whatever ends this program ends its servers. */
const living = new Set();
process.on('exit', () => living.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

export class Machine {
  constructor({ binary, folder, shim, control, env = {}, prefix = [] }) {
    Object.assign(this, { binary, folder, shim, control, env, prefix });
  }

  async ports() {
    this.port ??= await freePort();
    this.media ??= await freeMediaPort();
    this.url = `http://127.0.0.1:${this.port}`;
  }

  #environment() {
    return {
      ...plainEnvironment(),
      ATALAYA_DATA_DIR: this.folder,
      ATALAYA_LISTEN: `127.0.0.1:${this.port}`,
      ATALAYA_PUBLIC_URL: this.url,
      ATALAYA_MEDIA_UDP_PORT: String(this.media),
      ATALAYA_LOG: 'warn',
      ...this.env,
    };
  }

  /** Starts the process; `fault` arms the shim before its first call. Answers whether it became ready, or ended before. */
  async start({ fault, args = [], timeout = 60_000 } = {}) {
    await this.ports();
    const env = this.#environment();
    if (this.shim) {
      this.control.reset();
      if (fault) this.control.arm(fault.nth, fault);
      Object.assign(env, { LD_PRELOAD: this.shim, FAULT_CONTROL: this.control.path, FAULT_ROOT: `${this.folder}/` });
    }
    const [program, ...rest] = [...this.prefix, this.binary, 'serve', ...args];
    this.output = '';
    this.child = spawn(program, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on('data', (chunk) => (this.output += chunk));
    const { child } = this;
    living.add(child);
    this.exited = new Promise((done) =>
      child.once('exit', (code, signal) => {
        living.delete(child);
        done({ code, signal });
      }),
    );
    const began = Date.now();
    for (;;) {
      if (!this.isAlive) return { ready: false, ms: Date.now() - began };
      if (Date.now() - began > timeout) throw new Error(`not ready within ${timeout} ms:\n${this.output}`);
      const answer = await ask(`${this.url}/readyz`, { timeout: 3000 }).catch(() => undefined);
      if (answer?.status === 200) return { ready: true, ms: Date.now() - began };
      await pause(25);
    }
  }

  get isAlive() {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  async end(signal = 'SIGKILL') {
    if (this.child === undefined) return undefined;
    if (this.isAlive) this.child.kill(signal);
    return this.exited;
  }

  /** Another command of the binary on the same folder. */
  run(args, { timeout = 120_000 } = {}) {
    return new Promise((done) => {
      const options = { env: { ...this.#environment(), ATALAYA_MEDIA_UDP_PORT: '0' }, timeout, maxBuffer: 16 << 20 };
      execFile(this.binary, args, options, (error, out, err) => done({ code: error ? (error.code ?? 1) : 0, text: out + err }));
    });
  }

  /** `doctor --deep`: what is damaged, and which notes there are. */
  async doctor() {
    const { code, text } = await this.run(['doctor', process.env.ATALAYA_FAULTS_DOCTOR ?? '--deep']);
    const lines = text.split('\n');
    const damage = lines.filter((line) => line.startsWith('FAILED'));
    if (code !== 0 && damage.length === 0) damage.push(`doctor ended with ${code}: ${text.slice(-400)}`);
    return { damage, strays: lines.filter((line) => line.includes('FILE_STRAY')).length };
  }

  status(name) {
    const found = readFileSync(`/proc/${this.child.pid}/status`, 'utf8').match(new RegExp(`^${name}:\\s+(\\d+)`, 'm'));
    return Number(found?.[1]);
  }
}

/** Demo data, made once for a run (ATALAYA_FAULTS_SEED: made already); every life begins on a copy. */
export async function seedOf(binary, scratch) {
  const folder = process.env.ATALAYA_FAULTS_SEED ?? join(scratch, 'seed');
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    const machine = new Machine({ binary, folder });
    const { ready } = await machine.start({ args: ['--demo'], timeout: 180_000 });
    if (!ready) throw new Error(`the demo data could not be made:\n${machine.output}`);
    const { code } = await machine.end('SIGTERM');
    if (code !== 0) throw new Error(`the server that made the demo data ended with ${code}`);
  }
  return folder;
}

export const copyOf = (seed, folder) => cpSync(seed, folder, { recursive: true });

/** The accounts of the demo data, by what stands before the @. */
export function accountsOf(folder) {
  const lines = readFileSync(join(folder, 'demo-accounts.txt'), 'utf8').trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [email, password] = line.split('\t');
      return [email.split('@')[0], { email, password }];
    }),
  );
}
