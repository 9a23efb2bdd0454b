#!/usr/bin/env node
/**
 * Lists of a million conferences (issue 17, "Search and sort"): pages, searches, every sort, an export of 100,000 rows, and a
 * cold start.
 *
 *   node bench/million.mjs BINARY [--postgres URL] [--conferences 1000000] [--keep FOLDER]
 *
 * `--postgres` names an empty database of its own. The conferences are written by
 * `cargo run --release -p atalaya-server --example million`; with `--keep` a folder is filled once and used again. Two fifths of them are
 * the demo customer's. Prints a table; the exit code is 1 when a figure is beyond its gate.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, plainEnvironment, startServer } from '../e2e/journeys/lib/server.mjs';
import { session } from '../e2e/journeys/lib/steps.mjs';

const text = { type: 'string' };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { postgres: text, conferences: { type: 'string', default: '1000000' }, keep: text },
});
const binary = positionals[0];
if (!binary) throw new Error('usage: node bench/million.mjs BINARY [--postgres URL] [--conferences N] [--keep FOLDER]');
const CONFERENCES = Number(values.conferences);
const env = values.postgres ? { ATALAYA_DATABASE_URL: values.postgres } : {};
const ROUNDS = 15;
/** Milliseconds: what fails, and what is aimed at. */
const GATE = 30;
const GOAL = 10;
const ALL = { begin: '2020-01-01' };

const lines = [];
let missed = 0;

/** A line of the table; without a gate it is only told. */
function figure(what, value, unit, gate, goal, more = '') {
  const good = gate === undefined || value <= gate;
  if (!good) missed += 1;
  const verdict = gate === undefined ? '' : good ? (value <= goal ? 'goal' : 'ok') : 'MISSED';
  lines.push(`| ${what} | ${value.toFixed(value < 10 ? 2 : 1)} ${unit} | ${gate ?? '–'} | ${goal ?? '–'} | ${verdict} | ${more} |`);
  console.log(lines.at(-1));
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const status = (pid, name) => Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`${name}:\\s+(\\d+)`))[1]) / 1024;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function ok(response) {
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

/** The median time of a list from the request to its last byte, and how many it has. */
async function list(what, run, limits = { gate: GATE, goal: GOAL }) {
  const { total } = await (await ok(await run())).json();
  const times = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const began = performance.now();
    await (await ok(await run())).arrayBuffer();
    times.push(performance.now() - began);
  }
  figure(what, median(times), 'ms', limits.gate, limits.goal, `${total} conferences, slowest ${Math.max(...times).toFixed(1)} ms`);
}

async function coldStart(folder) {
  const [port, media] = [await freePort(), await freePort()];
  const began = performance.now();
  const child = spawn(binary, ['serve'], {
    env: { ...plainEnvironment(), ...env, ATALAYA_DATA_DIR: folder, ATALAYA_LISTEN: `127.0.0.1:${port}`, ATALAYA_MEDIA_UDP_PORT: String(media) },
    stdio: 'ignore',
  });
  const exited = new Promise((done) => child.once('exit', done));
  while (!(await fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok, () => false))) {
    if (child.exitCode !== null) throw new Error('the server did not start');
    await pause(2);
  }
  const seconds = (performance.now() - began) / 1000;
  child.kill('SIGTERM');
  await exited;
  return seconds;
}

/** Reads an answer without keeping it, while the process is watched. */
async function exported(pid, run) {
  const before = status(pid, 'VmRSS');
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, status(pid, 'VmRSS'));
  }, 20);
  const began = performance.now();
  let bytes = 0;
  for await (const chunk of (await ok(await run())).body) bytes += chunk.length;
  clearInterval(watch);
  return { seconds: (performance.now() - began) / 1000, bytes, more: highest - before };
}

/** Log-ins are counted per address, so the same sessions serve both runs of the server. */
const people = async (server) => {
  const of = (what) => session(server.url, server.accounts.find((account) => account.what.startsWith(what)));
  return { admin: await of('administrator'), principal: await of('customer'), worker: await of('worker') };
};

async function fill(server) {
  const { principal, worker } = await people(server);
  await server.end();
  if (filled) return;
  const url = values.postgres ?? `sqlite://${join(server.folder, 'atalaya.db')}`;
  const users = [worker.user._id, principal.user._id].join(',');
  const cargo = ['run', '--release', '--quiet', '-p', 'atalaya-server', '--example', 'million', '--', url, principal.user.parent, users];
  execFileSync('cargo', [...cargo, String(CONFERENCES)], { stdio: 'inherit' });
}

