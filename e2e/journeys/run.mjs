/**
 * Runs the journeys: node run.mjs BINARY [FILE…].
 *
 * The demo data are seeded once; each journey's server starts on a copy. Journeys with real media run alone, because
 * encoders need the processor; the others run in two lanes, the longest first, and each lane shares one Chromium. A failed
 * journey is not retried. `ATALAYA_JOURNEY_LANES=1` runs everything one after the other.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchShared } from './lib/browsers.mjs';
import { startServer } from './lib/server.mjs';
import { madridDay } from './lib/steps.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const binary = resolve(process.argv[2]);
const chosen = process.argv.slice(3);
const LIMIT_MS = 1000 * Number(process.env.ATALAYA_JOURNEY_LIMIT ?? 900);
const LANES = Number(process.env.ATALAYA_JOURNEY_LANES ?? 2);
const SLOWEST = 20;

/** Journeys whose pages send real audio and video. */
const ALONE = ['call', 'second-device', 'livekit', 'restart', 'reviewed/media', 'reviewed/office', 'live/requests', 'live/pointing', 'live/drawing', 'live/rescue'];

const nameOf = (file) => file.replace(/^\.\//, '').replace(/\.test\.mjs$/, '');
const alone = (file) => ALONE.includes(nameOf(file));

/** Seconds of each journey's last run on this machine; a new journey counts as a long one. */
const memory = join(process.env.ATALAYA_CACHE ?? join(homedir(), '.cache/atalaya'), 'journeys.json');
const remembered = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : {};
const lasted = (file) => remembered[nameOf(file)] ?? 60;

/** Seeds the demo data into a folder, which the journeys copy. */
async function seed(folder) {
  const server = await startServer({ binary, dataDir: folder });
  const code = await server.end();
  if (code !== 0) throw new Error(`the server that seeds the demo data ended with ${code}:\n${server.output()}`);
  return folder;
}

const seeds = new Map();

/** The demo data of the day, since their "yesterday" and "last month" are wrong after midnight, here or in Madrid. */
function seedOfToday(scratch) {
  const day = `${new Date().toISOString().slice(0, 10)}-${madridDay()}`;
  if (!seeds.has(day)) seeds.set(day, seed(join(scratch, `seed-${day}`)));
  return seeds.get(day);
}

/** One file in a process of its own. */
function runFile(file, env, scratch) {
  return new Promise((done) => {
    const began = Date.now();
    const report = join(scratch, `${nameOf(file).replaceAll('/', '-')}.jsonl`);
    const reporters = ['spec', '--test-reporter-destination=stdout', `--test-reporter=${join(here, 'lib/durations.mjs')}`];
    const args = ['--test', `--test-reporter=${reporters[0]}`, ...reporters.slice(1), `--test-reporter-destination=${report}`, file];
    // A process group of its own, so that a journey over its limit takes its server and browsers with it.
    const child = spawn(process.execPath, args, { cwd: here, env: { ...process.env, ...env }, detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const limit = setTimeout(() => {
      output += `\nthe journey was ended after its limit of ${LIMIT_MS / 1000} s\n`;
      process.kill(-child.pid, 'SIGKILL');
    }, LIMIT_MS);
    child.once('close', (code) => {
      clearTimeout(limit);
      const lines = existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n').filter(Boolean) : [];
      const told = lines.map((line) => ({ ...JSON.parse(line), file: nameOf(file) }));
      const [tests, pages] = [told.filter(({ page }) => !page), told.filter(({ page }) => page)];
      const seconds = Math.round((Date.now() - began) / 1000);
      done({ file, passed: code === 0 && tests.length > 0, seconds, tests, pages, output });
    });
  });
}

function verdictOf({ passed, tests }) {
  const ran = tests.filter((test) => !test.skipped);
  // The journey itself reports what it lacks on this machine.
  if (passed && ran.length === 0) return 'NOT RUN';
  return `${passed ? 'ok' : 'FAILED'}, ${ran.filter((test) => test.passed).length} of ${ran.length} tests`;
}

/** Takes files from the queue until it is empty. */
async function lane(queue, results, scratch) {
  const browser = await launchShared();
  for (let file = queue.shift(); file; file = queue.shift()) {
    const seeded = await seedOfToday(scratch);
    const env = { ATALAYA_BIN: binary, ATALAYA_JOURNEY_SEED: seeded, ATALAYA_JOURNEY_BROWSER: browser.wsEndpoint() };
    const result = await runFile(file, env, scratch);
    results.push(result);
    if (!result.passed) console.log(result.output);
    console.log(`journey ${nameOf(file)}: ${verdictOf(result)}, ${result.seconds} s`);
  }
  await browser.close();
}

function summarise(results, began) {
  const tests = results.flatMap((result) => result.tests).filter((test) => !test.skipped);
  const slowest = tests.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  console.log(`\nthe ${slowest.length} slowest tests of the journeys:`);
  for (const { ms, file, name } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}: ${name}`);
  const failed = results.filter((result) => !result.passed);
  for (const { file } of failed) console.log(`failed journey: ${file}`);
  const failures = tests.filter((test) => !test.passed);
  for (const { file, name, why } of failures) console.log(`failed test: ${file}: ${name}: ${why}`);
  for (const { file, page } of results.flatMap((result) => result.pages)) console.log(`failed test: ${file}: ${page}`);
  console.log(`\n${results.length} journeys in ${Math.round((Date.now() - began) / 1000)} s`);
  console.log(`${tests.length - failures.length} passed, ${Math.max(failures.length, failed.length)} failed`);
  return failed.length === 0;
}

const began = Date.now();
const files = chosen.length > 0 ? chosen : readdirSync(here, { recursive: true }).filter((file) => file.endsWith('.test.mjs'));
const scratch = await mkdtemp(join(tmpdir(), 'atalaya-journeys-'));
const results = [];
try {
  const byLength = files.toSorted((a, b) => lasted(b) - lasted(a));
  const shared = byLength.filter((file) => !alone(file));
  await Promise.all(Array.from({ length: LANES }, () => lane(shared, results, scratch)));
  await lane(byLength.filter(alone), results, scratch);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
for (const { file, seconds } of results) remembered[nameOf(file)] = seconds;
mkdirSync(dirname(memory), { recursive: true });
writeFileSync(memory, JSON.stringify(remembered, null, 1));
process.exit(summarise(results, began) ? 0 : 1);
