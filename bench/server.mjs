#!/usr/bin/env node
/**
 * A streamed zip of 500 MB (issue 2, "Speed and memory"). Start and memory: `bench/memory.mjs`.
 *
 *   node bench/server.mjs target/release/atalaya
 *
 * Prints one line per figure with its target; the exit code is 1 when a target is missed.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { startServer } from '../e2e/journeys/lib/server.mjs';
import { session } from '../e2e/journeys/lib/steps.mjs';
import { rssMb } from './load.mjs';

const binary = process.argv[2];
let missed = 0;

function figure(name, value, unit, target) {
  const good = value <= target;
  if (!good) missed += 1;
  console.log(`${good ? 'ok    ' : 'MISSED'}  ${name}: ${value.toFixed(value < 10 ? 3 : 1)} ${unit} (target ≤ ${target} ${unit})`);
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

const server = await startServer({ binary });
await measureZip(server);
await server.clean();
process.exit(missed === 0 ? 0 : 1);
