/**
 * Crash points: the server is killed at one call after the other that changes a file (before it, in its middle, after it),
 * started again, examined by `doctor --deep`, and asked for everything that it had acknowledged.
 *
 *   node crash.mjs BINARY [--points N] [--lanes N] [--out FILE] [--seconds N]
 *
 * Four stories: a case from the link to its erasure, a month from its invoices to the payment file, the first start on an empty folder,
 * and the start after a crash. Ends with 1 when anything was lost, doubled or dangling.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildShim, Control, MODE } from './lib/control.mjs';
import { copyOf, Machine, seedOf } from './lib/machine.mjs';
import { write } from './lib/results.mjs';
import { repeat, STORIES, Story, tell } from './lib/story.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    points: { type: 'string', default: '40' },
    lanes: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '0' },
    out: { type: 'string' },
  },
});
const binary = resolve(positionals[0] ?? '');
const POINTS = Number(values.points);
const SHORT = POINTS < 200;
const deadline = Number(values.seconds) > 0 ? Date.now() + 1000 * Number(values.seconds) : Number.POSITIVE_INFINITY;
const MODES = [MODE.killBefore, MODE.tear, MODE.killAfter];
const MODE_NAMES = { [MODE.killBefore]: 'before', [MODE.tear]: 'torn', [MODE.killAfter]: 'after' };

/** Calls that change a file, of each story; measured again as the stories are told. */
const LENGTHS = { case: SHORT ? 900 : 1600, month: 600, first: 1500, again: 60 };
/** Of ten points, how many each story gets. */
const SHARES = ['case', 'case', 'month', 'case', 'first', 'case', 'again', 'month', 'case', 'again'];
/** Setting a certificate takes seconds in a build for development. */
const steps = { case: STORIES.case.filter((step) => !SHORT || step !== 'certify'), month: STORIES.month };

const scratch = mkdtempSync(join(tmpdir(), 'atalaya-crash-'));
const shim = buildShim(scratch);
const seed = await seedOf(binary, scratch);
const began = Date.now();

let handedOut = 0;
const turns = { case: 0, month: 0, first: 0, again: 0 };
const result = { points: 0, missed: 0, stories: {}, modes: {}, lost: [], damage: [], strays: 0, acknowledged: 0, restarts: [] };

/** The next point: its story, where it lies in it, and how the process dies. */
function next() {
  if (result.points + result.missed >= POINTS * 1.25 || handedOut >= POINTS + result.missed || Date.now() > deadline) return undefined;
  const number = handedOut;
  handedOut += 1;
  const story = SHARES[number % SHARES.length];
  const share = SHARES.filter((name) => name === story).length / SHARES.length;
  const turn = turns[story];
  turns[story] += 1;
  // Every position in turn, spread over the whole story when there are fewer points than positions.
  const stride = Math.max(1, LENGTHS[story] / (POINTS * share));
  return { story, nth: 1 + (Math.floor(turn * stride) % LENGTHS[story]), mode: MODES[number % MODES.length] };
}

const lanes = Array.from({ length: Number(values.lanes) }, (_, lane) => run(lane));
await Promise.all(lanes);

async function run(lane) {
  const folder = join(scratch, `lane-${lane}`);
  const control = new Control(join(scratch, `control-${lane}`));
  const machine = new Machine({ binary, folder, shim, control });
  let told;
  for (let point = next(); point; point = next()) {
    try {
      if (point.story === 'first') {
        told = undefined;
        await first(machine, point);
      } else {
        // A month is issued once; every point needs one that is not.
        if (!told || point.story === 'month' || told.round > 40) told = await begin(machine);
        await crash(machine, told, point);
      }
    } catch (error) {
      // Counted as lost: what cannot be proved is not there.
      result.lost.push({ ...point, what: [`${error.message}`.slice(0, 600)], log: machine.output?.slice(-1500) });
      told = undefined;
    }
    if (result.points % 50 === 0 && result.points > 0) process.stdout.write(`crash: ${result.points} points\n`);
  }
  await machine.end();
  control.close();
}