async function lists({ admin, principal, worker }) {
  const company = principal.user.parent;
  const of = (who, id, query = '', range = ALL) => () => who.post(`conferences-autos-details/${id}${query}`, range);
  for (const [name, who, id] of [['everybody', admin, '0'], ['one company', principal, company]]) {
    await list(`${name}: first page`, of(who, id));
    await list(`${name}: page 1,000`, of(who, id, '?cursor=49950'));
    const total = (await (await of(who, id)()).json()).total;
    await list(`${name}: the page in the middle`, of(who, id, `?cursor=${Math.floor(total / 2)}`));
    await list(`${name}: the last page`, of(who, id, `?cursor=${Math.max(0, total - 20)}`));
    for (const sort of ['createdAt', 'expedientNumber', 'userName', 'customerName', 'phoneNumber', 'carId', 'duration']) {
      await list(`${name}: sorted by ${sort}`, of(who, id, `?sort=${sort}`));
      await list(`${name}: sorted by ${sort}, page 1,000`, of(who, id, `?sort=-${sort}&cursor=49950`));
    }
    const first = (await (await of(who, id, '?sort=phoneNumber&cursor=49950')()).json()).nextCursor;
    await list(`${name}: the next page by telephone`, of(who, id, `?sort=phoneNumber&cursor=${first}`));
    const rows = (await (await of(who, id, '?cursor=20000')()).json()).conferences;
    const rare = (row) => row.contactPerson.split(' ').at(-1);
    const known = rows.find((row) => row.carId && /^[a-z]{6,}$/.test(rare(row)));
    const search = (words) => of(who, id, `?search=${encodeURIComponent(words)}`);
    await list(`${name}: search, case number`, search(known.expedientNumber));
    await list(`${name}: search, beginning of a case number`, search(known.expedientNumber.slice(0, 9)));
    await list(`${name}: search, middle of a case number`, search(known.expedientNumber.slice(5)));
    await list(`${name}: search, plate`, search(known.carId));
    await list(`${name}: search, telephone`, search(known.phoneNumber.slice(3)));
    await list(`${name}: search, end of a telephone`, search(known.phoneNumber.slice(-6)));
    await list(`${name}: search, name`, search(known.contactPerson));
    await list(`${name}: search, two frequent surnames`, search('garcia nunez'));
    await list(`${name}: search, beginning of a surname`, search(rare(known).slice(0, 5)));
    await list(`${name}: search, middle of a surname, sorted by telephone`, of(who, id, `?search=${rare(known).slice(1)}&sort=phoneNumber`));
    // Totals are exact, so every one of its conferences is met: told, without a gate.
    const told = { gate: undefined, goal: undefined };
    await list(`${name}: search, a frequent surname`, search('garcia'), told);
    await list(`${name}: search, a frequent surname, sorted by telephone`, of(who, id, '?search=garcia&sort=phoneNumber'), told);
  }
  await list("a worker's own", of(worker, company));
  await list('the last seven days', of(principal, company, '', {}));
  await list('half of the days, sorted by telephone', of(principal, company, '?sort=phoneNumber', { begin: new Date(Date.now() - 540 * 86_400_000).toISOString() }));
}

/** As many days as hold so many of a company's Autos. */
async function daysWith(principal, rows) {
  let [low, high] = [1, 2000];
  while (low < high) {
    const days = Math.floor((low + high) / 2);
    const range = { begin: new Date(Date.now() - days * 86_400_000).toISOString() };
    const { total } = await (await principal.post(`conferences-autos-details/${principal.user.parent}?limit=1`, range)).json();
    if (total < rows) low = days + 1;
    else high = days;
  }
  return { begin: new Date(Date.now() - low * 86_400_000).toISOString() };
}

const filled = values.keep !== undefined && existsSync(join(values.keep, 'million'));
let server = await startServer({ binary, env, dataDir: values.keep });
const { accounts, folder } = server;
try {
  await fill(server);
  if (values.keep) execFileSync('touch', [join(values.keep, 'million')]);
  console.log('| what | measured | gate | goal | | |\n|---|---|---|---|---|---|');
  const starts = [];
  for (let n = 0; n < 5; n += 1) starts.push(await coldStart(folder));
  figure('cold start to /healthz', median(starts), 's', 0.3, 0.1);
  server = await startServer({ binary, args: [], env, dataDir: folder });
  server.accounts = accounts;
  const known = await people(server);
  await lists(known);
  const range = await daysWith(known.principal, Math.min(100_000, CONFERENCES / 5));
  const path = `conferences-autos-details/${known.principal.user.parent}`;
  const rows = (await (await known.principal.post(`${path}?limit=1`, range)).json()).total;
  await exported(server.pid, () => known.principal.post(`${path}?format=xlsx`, { begin: new Date(Date.now() - 30 * 86_400_000).toISOString() }));
  const book = await exported(server.pid, () => known.principal.post(`${path}?format=xlsx`, range));
  figure(`export of ${rows} rows`, book.seconds, 's', 2, 1, `${(book.bytes / 1e6).toFixed(1)} MB`);
  figure('memory meanwhile, more than before', Math.max(0, book.more), 'MB', 32, 16);
} finally {
  await server.clean();
  if (!values.keep) await rm(folder, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;
