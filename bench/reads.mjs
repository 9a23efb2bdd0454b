#!/usr/bin/env node
/**
 * Reads (issue 17, "Speed and memory"): our server, a server in Node that does the same (`bench/peer`) and, on SQLite, a
 * bare sketch in Rust of the same queries, in turn.
 *
 *   node bench/reads.mjs BINARY [--sketch target/release/examples/sketch] [--postgres] [--rounds 3] [--seconds 5] [--demo FOLDER]
 *
 * `--postgres` takes the server of ATALAYA_TEST_POSTGRES_URL (scripts/postgres.sh) and makes a database of its own there; else
 * the peer and the sketch read a copy of the SQLite file. Before anything is measured, every answer of the peer is compared
 * with ours: the same keys and the same values. The sketch leaves out what is worked out and not read (the six steps of the
 * client, masks); its answers must be about as long. Each round measures every server in turn, call by call; medians are
 * printed as a table in Markdown for docs/benchmarks.md. The exit code is 1 when a figure is under its gate.
 *
 * Needs `npm ci` in bench/peer, `sqlite3` or `psql`, `taskset`.
 *
 * The figure is requests per second of the server process's own processor time (/proc/PID/stat); PostgreSQL's processes, the
 * same for both, are not in it. p99: 64 connections, at 70 % of what the same server reached in the same round.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../e2e/journeys/lib/server.mjs';
import { session } from '../e2e/journeys/lib/steps.mjs';
import { load, median, pin, rssMb } from './load.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sketch: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    demo: { type: 'string' },
  },
});
const binary = positionals[0];
if (!binary) throw new Error('usage: node bench/reads.mjs BINARY [--sketch PROGRAM] [--postgres] [--rounds 3] [--seconds 5] [--demo FOLDER]');
const [ROUNDS, SECONDS] = [Number(values.rounds), Number(values.seconds)];
/** Gate and goal of each figure (issue 17). */
const TARGETS = {
  peer: values.postgres ? { gate: 2, goal: 5 } : { gate: 3, goal: 8 },
  sketch: { gate: 0.25, goal: 0.6 },
  p99: { gate: 20, goal: 5 },
};
/** The share of its own best at which p99 is measured. */
const SHARE = 0.7;

/** A database of our own on the test server; answers its address. */
function newDatabase() {
  const address = process.env.ATALAYA_TEST_POSTGRES_URL;
  if (!address) throw new Error('run it under scripts/postgres.sh');
  const name = `bench_reads_${process.pid}`;
  execFileSync('psql', [address, '-qc', `CREATE DATABASE ${name}`]);
  return address.replace(/\/[^/]*$/, `/${name}`);
}

function secret(folder, name) {
  return readFileSync(join(folder, 'secrets.toml'), 'utf8').match(new RegExp(`^${name} = "([0-9a-f]+)"`, 'm'))[1];
}

/** Starts a program that prints its port first. */
async function start(name, command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise((done, fail) => {
    child.stdout.once('data', (line) => done(Number(line)));
    child.once('exit', (code) => fail(new Error(`${name} ended with ${code}`)));
  });
  return { name, pid: child.pid, url: `http://127.0.0.1:${port}`, end: () => child.kill() };
}

/** What two answers differ in, all the way down; `null` when in nothing. */
function difference(ours, theirs, path = '') {
  const kind = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
  if (kind(ours) !== kind(theirs)) return `${path}: ${kind(ours)} here, ${kind(theirs)} there`;
  if (Array.isArray(ours)) {
    if (ours.length !== theirs.length) return `${path}: ${ours.length} elements here, ${theirs.length} there`;
    return ours.map((one, at) => difference(one, theirs[at], `${path}[${at}]`)).find(Boolean) ?? null;
  }
  if (kind(ours) !== 'object') return ours === theirs ? null : `${path}: ${ours} here, ${theirs} there`;
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  const missing = keys.find((key) => !(key in ours) || !(key in theirs));
  if (missing) return `${path}.${missing}: only ${missing in ours ? 'here' : 'there'}`;
  return keys.map((key) => difference(ours[key], theirs[key], `${path}.${key}`)).find(Boolean) ?? null;
}