/** A fresh folder with the demo data, a running server and three people logged in. */
async function begin(machine) {
  await machine.end();
  rmSync(machine.folder, { recursive: true, force: true });
  copyOf(seed, machine.folder);
  await ready(machine);
  const story = new Story(machine);
  for (const who of ['ana', 'admin', 'cliente']) await story.logIn(who);
  return story;
}

async function ready(machine) {
  const { ready: isReady, ms } = await machine.start();
  if (!isReady) throw new Error(`the server does not start:\n${machine.output.slice(-1500)}`);
  return ms;
}

/** The story was shorter than thought. */
function miss(point) {
  result.missed += 1;
  LENGTHS[point.story] = Math.max(20, Math.min(LENGTHS[point.story], point.nth - 1));
}

function count(point) {
  result.points += 1;
  result.stories[point.story] = (result.stories[point.story] ?? 0) + 1;
  const mode = MODE_NAMES[point.mode];
  result.modes[mode] = (result.modes[mode] ?? 0) + 1;
}

async function crash(machine, told, point) {
  let step;
  if (point.story === 'again') {
    await machine.end();
    const { ready: isReady } = await machine.start({ fault: point });
    if (isReady) {
      machine.control.disarm();
      miss(point);
    } else count(point);
    await machine.end();
  } else {
    machine.control.arm(point.nth, point);
    const { step: failed, error, gone } = await tell(told, steps[point.story]);
    step = failed;
    machine.control.disarm();
    if (failed && !gone) throw new Error(`${failed} failed before the crash: ${error.message}`);
    if (machine.isAlive && machine.control.hits === 0) {
      miss(point);
      return;
    }
    await machine.exited;
    count(point);
  }
  result.restarts.push(await ready(machine));
  const lost = await told.lost();
  if (step) await repeat(told, step);
  await examine(machine, point, lost);
  result.acknowledged += told.acknowledged - (told.counted ?? 0);
  told.counted = told.acknowledged;
}

/** The first start on an empty folder is killed; the second makes it whole. */
async function first(machine, point) {
  await machine.end();
  rmSync(machine.folder, { recursive: true, force: true });
  mkdirSync(machine.folder, { recursive: true });
  const { ready: isReady } = await machine.start({ fault: point });
  machine.control.disarm();
  if (isReady && machine.control.hits === 0) miss(point);
  else {
    await machine.end();
    count(point);
    result.restarts.push(await ready(machine));
  }
  await examine(machine, point, []);
}

async function examine(machine, point, lost) {
  const { damage, strays } = await machine.doctor();
  result.strays += strays;
  if (lost.length > 0) result.lost.push({ ...point, what: lost });
  if (damage.length > 0) result.damage.push({ ...point, what: damage });
}

const sorted = result.restarts.toSorted((a, b) => a - b);
const summary = {
  points: result.points,
  stories: result.stories,
  modes: result.modes,
  acknowledged: result.acknowledged,
  lost: result.lost.length,
  damaged: result.damage.length,
  strays: result.strays,
  restart: { median: sorted[Math.floor(sorted.length / 2)] ?? 0, longest: sorted.at(-1) ?? 0 },
  seconds: Math.round((Date.now() - began) / 1000),
};
write(values.out, 'crash', { ...summary, details: [...result.lost, ...result.damage].slice(0, 50) });
process.stdout.write(`crash: ${JSON.stringify(summary)}\n`);
for (const one of [...result.lost, ...result.damage].slice(0, 20)) process.stdout.write(`✖ ${JSON.stringify(one)}\n`);
rmSync(scratch, { recursive: true, force: true });
// A busy machine makes fewer in its time; none would prove nothing.
const enough = result.points >= (Date.now() > deadline ? 8 : Math.min(POINTS, 30));
process.exit(result.lost.length + result.damage.length === 0 && enough ? 0 : 1);
