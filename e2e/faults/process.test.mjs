/**
 * Faults of the machine around the process: limits, clocks, floods, slow and silent clients, files that are locked or cut.
 * Each test's name stands in catalogue.json. Needs ATALAYA_BIN; ATALAYA_FAULTS_LONG=1 takes the long measures.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { buildShim, Control, MODE } from './lib/control.mjs';
import { ask, copyOf, Machine, pause, seedOf } from './lib/machine.mjs';
import { STORIES, Story, tell } from './lib/story.mjs';

const binary = process.env.ATALAYA_BIN;
const LONG = process.env.ATALAYA_FAULTS_LONG === '1';
const FAKETIME = ['/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1', '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1'];
const STEPS = STORIES.case.filter((step) => step !== 'certify');

let scratch, seed, machine, control, shim;

before(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'atalaya-faults-'));
  seed = await seedOf(binary, scratch);
  shim = buildShim(scratch);
  control = new Control(join(scratch, 'control'));
});

afterEach(() => machine?.end());
after(() => rmSync(scratch, { recursive: true, force: true }));

let folders = 0;

/** A running server on a copy of the demo data, with people logged in. */
async function begin(options = {}, { logIn = true } = {}) {
  const folder = join(scratch, `data-${++folders}`);
  copyOf(seed, folder);
  machine = new Machine({ binary, folder, ...options });
  assert.equal((await machine.start()).ready, true, machine.output);
  const story = new Story(machine);
  if (logIn) for (const who of ['ana', 'admin', 'cliente']) await story.logIn(who);
  return story;
}

/** Everything of a case works, nothing acknowledged is missing, and nothing is damaged. */
async function isWhole(story) {
  const { step, error } = await tell(story, STEPS);
  assert.equal(step, undefined, error?.message);
  assert.deepEqual(await story.lost({ all: true }), []);
  assert.deepEqual((await machine.doctor()).damage, []);
}

/** Waits for a condition, 10 s at most unless said otherwise. */
async function until(good, what, timeout = 10_000) {
  const deadline = Date.now() + timeout;
  while (!(await good())) {
    assert.ok(Date.now() < deadline, `${what} within ${timeout} ms`);
    await pause(50);
  }
}

const health = () => ask(`${machine.url}/healthz`, { timeout: 5000 }).then(({ status }) => status === 200, () => false);

