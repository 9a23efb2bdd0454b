#!/usr/bin/env node
/**
 * Memory, start and size (issue 17, "Speed and memory"):
 *
 *   node bench/memory.mjs BINARY [--idle 60] [--demo 3600] [--conferences 1000000]
 *
 * Resident memory of a server that has nothing to do; of one with demo data, so many seconds after its start, in which
 * everybody of the demo looks at the lists once a minute; and after 50 refused log-ins. From the start of the process to the
 * first good answer of /healthz with so many conferences on SQLite (needs the `sqlite3` command). Size of the program.
 * 10,000 idle sockets are `bench/sockets.mjs`'s. Prints a table in Markdown for docs/benchmarks.md; the exit code is 1
 * when a figure misses its gate.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freeMediaPort, freePort, plainEnvironment, startServer } from '../e2e/journeys/lib/server.mjs';
import { session } from '../e2e/journeys/lib/steps.mjs';
import { median, rssMb } from './load.mjs';
import { addConferences } from './seed.mjs';

const number = (text) => ({ type: 'string', default: text });
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { idle: number('60'), demo: number('3600'), conferences: number('1000000') },
});
const binary = positionals[0];
if (!binary) throw new Error('usage: node bench/memory.mjs BINARY [--idle 60] [--demo 3600] [--conferences 1000000]');
const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
/** Log-ins that are refused. */
const REFUSED = 50;
const lines = [];
let missed = 0;

function figure(what, value, unit, gate, goal) {
  if (value > gate) missed += 1;
  const text = `${value.toFixed(value < 10 ? 3 : 1)} ${unit}`;
  const shown = value <= goal ? `**${text}**` : value <= gate ? text : `${text} ✗`;
  lines.push(`| ${what} | ${shown} | ${gate} ${unit} | ${goal} ${unit} |`);
  console.error(`${what}: ${text}`);
}

async function idle() {
  const server = await startServer({ binary, args: [] });
  try {
    await pause(Number(values.idle));
    figure(`idle, ${values.idle} s after start`, rssMb(server.pid), 'MB', 60, 40);
  } finally {
    await server.clean();
  }
}

/** What everybody's screens ask for. */
async function look(people) {
  for (const one of people)
    for (const path of ['me', `users/${one.user.parent}`, 'notifications/get-number-notifications']) await (await one.get(path)).arrayBuffer();
  for (const type of ['autos', 'div'])
    for (const one of people) await (await one.post(`conferences-${type}-details/${one.user.parent}`, {})).arrayBuffer();
}

async function demo() {
  const server = await startServer({ binary });
  try {
    const until = performance.now() + Number(values.demo) * 1000;
    const of = (name) => session(server.url, server.accounts.find((account) => account.email.startsWith(`${name}@`)));
    const people = [await of('cliente'), await of('ana'), await of('luis'), await of('taller')];
    while (performance.now() < until) {
      await look(people);
      await pause(Math.max(0, Math.min(60, (until - performance.now()) / 1000)));
    }
    figure(`demo data, ${values.demo} s after start`, rssMb(server.pid), 'MB', 120, 80);
  } finally {
    await server.clean();
  }
}

/** A wrong log-in from an address of this machine of its own, so that no limit answers instead of the hash. */
function refusedLogIn(port, nth) {
  const body = JSON.stringify({ userName: `nadie${nth}@bench.example`, password: 'una-clave-equivocada', login: true });
  return new Promise((done, fail) => {
    const call = request(
      { host: '127.0.0.1', port, path: '/api/v1/login', method: 'POST', localAddress: `127.${1 + (nth % 200)}.0.1`, headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } },
      (answer) => answer.resume().on('end', () => (answer.statusCode === 422 ? done() : fail(new Error(`a wrong log-in was answered ${answer.statusCode}`)))),
    );
    call.on('error', fail).end(body);
  });
}

async function afterLogIns() {
  const server = await startServer({ binary, args: [] });
  try {
    for (let nth = 0; nth < REFUSED; nth += 10) await Promise.all(Array.from({ length: 10 }, (_, one) => refusedLogIn(server.port, nth + one)));
    await pause(10);
    figure(`after ${REFUSED} refused log-ins, ten at once`, rssMb(server.pid), 'MB', 90, 60);
  } finally {
    await server.clean();
  }
}

/** Seconds from the start of the process to the first good answer of /healthz. */
async function start(folder) {
  const [port, media] = [await freePort(), await freeMediaPort()];
  const began = process.hrtime.bigint();
  const child = spawn(binary, ['serve'], {
    env: { ...plainEnvironment(), ATALAYA_DATA_DIR: folder, ATALAYA_LISTEN: `127.0.0.1:${port}`, ATALAYA_MEDIA_UDP_PORT: String(media) },
    stdio: 'ignore',
  });
  try {
    while (!(await fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok, () => false))) {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
      await pause(0.002);
    }
    return Number(process.hrtime.bigint() - began) / 1e9;
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null) await new Promise((done) => child.once('exit', done));
  }
}

async function coldStart() {
  const folder = mkdtempSync(join(tmpdir(), 'atalaya-bench-'));
  try {
    const seeding = await startServer({ binary, dataDir: folder });
    const of = async (name) => (await session(seeding.url, seeding.accounts.find((account) => account.email.startsWith(`${name}@`)))).user;
    const [boss, ana, luis] = [await of('cliente'), await of('ana'), await of('luis')];
    await seeding.end();
    addConferences(folder, boss.parent, [ana._id, luis._id], Number(values.conferences));
    await start(folder);
    const runs = [];
    for (let run = 0; run < 9; run += 1) runs.push(await start(folder));
    figure(`cold start to /healthz with ${Number(values.conferences).toLocaleString('en')} conferences, median of 9`, median(runs), 's', 0.3, 0.1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

figure('the program', statSync(binary).size / 1e6, 'MB', 80, 50);
await idle();
await afterLogIns();
await coldStart();
await demo();
console.log('Bold: the goal is reached; ✗: over the gate.\n');
console.log(`| figure | measured | gate | goal |\n|---|---|---|---|\n${lines.join('\n')}`);
process.exit(missed === 0 ? 0 : 1);
