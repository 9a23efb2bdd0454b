#!/usr/bin/env node
/**
 * Sockets (issue 5, "Speed"; issue 17, "Speed and memory"): from a call to the ring on 500 open sockets, and the memory of 10,000 idle ones, beside a
 * Socket.IO server in Node in the same run.
 *
 *   node bench/sockets.mjs BINARY [--ring 500] [--rounds 20] [--idle 10000]
 *
 * Needs the `sqlite3` command, which gives the demo's customer the people whose sockets ring, and another company those
 * whose do not; and two file descriptors per socket (`ulimit -n`). A workshop asks for a video call, which rings at everybody
 * of the customer, and withdraws it. Prints one line per figure with its target; the exit code is 1 when one is missed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import WebSocket from 'ws';
import { startServer } from '../e2e/journeys/lib/server.mjs';
import { session } from '../e2e/journeys/lib/steps.mjs';

const number = (text) => ({ type: 'string', default: text });
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ring: number('500'), rounds: number('20'), idle: number('10000') },
});
const [RING, ROUNDS, IDLE] = [values.ring, values.rounds, values.idle].map(Number);
/** Sockets that one person may have open. */
const PER_PERSON = 20;
let missed = 0;

const quantile = (times, q) => times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * q))];
const rssMb = (pid) => Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 1024;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function figure(name, value, unit, target) {
  const good = target === undefined || value <= target;
  if (!good) missed += 1;
  const wanted = target === undefined ? '' : ` (target ≤ ${target} ${unit})`;
  console.log(`${target === undefined ? '      ' : good ? 'ok    ' : 'MISSED'}  ${name}: ${value.toFixed(2)} ${unit}${wanted}`);
}

/** A Socket.IO connection by hand: the client library's own weight would be measured with it. */
function connect(port, auth, onEvent) {
  return new Promise((done, fail) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, { perMessageDeflate: false });
    socket.on('error', fail);
    socket.on('message', (data) => {
      const text = data.toString();
      if (text[0] === '0') socket.send(`40${JSON.stringify(auth)}`);
      else if (text === '2') socket.send('3');
      else if (text.startsWith('40')) done(socket);
      else if (text.startsWith('44')) fail(new Error(text));
      else if (text.startsWith('42["videocallIn_') || text.startsWith('42["ring"')) onEvent?.(text);
    });
  });
}

async function connectAll(port, auths, onEvent) {
  const sockets = [];
  for (let n = 0; n < auths.length; n += 50)
    sockets.push(...(await Promise.all(auths.slice(n, n + 50).map((auth) => connect(port, auth, onEvent)))));
  return sockets;
}

/** Rings `ROUNDS` times, the first being each server's first call after its start; answers the time of each socket's ring and of each round's last one, in ms from the call on. */
async function ring(port, auths, { call, after }) {
  let heard = () => {};
  const sockets = await connectAll(port, auths, (text) => heard(text));
  const [each, last] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const times = [];
    const all = new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`${times.length} of ${sockets.length} rang`)), 20_000);
      heard = () => {
        times.push(performance.now());
        if (times.length === sockets.length) {
          clearTimeout(timer);
          done();
        }
      };
    });
    const began = performance.now();
    await Promise.all([call(round), all]);
    each.push(...times.map((time) => time - began));
    last.push(times.at(-1) - began);
    heard = () => {};
    await after?.();
    await pause(100);
  }
  return { sockets, each, last };
}

async function measure(name, pid, { port, ringing, idle, call, after }) {
  const start = rssMb(pid);
  const { sockets, each, last } = await ring(port, ringing, { call, after });
  const began = performance.now();
  sockets.push(...(await connectAll(port, idle)));
  const took = (performance.now() - began) / 1000;
  await pause(5000);
  const open = sockets.filter((socket) => socket.readyState === WebSocket.OPEN).length;
  const memory = rssMb(pid);
  console.log(`        ${name}: ${idle.length} more sockets in ${took.toFixed(1)} s; ${open} open; memory ${start.toFixed(0)} → ${memory.toFixed(0)} MB`);
  if (open !== sockets.length) missed += 1;
  for (const socket of sockets) socket.terminate();
  return { p50: quantile(each, 0.5), p99: quantile(each, 0.99), last: quantile(last, 0.5), memory, perSocket: ((memory - start) * 1024) / open };
}

