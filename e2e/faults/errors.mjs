/**
 * A disk that fails or is full: from one call after the other on, the kernel answers EIO or ENOSPC, once, for a while, or until
 * it is taken back. The server answers with a problem, goes on, and works again without a restart; nothing acknowledged is lost.
 *
 *   node errors.mjs BINARY [--trials N] [--out FILE]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildShim, Control, ERRNO, KIND, MODE } from './lib/control.mjs';
import { copyOf, Machine, pause, seedOf } from './lib/machine.mjs';
import { write } from './lib/results.mjs';
import { Refused, STORIES, Story } from './lib/story.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { trials: { type: 'string', default: '8' }, out: { type: 'string' } },
});
const binary = resolve(positionals[0] ?? '');
const TRIALS = Number(values.trials);
/** What is tried in turn: which error, of which calls, for how many of them. */
const TURNS = [
  { error: 'ENOSPC', kinds: KIND.writes, more: 1e9 },
  { error: 'EIO', kinds: KIND.syncs, more: 0 },
  { error: 'EIO', kinds: KIND.all, more: 0 },
  { error: 'ENOSPC', kinds: KIND.all, more: 25 },
  { error: 'EIO', kinds: KIND.syncs, more: 1e9 },
  { error: 'EIO', kinds: KIND.names, more: 10 },
  { error: 'ENOSPC', kinds: KIND.writes, more: 0 },
  { error: 'EIO', kinds: KIND.all, more: 1e9 },
];
const STEPS = STORIES.case.filter((step) => step !== 'certify');
const POSITIONS = 500;

const scratch = mkdtempSync(join(tmpdir(), 'atalaya-errors-'));
const control = new Control(join(scratch, 'control'));
const machine = new Machine({ binary, folder: join(scratch, 'data'), shim: buildShim(scratch), control });
copyOf(await seedOf(binary, scratch), machine.folder);
if (!(await machine.start()).ready) throw new Error(machine.output);
const story = new Story(machine);
for (const who of ['ana', 'admin', 'cliente']) await story.logIn(who);

const result = { trials: 0, injected: 0, answers: {}, wrong: [], lost: [], damage: [], recovery: [] };
const wrong = (trial, what) => result.wrong.push({ ...trial, what });

/** A refusal that says what it is: a problem with a code, by a status that tells the client to come again. */
function judge(trial, step, error) {
  if (!(error instanceof Refused)) return wrong(trial, `${step}: ${error.message}`);
  const { status, headers, json } = error.answer;
  const told = `${status} ${json?.code}`;
  result.answers[told] = (result.answers[told] ?? 0) + 1;
  if (!/problem\+json/.test(headers['content-type'] ?? '') || !json?.code) wrong(trial, `${step}: no problem: ${error.message}`);
  // 4xx: what a step before could not do is missing now.
  else if (status >= 500 && ![503, 507].includes(status)) wrong(trial, `${step}: ${error.message}`);
}

/** Until a whole case can be told again. */
async function recovers(trial) {
  const began = Date.now();
  for (let last; ; await pause(200)) {
    try {
      for (const step of STEPS) await story[step]();
      return result.recovery.push(Date.now() - began);
    } catch (error) {
      last = error;
    }
    if (!machine.isAlive) return wrong(trial, `the server is gone: ${machine.output.slice(-600)}`);
    if (Date.now() - began > 20_000) return wrong(trial, `no recovery: ${last.message}`);
  }
}

for (let number = 0; number < TRIALS && machine.isAlive; number += 1) {
  const turn = TURNS[number % TURNS.length];
  const trial = { ...turn, nth: 1 + Math.floor((number / TRIALS) * (POSITIONS / (turn.kinds === KIND.all ? 1 : 3))) };
  control.arm(trial.nth, { mode: MODE.fail, error: ERRNO[turn.error], kinds: turn.kinds, more: turn.more });
  for (const step of STEPS) {
    try {
      await story[step]();
    } catch (error) {
      judge(trial, step, error);
      if (step === 'open') break;
    }
  }
  const alive = await story.get('/healthz', { mayFail: true }).catch(() => undefined);
  if (alive?.status !== 200) wrong(trial, '/healthz is red');
  result.injected += control.hits;
  control.disarm();
  result.trials += 1;
  await recovers(trial);
  const lost = await story.lost().catch((error) => [error.message]);
  if (lost.length > 0) result.lost.push({ ...trial, what: lost });
  const { damage } = await machine.doctor();
  if (damage.length > 0) result.damage.push({ ...trial, what: damage });
}

const ended = await machine.end('SIGTERM');
if (ended?.code !== 0) wrong({}, `it ends with ${JSON.stringify(ended)}: ${machine.output.slice(-600)}`);
const longest = Math.max(0, ...result.recovery);
const summary = {
  trials: result.trials,
  injected: result.injected,
  answers: result.answers,
  wrong: result.wrong.length,
  lost: result.lost.length,
  damaged: result.damage.length,
  recovery: { longest },
};
write(values.out, 'errors', { ...summary, details: [...result.wrong, ...result.lost, ...result.damage].slice(0, 50) });
process.stdout.write(`errors: ${JSON.stringify(summary)}\n`);
for (const one of [...result.wrong, ...result.lost, ...result.damage].slice(0, 20)) process.stdout.write(`✖ ${JSON.stringify(one)}\n`);
control.close();
rmSync(scratch, { recursive: true, force: true });
process.exit(result.wrong.length + result.lost.length + result.damage.length === 0 ? 0 : 1);