async function ask(server, headers, { method = 'GET', path, body }) {
  const answer = await fetch(server.url + path, {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${server.name}: ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** The calls of the table, for one principal of the demo. */
async function calls(mine, company) {
  const all = { begin: '2020-01-01' };
  const lists = ['autos', 'div'].map((type) => mine.post(`conferences-${type}-details/${company}?limit=200`, all));
  const found = (await Promise.all((await Promise.all(lists)).map((answer) => answer.json()))).flatMap((list) => list.conferences);
  const read = await Promise.all(found.map(async ({ _id }) => (await mine.get(`conferences-details/${_id}`)).json()));
  // The peer knows nothing of maps; and what is over does not change while it is measured.
  const still = read.filter((one) => one.conference.closed && one.positions.length === 0 && one.progress.current !== 'sent' && one.participants.length > 0);
  const longest = still.toSorted((a, b) => b.tracks.length - a.tracks.length)[0];
  return [
    { what: 'session only (`get-links`)', path: '/api/v1/get-links' },
    { what: 'own user (`me`)', path: '/api/v1/me' },
    { what: 'one company (`customer/{id}`)', path: `/api/v1/customer/${company}` },
    { what: 'list of 50 conferences', method: 'POST', path: `/api/v1/conferences-div-details/${company}?limit=50`, body: all },
    { what: `open a conference (${longest.tracks.length} tracks)`, path: `/api/v1/conferences-details/${longest.conference._id}` },
  ];
}

async function measure(servers, headers, all) {
  const found = new Map();
  const keep = (server, call, figures) => {
    const key = `${server.name} ${call.what}`;
    found.set(key, [...(found.get(key) ?? []), figures]);
  };
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const call of all) {
      for (const server of servers) {
        if (round === 1) await load(server, headers, call, { seconds: 1 });
        const best = await load(server, headers, call, { seconds: SECONDS });
        const paced = await load(server, headers, call, { seconds: SECONDS, rate: best.perSecond * SHARE });
        keep(server, call, { ...best, p99: paced.p99 });
        console.error(`round ${round}  ${server.name.padEnd(7)} ${call.what.padEnd(34)} ${best.perSecond.toFixed(0)}/s  ${best.perCpuSecond.toFixed(0)} per CPU second  p99 at 70 % ${paced.p99.toFixed(1)} ms`);
      }
    }
  }
  return (server, call, figure) => median(found.get(`${server.name} ${call.what}`).map((figures) => figures[figure]));
}

/** The table, and how many figures are under their gate. */
function report(servers, all, of) {
  const [ours, peer, sketch] = servers;
  let under = 0;
  const cell = (text, good, { gate, goal }, value) => {
    if (!good(value, gate)) under += 1;
    return good(value, goal) ? `**${text}**` : good(value, gate) ? text : `${text} ✗`;
  };
  const atLeast = (value, wanted) => value >= wanted;
  const atMost = (value, wanted) => value <= wanted;
  const lines = all.map((call) => {
    const [a, b] = [of(ours, call, 'perCpuSecond'), of(peer, call, 'perCpuSecond')];
    const cells = [call.what, a.toFixed(0), b.toFixed(0), cell(`${(a / b).toFixed(2)} ×`, atLeast, TARGETS.peer, a / b)];
    if (sketch) {
      const c = of(sketch, call, 'perCpuSecond');
      cells.push(c.toFixed(0), cell(`${((100 * a) / c).toFixed(0)} %`, atLeast, TARGETS.sketch, a / c));
    }
    const p99 = of(ours, call, 'p99');
    cells.push(cell(`${p99.toFixed(1)} ms`, atMost, TARGETS.p99, p99), `${of(peer, call, 'p99').toFixed(1)} ms`);
    return `| ${cells.join(' | ')} |`;
  });
  const { peer: p, sketch: s, p99 } = TARGETS;
  const heads = ['call', 'ours', 'peer', `ours ÷ peer (gate ${p.gate}, goal ${p.goal})`];
  if (sketch) heads.push('sketch', `ours ÷ sketch (gate ${100 * s.gate} %, goal ${100 * s.goal} %)`);
  heads.push(`p99 at 70 % (gate ${p99.gate} ms, goal ${p99.goal} ms)`, 'p99, peer');
  console.log(`Requests per CPU second, ${values.postgres ? 'PostgreSQL' : 'SQLite'}; medians of ${ROUNDS} rounds of ${SECONDS} s, 64 connections, ${cpus().length} cores (${cpus()[0].model.trim()}), Node ${process.version}.`);
  console.log('Bold: the goal is reached; ✗: under the gate.\n');
  console.log(`| ${heads.join(' | ')} |\n|${'---|'.repeat(heads.length)}\n${lines.join('\n')}`);
  console.log(`\nResident after it: ${servers.map((server) => `${server.name} ${rssMb(server.pid).toFixed(0)} MB`).join(', ')}.`);
  return under;
}

const folder = values.demo ?? mkdtempSync(join(tmpdir(), 'atalaya-bench-'));
const copy = mkdtempSync(join(tmpdir(), 'atalaya-bench-copy-'));
const database = values.postgres ? newDatabase() : undefined;
/** With a mailbox configured, `get-links` reads nothing but the session. */
const env = { ATALAYA_ADMIN_MAILBOX: 'bench@atalaya.example', ...(database ? { ATALAYA_DATABASE_URL: database } : {}) };
const running = [];
let under = 0;
try {
  const seeding = await startServer({ binary, env, dataDir: folder });
  const { accounts } = seeding;
  await seeding.end();
  // Closed by its server: the file is whole without its log.
  if (!database) for (const name of ['atalaya.db', 'atalaya.db-wal']) if (existsSync(join(folder, name))) cpSync(join(folder, name), join(copy, name));
  const server = await startServer({ binary, env, dataDir: folder, args: [] });
  const ours = { name: 'ours', pid: server.pid, url: `http://127.0.0.1:${server.port}`, end: () => server.end() };
  running.push(ours);
  const mine = await session(server.url, accounts.find((account) => account.what === 'customer'));
  if (!database) execFileSync('sqlite3', [join(folder, 'atalaya.db'), '-cmd', '.timeout 20000', `.backup '${join(copy, 'atalaya.db')}'`]);
  const [links, { menu }] = [await (await mine.get('get-links')).json(), await (await mine.get('me')).json()];
  const shared = {
    database: database ?? join(copy, 'atalaya.db'),
    tokenKey: secret(folder, 'token_key'),
    fieldKey: secret(folder, 'field_key'),
    publicUrl: server.url,
    links,
    menu,
  };
  running.push(await start('peer', process.execPath, [join(import.meta.dirname, 'peer/server.mjs'), JSON.stringify(shared)]));
  if (values.sketch && !database) running.push(await start('sketch', values.sketch, [JSON.stringify(shared)]));
  const all = await calls(mine, mine.user.parent);
  for (const call of all) {
    const [expected, ...others] = await Promise.all(running.map((one) => ask(one, mine.headers, call)));
    const wrong = difference(expected, others[0]);
    if (wrong) throw new Error(`the peer does not answer ${call.what} as we do: ${wrong}`);
    const kept = others[1] && JSON.stringify(others[1]).length / JSON.stringify(expected).length;
    if (kept && (kept < 0.8 || kept > 1.25)) throw new Error(`the sketch answers ${call.what} with ${kept.toFixed(2)} × our bytes`);
  }
  for (const one of running) pin(one.pid, 0);
  pin(process.pid, 1);
  const of = await measure(running, mine.headers, all);
  under = report(running, all, of);
} finally {
  for (const one of running) await one.end();
  if (database) execFileSync('psql', [process.env.ATALAYA_TEST_POSTGRES_URL, '-qc', `DROP DATABASE IF EXISTS ${database.split('/').at(-1)} WITH (FORCE)`]);
  rmSync(copy, { recursive: true, force: true });
  if (!values.demo) rmSync(folder, { recursive: true, force: true });
}
process.exit(under === 0 ? 0 : 1);
