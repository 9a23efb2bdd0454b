#!/usr/bin/env node
/**
 * Log-ins under a flood, and the memory that it leaves (issue 16).
 *
 *   node bench/flood.mjs target/release/atalaya [--seconds 20]
 *
 * Strangers of thousands of networks send wrong passwords, 64 at a time. A device that is known at an account gets in within
 * 1 s all the same. Idle the server has at most 60 MB, and 90 MB after 50 refused log-ins and after the flood. Prints a line per
 * figure; the exit code is 1 when one is missed.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startServer } from '../e2e/journeys/lib/server.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seconds: { type: 'string', default: '20' } } });
const [binary] = positionals;
if (!binary) throw new Error('usage: node bench/flood.mjs BINARY [--seconds 20]');
const account = { userName: 'bench@atalaya.example', password: 'una-clave-larga-y-buena' };
const FLOOD = 64;
const IDLE_MB = 60;
const AFTER_MB = 90;
const WITHIN_MS = 1000;
let missed = 0;

function figure(name, value, unit, target) {
  const good = value <= target;
  if (!good) missed += 1;
  console.log(`${good ? 'ok    ' : 'MISSED'}  ${name}: ${value.toFixed(1)} ${unit} (target ≤ ${target} ${unit})`);
}

const rssMb = (pid) => Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 1024;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const number = (below) => Math.floor(Math.random() * below);
const network = () => `${11 + number(80)}.${number(256)}.${number(256)}.${1 + number(250)}`;

const server = await startServer({
  binary,
  args: [],
  // The flood's addresses stand in a header, as a proxy would write them.
  env: { ATALAYA_ADMIN_EMAIL: account.userName, ATALAYA_ADMIN_PASSWORD: account.password, ATALAYA_TRUSTED_PROXIES: '127.0.0.1,::1' },
});

async function logIn(body, headers = {}) {
  const began = performance.now();
  const answer = await fetch(`${server.url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': network(), ...headers },
    body: JSON.stringify({ login: true, ...body }),
  });
  const text = await answer.text();
  return { answer, text, ms: performance.now() - began };
}

const wrong = () => ({ userName: Math.random() < 0.5 ? account.userName : `nadie${number(1e6)}@ejemplo.es`, password: 'no es esta' });

try {
  await wait(5000);
  figure('memory, idle', rssMb(server.pid), 'MB', IDLE_MB);

  await Promise.all(Array.from({ length: 50 }, () => logIn(wrong())));
  console.log(`        memory, with 50 refused log-ins: ${rssMb(server.pid).toFixed(1)} MB`);
  await wait(10_000);
  figure('memory, 10 s after 50 refused log-ins', rssMb(server.pid), 'MB', AFTER_MB);

  // The account's own device, from the network where it lives.
  const home = { 'x-forwarded-for': '10.20.30.40' };
  const first = await logIn(account, home);
  if (!first.answer.ok) throw new Error(`the first log-in: ${first.answer.status} ${first.text}`);
  const cookie = first.answer.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ');
  const calm = await logIn(account, { ...home, cookie });
  if (!calm.answer.ok) throw new Error(`the second log-in: ${calm.answer.status} ${calm.text}`);
  console.log(`        a known device alone: ${calm.ms.toFixed(0)} ms`);

  const until = Date.now() + Number(values.seconds) * 1000;
  const counts = new Map();
  const strangers = Array.from({ length: FLOOD }, async () => {
    while (Date.now() < until) {
      const { answer } = await logIn(wrong());
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    }
  });
  const times = [];
  let refused = 0;
  await wait(2000);
  while (Date.now() < until - 1000) {
    const { answer, ms, text } = await logIn(account, { ...home, cookie });
    if (!answer.ok) {
      refused += 1;
      console.log(`        refused: ${answer.status} ${text.slice(0, 200)}`);
    }
    times.push(ms);
    await wait(300);
  }
  await Promise.all(strangers);
  const all = [...counts].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  console.log(`        the flood was answered: ${all.join(', ')}`);
  times.sort((a, b) => a - b);
  console.log(`        a known device, median of ${times.length}: ${times[Math.floor(times.length / 2)].toFixed(0)} ms`);
  figure('a known device gets in, slowest', times.at(-1), 'ms', WITHIN_MS);
  figure('a known device refused', refused, '', 0);
  await wait(10_000);
  figure('memory, 10 s after the flood', rssMb(server.pid), 'MB', AFTER_MB);
} finally {
  await server.clean();
}
process.exit(missed === 0 ? 0 : 1);
