#!/usr/bin/env node
/**
 * Figures of the server (issue 2, "Speed and memory"): cold start, idle memory, a streamed zip of 500 MB.
 *
 *   node bench/server.mjs target/release/atalaya [--idle 60]
 *
 * Prints one line per figure with its target; the exit code is 1 when a target is missed.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, plainEnvironment, startServer } from '../e2e/journeys/lib/server.mjs';
import { session } from '../e2e/journeys/lib/steps.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { idle: { type: 'string', default: '60' } } });
const binary = positionals[0];
let missed = 0;

function figure(name, value, unit, target) {
  const good = value <= target;
  if (!good) missed += 1;
  console.log(`${good ? 'ok    ' : 'MISSED'}  ${name}: ${value.toFixed(value < 10 ? 3 : 1)} ${unit} (target ≤ ${target} ${unit})`);
}

const status = (pid) => readFileSync(`/proc/${pid}/status`, 'utf8');
const rssMb = (pid) => Number(status(pid).match(/VmRSS:\s+(\d+)/)[1]) / 1024;
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Seconds from the start of the process to the first good answer of /healthz, on a database that exists. */
async function coldStart(folder) {
  const port = await freePort();
  const media = await freePort();
  const began = process.hrtime.bigint();
  const child = spawn(binary, ['serve'], {
    env: { ...plainEnvironment(), ATALAYA_DATA_DIR: folder, ATALAYA_LISTEN: `127.0.0.1:${port}`, ATALAYA_MEDIA_UDP_PORT: String(media) },
    stdio: 'ignore',
  });
  for (;;) {
    const up = await fetch(`http://127.0.0.1:${port}/healthz`).then((r) => r.ok, () => false);
    if (up) break;
    await new Promise((done) => setTimeout(done, 2));
  }
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  child.kill('SIGTERM');
  await new Promise((done) => child.once('exit', done));
  return seconds;
}

async function measureStart() {
  const folder = mkdtempSync(join(tmpdir(), 'atalaya-bench-'));
  try {
    await coldStart(folder);
    const runs = [];
    for (let i = 0; i < 9; i += 1) runs.push(await coldStart(folder));
    figure('cold start to /healthz, median of 9', median(runs), 's', 0.2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Open files of a process that lie in the temporary folder, outside its own data. */
function temporaryFiles(pid) {
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return '';
      }
    })
    .filter((path) => path.startsWith('/tmp/') && !path.includes('atalaya-journey-'));
}

async function measureZip(server) {
  const account = server.accounts.find((a) => a.what === 'worker');
  const mine = await session(server.url, account);
  const opened = await (
    await mine.post('getToken', { phoneNumber: '600123123', expedientNumber: 'BENCH-ZIP', type: 2, channel: 'none' })
  ).json();
  const id = opened.conference._id;
  for (let i = 0; i < 20; i += 1) {
    const form = new FormData();
    const body = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(25 * 1024 * 1024 - 64)]);
    form.append('file', new Blob([body], { type: 'application/pdf' }), `documento ${i + 1}.pdf`);
    const answer = await fetch(`${server.url}/api/v1/conference-media/${id}`, { method: 'POST', headers: mine.headers, body: form });
    if (!answer.ok) throw new Error(`upload ${i}: ${answer.status} ${await answer.text()}`);
  }
  await new Promise((done) => setTimeout(done, 3000));
  const before = rssMb(server.pid);
  let peak = before;
  const files = new Set();
  const timer = setInterval(() => {
    peak = Math.max(peak, rssMb(server.pid));
    for (const file of temporaryFiles(server.pid)) files.add(file);
  }, 50);
  const began = Date.now();
  const answer = await mine.get(`/uploads/${id}.zip`);
  let bytes = 0;
  for await (const chunk of answer.body) bytes += chunk.length;
  clearInterval(timer);
  if (bytes !== Number(answer.headers.get('content-length'))) throw new Error('the zip has not the promised length');
  const seconds = (Date.now() - began) / 1000;
  console.log(`        zip of ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s`);
  figure('zip of 500 MB: extra memory', peak - before, 'MB', 32);
  figure('zip of 500 MB: temporary files', files.size, '', 0);
}

await measureStart();
const idle = await startServer({ binary, args: [] });
await new Promise((done) => setTimeout(done, Number(values.idle) * 1000));
figure(`idle memory, ${values.idle} s after start`, rssMb(idle.pid), 'MB', 60);
await idle.clean();
const server = await startServer({ binary });
await measureZip(server);
await server.clean();
process.exit(missed === 0 ? 0 : 1);