/** Processor time of the server so far, in seconds. */
function cpu() {
  const fields = readFileSync(`/proc/${machine.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const descriptors = () => execFileSync('ls', [`/proc/${machine.child.pid}/fd`], { encoding: 'utf8' }).split('\n').length;

/** Connections that send what is given, and nothing more. */
async function connections(count, text = '') {
  const open = [];
  for (let some = 0; some < count; some += 200) {
    const batch = Array.from({ length: Math.min(200, count - some) }, () => {
      const socket = connect(machine.port, '127.0.0.1');
      socket.on('error', () => {});
      // Otherwise it would not notice that it was closed.
      socket.resume();
      if (text) socket.write(text);
      return new Promise((done) => {
        socket.once('connect', () => done(socket));
        socket.once('error', () => done(socket));
        setTimeout(() => done(socket), 2000).unref();
      });
    });
    open.push(...(await Promise.all(batch)));
  }
  return open;
}

test('a database file that was cut off is refused and left as it is', async () => {
  await begin({}, { logIn: false });
  await machine.end('SIGTERM');
  const file = join(machine.folder, 'atalaya.db');
  truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096);
  const before = statSync(file).size;
  const { ready } = await machine.start();
  // A file of which the end is missing may open; `doctor --deep` must not call it whole.
  if (ready) {
    await machine.end();
    assert.notDeepEqual((await machine.doctor()).damage, []);
  } else {
    assert.match(machine.output, /damaged|malformed|disk image/);
  }
  assert.ok(statSync(file).size >= before, 'nothing is thrown away');
});

test('a database that another program holds locked makes writers wait, and they say so', async () => {
  const story = await begin();
  const hold = 'import sqlite3,sys,time\nd=sqlite3.connect(sys.argv[1],isolation_level=None)\nd.execute("BEGIN IMMEDIATE")\nprint("held",flush=True)\nsys.stdin.read()';
  const holder = spawn('python3', ['-c', hold, join(machine.folder, 'atalaya.db')], { stdio: ['pipe', 'pipe', 'inherit'] });
  await new Promise((done) => holder.stdout.once('data', done));
  const write = story.call('POST', 'getToken', { as: 'ana', json: { phoneNumber: '600123123', expedientNumber: 'ESPERA', type: 1 }, mayFail: true, timeout: 45_000 });
  assert.equal((await story.get('me', { as: 'ana' })).status, 200, 'readers go on');
  assert.equal(await health(), true);
  const { status, json } = await write;
  assert.ok(status === 503 && json.code === 'DATABASE_UNAVAILABLE', `${status} ${JSON.stringify(json)}`);
  holder.stdin.end();
  await new Promise((done) => holder.once('exit', done));
  await isWhole(story);
});

test('the log of the database stays small behind a reader that never ends', async () => {
  const story = await begin();
  const read = 'import sqlite3,sys\nd=sqlite3.connect(sys.argv[1],isolation_level=None)\nd.execute("BEGIN")\nd.execute("SELECT count(*) FROM conference").fetchone()\nprint("reads",flush=True)\nsys.stdin.read()';
  const reader = spawn('python3', ['-c', read, join(machine.folder, 'atalaya.db')], { stdio: ['pipe', 'pipe', 'inherit'] });
  await new Promise((done) => reader.stdout.once('data', done));
  for (let round = 0; round < (LONG ? 60 : 4); round += 1) assert.equal((await tell(story, STEPS)).step, undefined);
  reader.stdin.end();
  await new Promise((done) => reader.once('exit', done));
  await isWhole(story);
  const size = statSync(join(machine.folder, 'atalaya.db-wal')).size;
  assert.ok(size <= 64 << 20, `${size} bytes`);
});

test('a backup during changes can be put back elsewhere, whole', async () => {
  const story = await begin();
  let going = true;
  const changes = (async () => {
    while (going) assert.equal((await tell(story, STEPS)).step, undefined);
  })();
  const copy = join(scratch, `backup-${folders}`);
  const { code, text } = await machine.run(['backup', copy]);
  going = false;
  await changes;
  assert.equal(code, 0, text);
  const elsewhere = new Machine({ binary, folder: join(scratch, `elsewhere-${folders}`) });
  await elsewhere.ports();
  const restored = await elsewhere.run(['restore', copy]);
  assert.equal(restored.code, 0, restored.text);
  assert.deepEqual((await elsewhere.doctor()).damage, []);
});

test('without memory the server ends or refuses, and loses nothing', async () => {
  const story = await begin();
  await tell(story, STEPS);
  const now = Number(readFileSync(`/proc/${machine.child.pid}/statm`, 'utf8').split(' ')[0]) * 4096;
  // The soft limit alone, which may be lifted again.
  const limit = (bytes) => execFileSync('prlimit', ['--pid', String(machine.child.pid), `--as=${bytes}:`]);
  limit(now + (24 << 20));
  const big = Buffer.alloc(18 << 20, 7);
  const flood = Array.from({ length: 12 }, () =>
    story.call('POST', `conference-media/${story.usable}`, {
      as: 'ana',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: Buffer.concat([Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="g.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4\n'), big, Buffer.from('\r\n--x--\r\n')]),
      mayFail: true,
    }).then(({ status }) => status, () => 0),
  );
  const answers = await Promise.all(flood);
  assert.ok(answers.every((status) => status === 0 || status < 600), `${answers}`);
  if (machine.isAlive) limit('unlimited');
  if (!(await health())) {
    await machine.end();
    assert.equal((await machine.start()).ready, true, machine.output);
  }
  await isWhole(story);
});

test('without descriptors it waits instead of spinning, and recovers', async () => {
  const story = await begin({ prefix: ['prlimit', '--nofile=160:160'] });
  assert.equal((await tell(story, STEPS)).step, undefined);
  const open = await connections(400, 'GET / HTTP/1.1\r\n');
  const [began, spent] = [Date.now(), cpu()];
  await pause(2000);
  const share = (cpu() - spent) / ((Date.now() - began) / 1000);
  assert.ok(share < 0.6, `${Math.round(share * 100)} % of a processor while nothing can be accepted`);
  for (const socket of open) socket.destroy();
  await until(health, 'it answers again', 20_000);
  await isWhole(story);
});

test('idle connections are closed, and others are answered meanwhile', { timeout: 120_000 }, async (t) => {
  const many = LONG ? 10_000 : 1000;
  const limit = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }));
  if (limit < many + 200) return t.skip(`only ${limit} descriptors`);
  const story = await begin({ prefix: ['prlimit', `--nofile=${many + 1000}:${many + 1000}`] });
  const before = machine.status('VmRSS');
  const open = await connections(many);
  const times = [];
  for (let nth = 0; nth < 20; nth += 1) {
    const began = performance.now();
    assert.equal((await story.get('me', { as: 'ana' })).status, 200);
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  assert.ok(times[18] < 2000, `a request takes ${times[18]} ms beside ${many} idle connections`);
  await until(() => descriptors() < many / 10, 'silent connections are closed', 45_000);
  for (const socket of open) socket.destroy();
  const grown = machine.status('VmRSS') - before;
  assert.ok(grown < 20_000 + many * 16, `${grown} KB more after ${many} connections`);
  await isWhole(story);
});

test('a body that comes byte by byte does not hold others up and is ended', { timeout: 90_000 }, async () => {
  const story = await begin();
  await tell(story, ['open']);
  const head = `POST /api/v1/conference-media/${story.case.id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${story.tokens.ana.token}\r\n`;
  const form = 'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%';
  // As many as one person may send at a time; more of them wait for a place.
  const slow = await connections(4, head + form);
  const drip = setInterval(() => slow.forEach((socket) => socket.writable && socket.write('x')), 500);
  assert.equal((await tell(story, STEPS)).step, undefined, 'uploads of others go through');
  await until(() => slow.every((socket) => socket.closed || socket.destroyed || socket.readableEnded), 'they are ended', 60_000);
  clearInterval(drip);
  await isWhole(story);
});

test('a client that never reads what it asked for holds nobody up', async () => {
  const story = await begin();
  const path = `/api/v1/conferences-autos-details/${story.tokens.ana.user.parent}?limit=200`;
  const request = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${story.tokens.ana.token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
  const deaf = await connections(40, request.repeat(20));
  for (const socket of deaf) socket.pause();
  const before = machine.status('VmRSS');
  await isWhole(story);
  assert.ok(machine.status('VmRSS') - before < 200_000, 'what is not read is not piled up');
  for (const socket of deaf) socket.destroy();
});

test('rubbish on the media port costs little and stops nothing', { timeout: 60_000 }, async () => {
  const story = await begin();
  const [before, spent] = [machine.status('VmRSS'), cpu()];
  const socket = createSocket('udp4');
  const packets = [Buffer.alloc(1200, 0x80), Buffer.from('000100002112a442000000000000000000000000', 'hex'), Buffer.alloc(200, 22)];
  const until = Date.now() + (LONG ? 10_000 : 2000);
  let sent = 0;
  while (Date.now() < until) {
    for (let nth = 0; nth < 500; nth += 1) socket.send(packets[(sent += 1) % packets.length], machine.media, '127.0.0.1');
    await pause(5);
    if (sent % 20_000 === 0) assert.equal(await health(), true);
  }
  assert.equal(await health(), true);
  socket.close();
  const grown = machine.status('VmRSS') - before;
  assert.ok(grown < 60_000, `${grown} KB more after ${sent} packets`);
  await pause(1000);
  const idle = cpu();
  await pause(1000);
  assert.ok(cpu() - idle < 0.5, `quiet again (${cpu() - spent} s of processor time for ${sent} packets)`);
  await isWhole(story);
});

test('a clock that goes back a day ends nothing and revives nothing', async (t) => {
  const library = FAKETIME.find(existsSync);
  if (!library) return t.skip('libfaketime is not installed');
  const tomorrow = { LD_PRELOAD: library, FAKETIME: '+1d' };
  const story = await begin({ env: tomorrow });
  assert.equal((await tell(story, ['open', 'accept', 'permit', 'document', 'close'])).step, undefined);
  const closed = story.case;
  await machine.end('SIGTERM');
  // From here on it is a day earlier than before.
  machine.env = {};
  assert.equal((await machine.start()).ready, true, machine.output);
  for (const who of ['ana', 'admin', 'cliente']) await story.logIn(who);
  const { json } = await story.get(`conferences-details/${closed.id}`, { as: 'ana' });
  assert.ok((json.conference.duration ?? 0) >= 0, 'no time below nothing');
  const again = await story.post(`external/${closed.hash}/track`, { type: 'LINK_OPENED' }, { key: closed.key, mayFail: true });
  assert.ok(again.status >= 400, `what is closed stays closed: ${again.status}`);
  await isWhole(story);
});

test('a month ahead sessions have ended, files have expired, and nothing is dangling', async (t) => {
  const library = FAKETIME.find(existsSync);
  if (!library) return t.skip('libfaketime is not installed');
  const story = await begin();
  assert.equal((await tell(story, ['open', 'document', 'picture', 'close'])).step, undefined);
  await machine.end('SIGTERM');
  machine.env = { LD_PRELOAD: library, FAKETIME: '+33d' };
  assert.equal((await machine.start()).ready, true, machine.output);
  assert.equal((await story.get('me', { as: 'ana', mayFail: true })).status, 401, 'the session has ended');
  await story.logIn('ana');
  const { json } = await story.get(`conference-media/${story.case.id}`, { as: 'ana' });
  const gone = await story.get(json.media[0]?.url ?? `/uploads/${[...story.facts.media.keys()][0]}`, { as: 'ana', mayFail: true });
  assert.ok([404, 410].includes(gone.status), `${gone.status}`);
  assert.deepEqual((await machine.doctor()).damage, []);
});

test('a slow disk makes requests slow, and health stays green', async () => {
  const story = await begin({ shim, control });
  assert.equal((await tell(story, STEPS)).step, undefined);
  control.arm(1, { mode: MODE.slow, wait: 40, more: 400 });
  const telling = tell(story, STEPS);
  const answers = [];
  for (let nth = 0; nth < 10; nth += 1) {
    const began = performance.now();
    assert.equal(await health(), true);
    answers.push(performance.now() - began);
    await pause(50);
  }
  assert.ok(Math.max(...answers) < 2000, `${Math.max(...answers)} ms`);
  assert.equal((await telling).step, undefined);
  control.disarm();
  await isWhole(story);
});

test('a storage that never answers turns readiness red, and the rest goes on', { timeout: 90_000 }, async () => {
  const held = new Set();
  const stalled = createServer((socket) => {
    held.add(socket);
    socket.on('error', () => {});
    socket.resume();
  });
  await new Promise((done) => stalled.listen(0, '127.0.0.1', done));
  const folder = join(scratch, `data-${++folders}`);
  copyOf(seed, folder);
  const storage = `s3://key:secret@bucket?endpoint=http://127.0.0.1:${stalled.address().port}&region=eu-1`;
  machine = new Machine({ binary, folder, env: { ATALAYA_STORAGE_URL: storage } });
  const starting = machine.start({ timeout: 20_000 }).catch(() => ({ ready: false }));
  await until(health, 'it lives', 20_000);
  const story = new Story(machine);
  for (const who of ['ana', 'admin', 'cliente']) await story.logIn(who);
  const ready = await ask(`${machine.url}/readyz`, { timeout: 6000 });
  assert.deepEqual([ready.status, ready.json.checks.storage], [503, 'failed']);
  assert.equal((await tell(story, ['open', 'accept', 'permit'])).step, undefined, 'what needs no file goes on');
  const uploads = Array.from({ length: 8 }, () => story.document().catch((error) => error));
  await pause(1000);
  assert.equal((await tell(story, ['open', 'accept', 'permit'])).step, undefined, 'also while uploads wait');
  assert.equal(await health(), true);
  stalled.close();
  for (const socket of held) socket.destroy();
  await machine.end();
  await Promise.all(uploads);
  await starting;
  machine.env = {};
  assert.equal((await machine.start()).ready, true, machine.output);
  assert.deepEqual((await machine.doctor()).damage, []);
});

test('what a webhook, a link and a title say stays text in the log', async () => {
  const story = await begin();
  const evil = 'A\u001b[31m\nERROR faked line';
  await story.get(`external/${encodeURIComponent(evil)}`, { mayFail: true });
  await story.post('login', { userName: evil, password: evil, login: true }, { mayFail: true });
  assert.ok(!machine.output.includes('\nERROR faked line'), machine.output);
});
