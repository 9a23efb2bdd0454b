/**
 * An hour of everything at once: calls, uploads, sockets, event streams, billing. Afterwards memory is flat, and no room, socket,
 * task or file is left over.
 *
 *   node soak.mjs BINARY [--minutes N] [--no-calls] [--out FILE]      ATALAYA_SOAK_MINUTES works too
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyOf, Machine, pause, seedOf } from './lib/machine.mjs';
import { write } from './lib/results.mjs';
import { STORIES, Story, tell } from './lib/story.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: process.env.ATALAYA_SOAK_MINUTES ?? '60' },
    'no-calls': { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const MINUTES = Number(values.minutes);
/** How much the middle of the memory may grow from the first to the second half, in KB. */
const GROWTH_KB = 12_000;

const scratch = mkdtempSync(join(tmpdir(), 'atalaya-soak-'));
const machine = new Machine({ binary: resolve(positionals[0] ?? ''), folder: join(scratch, 'data'), env: { ATALAYA_METRICS: 'true' } });
copyOf(await seedOf(machine.binary, scratch), machine.folder);
if (!(await machine.start()).ready) throw new Error(machine.output);

const began = Date.now();
const end = began + MINUTES * 60_000;
const going = () => Date.now() < end && machine.isAlive;
const done = { cases: 0, calls: 0, sockets: 0, streams: 0, months: 0 };
const failed = [];
/** Sessions end after an hour, so that long runs log in anew. */
const LOGGED_IN_MS = 40 * 60_000;

async function people() {
  const story = new Story(machine);
  for (const who of ['ana', 'admin', 'cliente']) await story.logIn(who);
  story.since = Date.now();
  return story;
}

async function cases() {
  let story = await people();
  while (going()) {
    // Requests for files have a limit, and certificates take seconds in a build for development.
    const rare = ['certify', 'requestFiles', 'send'];
    const steps = done.cases % 10 === 0 ? STORIES.case : STORIES.case.filter((step) => !rare.includes(step));
    const { step, error } = await tell(story, steps);
    if (step && error.answer?.status !== 429) failed.push(`${step}: ${error.message}`);
    done.cases += 1;
    if (Date.now() - story.since > LOGGED_IN_MS) story = await people();
    await pause(300);
  }
}

async function months() {
  let story = await people();
  while (going()) {
    await story.post('update-invoice-processes', {}, { as: 'admin' }).catch((error) => failed.push(error.message));
    done.months += 1;
    await pause(5000);
    if (Date.now() - story.since > LOGGED_IN_MS) story = await people();
  }
}

/** A connection that is opened, heard for a moment, and left without a word. */
const visit = (path, headers, ms) =>
  new Promise((over) => {
    const sent = request(`${machine.url}${path}`, { headers });
    sent.on('error', over);
    sent.on('response', (answer) => answer.resume());
    sent.end();
    setTimeout(() => {
      sent.destroy();
      over();
    }, ms);
  });

/** People with an open case; a limit that the other lanes have reached is waited for. */
async function visiting() {
  const story = await people();
  while (!story.case && going()) {
    await tell(story, ['open']);
    if (!story.case) await pause(5000);
  }
  return story;
}

async function visitors() {
  let story = await visiting();
  while (going() && story.case) {
    const headers = { authorization: `Bearer ${story.tokens.ana.token}` };
    await Promise.all([
      ...Array.from({ length: 5 }, () => visit('/socket.io/?EIO=4&transport=polling', headers, 400)),
      ...Array.from({ length: 5 }, () => visit(`/api/v1/conference-events/${story.case.id}`, headers, 700)),
    ]);
    done.sockets += 5;
    done.streams += 5;
    if (Date.now() - story.since > LOGGED_IN_MS) {
      story = await visiting();
    }
  }
}

/** Calls of two browsers, recorded. */
async function calls() {
  const { openBrowser, openPage, openPhoneBrowser } = await import('../journeys/lib/browsers.mjs');
  const { flows } = await import('../journeys/lib/media.mjs');
  const { enterAsClient, linkFromOutbox, logIn, openConference, session } = await import('../journeys/lib/steps.mjs');
  const [browser, phones, errors] = [await openBrowser(), await openPhoneBrowser(), []];
  const { accounts } = await people();
  while (going()) {
    const number = `6${String(10_000_000 + done.calls).padStart(8, '0')}`;
    const staff = await openPage(browser, 'adjuster', errors);
    const phone = await openPage(phones, 'client', errors, { size: 'phone' });
    try {
      await logIn(staff, machine.url, accounts.luis);
      const id = await openConference(staff, machine.url, { expedient: `SOAK-${done.calls}`, phone: number });
      const { link } = await linkFromOutbox(await session(machine.url, accounts.admin), `+34${number}`);
      await enterAsClient(phone, link);
      await flows(staff);
      await staff.getByRole('button', { name: 'Grabar' }).click();
      await staff.waitForTimeout(15_000);
      await (await session(machine.url, accounts.luis)).post(`conference-close/${id}`, {});
      done.calls += 1;
    } catch (error) {
      failed.push(`call: ${error.message.slice(0, 300)}`);
    }
    await staff.context().close();
    await phone.context().close();
    await pause(20_000);
  }
  await browser.close();
  await phones.close();
}