/** `count` people of a company beside those of the demo, with the same password. Answers their user names. */
function addPeople(folder, company, like, count, prefix) {
  const names = Array.from({ length: count }, (_, nth) => `${prefix}${nth}@bench.example`);
  const columns = execFileSync('sqlite3', [join(folder, 'atalaya.db'), "SELECT group_concat(name) FROM pragma_table_info('app_user')"]);
  const all = columns.toString().trim().split(',');
  const other = { id: (_, id) => `X'${id.replaceAll('-', '')}'`, user_name: (name) => `'${name}'`, parent: () => `X'${company.replaceAll('-', '')}'` };
  const rows = names.map((name) => {
    const id = randomUUID();
    return `INSERT INTO app_user (${all}) SELECT ${all.map((column) => other[column]?.(name, id) ?? column)} FROM app_user WHERE user_name = '${like}';`;
  });
  execFileSync('sqlite3', ['-cmd', '.timeout 20000', join(folder, 'atalaya.db')], { input: `BEGIN; ${rows.join('\n')} COMMIT;` });
  return names;
}

async function ours() {
  const folder = mkdtempSync(join(tmpdir(), 'atalaya-bench-'));
  const seeding = await startServer({ binary: positionals[0], dataDir: folder });
  let server = seeding;
  try {
    const named = (name) => seeding.accounts.find((account) => account.email.startsWith(`${name}@`));
    const boss = await session(seeding.url, named('cliente'));
    const workshop = await session(seeding.url, named('taller'));
    const tokens = async (company, like, count, prefix) => {
      const found = [];
      for (const email of addPeople(folder, company, like.email, Math.ceil(count / PER_PERSON), prefix)) {
        const { headers } = await session(seeding.url, { email, password: like.password });
        const token = headers.authorization.slice('Bearer '.length);
        found.push(...Array.from({ length: Math.min(PER_PERSON, count - found.length) }, () => ({ token })));
      }
      return found;
    };
    const ringing = await tokens(boss.user.parent, named('ana'), RING, 'suena');
    const idle = await tokens(workshop.user.parent, named('taller'), IDLE - RING, 'calla');
    // Anew on the same data: what the demo and the log-ins left in memory is not the sockets'.
    await seeding.end();
    server = await startServer({ binary: positionals[0], args: [], dataDir: folder });
    const headers = { ...workshop.headers, 'content-type': 'application/json' };
    const ask = async (path, body) => {
      const answer = await fetch(`${server.url}/api/v1/${path}`, { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return answer.json();
    };
    const [insurer] = await ask('insuranceCompanies');
    const request = { customerId: boss.user.parent, insuranceCompanyId: insurer._id, region: '46', starterPhone: '600123123', type: 1 };
    const call = (round) => ask('video-call-request', { ...request, expedient: `RING-${round}` });
    const after = () => ask(`delete-active-request-user/${workshop.user._id}`, {});
    return await measure('atalaya', server.pid, { port: server.port, ringing, idle, call, after });
  } finally {
    await server.clean();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function peer() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'socket-peer.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const port = Number(await new Promise((done) => child.stdout.once('data', done)));
    const auths = (count, ring) => Array.from({ length: count }, () => ({ token: 'token', ring }));
    const call = (round) => fetch(`http://127.0.0.1:${port}/ring`, { method: 'POST', body: JSON.stringify({ round }) });
    return await measure('socket.io in Node', child.pid, { port, ringing: auths(RING, true), idle: auths(IDLE - RING, false), call });
  } finally {
    child.kill();
  }
}

if (!positionals[0]) throw new Error('usage: node bench/sockets.mjs BINARY [--ring 500] [--rounds 20] [--idle 10000]');
const [mine, theirs] = [await ours(), await peer()];
figure(`from the call to the ring on ${RING} sockets, p50`, mine.p50, 'ms');
figure(`from the call to the ring on ${RING} sockets, p99, the first one included`, mine.p99, 'ms', 100);
figure(`  the last of the ${RING}, median of ${ROUNDS} rounds`, mine.last, 'ms');
figure(`  the peer: p50`, theirs.p50, 'ms');
figure(`  the peer: p99`, theirs.p99, 'ms');
figure(`${IDLE} sockets: memory (goal 150 MB)`, mine.memory, 'MB', 250);
figure(`  of which per socket`, mine.perSocket, 'KB');
figure(`  the peer: memory`, theirs.memory, 'MB');
figure(`  the peer: per socket`, theirs.perSocket, 'KB');
figure('ring p99 beside the peer (goal 0.5 ×)', mine.p99 / theirs.p99, '×', 1);
figure('memory beside the peer', mine.memory / theirs.memory, '×');
process.exit(missed === 0 ? 0 : 1);
