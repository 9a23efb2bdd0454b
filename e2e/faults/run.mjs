/**
 * Faults, all of them: node run.mjs BINARY [--long].
 *
 * The short form (about a minute, in `make test`) makes 40 crash points and a few disk errors. The long one makes 2,000 crash points, tries
 * the limits, clocks and floods, and soaks for an hour (ATALAYA_SOAK_MINUTES); its results are kept for `report.mjs`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seedOf } from './lib/machine.mjs';
import { write } from './lib/results.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const binary = resolve(process.argv[2] ?? '');
const long = process.argv.includes('--long');
const scratch = mkdtempSync(join(tmpdir(), 'atalaya-faults-run-'));
const env = { ...process.env, ATALAYA_BIN: binary, ATALAYA_FAULTS_SEED: await seedOf(binary, scratch), ...(long ? { ATALAYA_FAULTS_LONG: '1' } : {}) };

/** One program; what it says is passed on. Answers its code and its text. */
function run(...args) {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: here, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      process.stdout.write(chunk);
    });
    child.once('close', (code) => done({ code, text }));
  });
}

const codes = [(await run('--test', '--test-reporter=spec', 'catalogue.test.mjs')).code];
if (long) {
  const { code, text } = await run('--test', '--test-reporter=tap', 'process.test.mjs');
  const number = (word) => Number(text.match(new RegExp(`^# ${word} (\\d+)$`, 'm'))?.[1] ?? 0);
  write(undefined, 'process', { tests: number('tests'), passed: number('pass'), failed: number('fail'), skipped: number('skipped') });
  codes.push(code);
  codes.push((await run('crash.mjs', binary, '--points', process.env.ATALAYA_CRASH_POINTS ?? '2000')).code);
  codes.push((await run('errors.mjs', binary, '--trials', '80')).code);
  codes.push((await run('soak.mjs', binary)).code);
} else {
  codes.push((await run('crash.mjs', binary, '--points', '40', '--seconds', '35', '--out', join(scratch, 'crash.json'))).code);
  codes.push((await run('errors.mjs', binary, '--trials', '3', '--out', join(scratch, 'errors.json'))).code);
}
rmSync(scratch, { recursive: true, force: true });
process.exit(codes.every((code) => code === 0) ? 0 : 1);