const samples = [];

/** Rooms and stays that nobody ended, as another program sees them in the database. */
function open() {
  const ask = 'import sqlite3,sys\nd=sqlite3.connect(sys.argv[1])\nprint(*[d.execute(q).fetchone()[0] for q in ("SELECT count(*) FROM conference_room WHERE ended_at IS NULL","SELECT count(*) FROM participation WHERE left_at IS NULL")])';
  return execFileSync('python3', ['-c', ask, join(machine.folder, 'atalaya.db')], { encoding: 'utf8' }).trim().split(' ').map(Number);
}

/** Of the process and of its own metrics. */
async function sample() {
  const proc = `/proc/${machine.child.pid}`;
  const { text } = await fetch(`${machine.url}/metrics`).then(async (answer) => ({ text: await answer.text() }), () => ({ text: '' }));
  const metric = (name) => Number(text.match(new RegExp(`^${name}(?:\\{[^}]*\\})? ([0-9.e+]+)$`, 'm'))?.[1] ?? 0);
  return {
    second: Math.round((Date.now() - began) / 1000),
    rss: machine.status('VmRSS'),
    threads: machine.status('Threads'),
    descriptors: readdirSync(`${proc}/fd`).length,
    sockets: metric('sockets_open'),
    relayed: metric('turn_allocations'),
  };
}

async function measure() {
  while (going()) {
    samples.push(await sample());
    await pause(Math.max(2000, Math.min(10_000, MINUTES * 1000)));
  }
}

const first = await sample();
const lanes = [cases(), months(), visitors(), measure()];
if (!values['no-calls']) lanes.push(calls());
await Promise.all(lanes);

// Whatever was left without a word is noticed by its silence.
for (let waited = 0; waited < 90 && machine.isAlive; waited += 5) {
  const { descriptors, sockets } = await sample();
  if (descriptors <= first.descriptors + 8 && sockets === 0 && open().every((count) => count === 0)) break;
  await pause(5000);
}
const last = machine.isAlive ? await sample() : undefined;

const middle = (list) => list.map(({ rss }) => rss).toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
// The first fifth fills caches and pools.
const steady = samples.slice(Math.floor(samples.length / 5));
const growth = middle(steady.slice(steady.length / 2)) - middle(steady.slice(0, steady.length / 2));
const doctor = await machine.doctor();
const spooled = readdirSync(join(machine.folder, 'spool'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const wrong = [];
if (!last) wrong.push(`the server is gone: ${machine.output.slice(-600)}`);
else {
  if (growth > GROWTH_KB) wrong.push(`memory grew by ${growth} KB from the first half to the second`);
  if (last.descriptors > first.descriptors + 8) wrong.push(`${last.descriptors} descriptors, ${first.descriptors} at the beginning`);
  if (last.threads > first.threads + 16) wrong.push(`${last.threads} threads, ${first.threads} at the beginning`);
  if (last.sockets > 0 || last.relayed > 0) wrong.push(`${last.sockets} sockets and ${last.relayed} relays are left`);
  const [rooms, stays] = open();
  if (rooms > 0 || stays > 0) wrong.push(`${rooms} rooms and ${stays} participants are left`);
}
if (spooled.length > 0) wrong.push(`${spooled.length} recordings are left in the spool`);
if (doctor.damage.length > 0 || doctor.strays > 0) wrong.push(...doctor.damage, `${doctor.strays} kinds of files without a row`);
if (failed.length > 0) wrong.push(`${failed.length} steps failed, first ${failed[0]}`);
const errors = readLines(machine.output).filter((line) => /ERROR|panicked/.test(line));
if (errors.length > 0) wrong.push(`${errors.length} errors in the log, first ${errors[0]}`);
const ended = await machine.end('SIGTERM');
if (ended?.code !== 0) wrong.push(`it ends with ${JSON.stringify(ended)}`);

function readLines(text) {
  return text.split('\n');
}

const summary = { minutes: MINUTES, done, growth, first, last, samples: samples.length, wrong: wrong.length };
write(values.out, 'soak', { ...summary, details: wrong });
process.stdout.write(`soak: ${JSON.stringify(summary)}\n`);
for (const what of wrong) process.stdout.write(`✖ ${what}\n`);
rmSync(scratch, { recursive: true, force: true });
process.exit(wrong.length === 0 ? 0 : 1);
