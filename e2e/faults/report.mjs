/**
 * Writes docs/reliability.md from the catalogue and from what the last runs found (results/*.json in this folder, and newer ones in the
 * cache, which are copied here; those of the fuzzers, scripts/fuzz-*.sh, among them).
 *
 *   node report.mjs [--check]      --check fails when the page does not belong to the results that are kept here
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commit, resultsFolder } from './lib/results.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const kept = join(here, 'results');
const page = join(here, '../../docs/reliability.md');
const check = process.argv.includes('--check');

mkdirSync(kept, { recursive: true });
if (!check && existsSync(resultsFolder())) {
  for (const name of readdirSync(resultsFolder()).filter((one) => /^(crash|errors|soak|process)\.json$/.test(one))) {
    copyFileSync(join(resultsFolder(), name), join(kept, name));
  }
}
const fuzzed = join(resultsFolder(), '../results');
for (const name of ['fuzz.json', 'fuzz-api.json']) {
  const [from, to] = [join(fuzzed, name), join(kept, name)];
  if (check || !existsSync(from)) continue;
  // The fuzzers do not know the commit: a result that is here already keeps the one it was first seen with.
  const found = { at: statSync(from).mtime.toISOString(), ...JSON.parse(readFileSync(from, 'utf8')) };
  const before = existsSync(to) ? JSON.parse(readFileSync(to, 'utf8')) : undefined;
  if (before?.at !== found.at) writeFileSync(to, `${JSON.stringify({ commit: commit(), ...found }, null, 2)}\n`);
}

const read = (name) => (existsSync(join(kept, `${name}.json`)) ? JSON.parse(readFileSync(join(kept, `${name}.json`), 'utf8')) : undefined);
const runs = Object.fromEntries(['crash', 'errors', 'process', 'soak'].map((name) => [name, read(name)]));
const catalogue = JSON.parse(readFileSync(join(here, 'catalogue.json'), 'utf8'));
const mended = JSON.parse(readFileSync(join(here, 'mended.json'), 'utf8'));

const by = (counts) => Object.entries(counts).map(([name, count]) => `${name} ${count}`).join(', ');
const when = (run) => (run ? `${run.at.slice(0, 10)}, ${run.commit}` : 'not run yet');
const count = (pick, one) => (runs[one] ? pick(runs[one]) : '—');
const all = Object.values(runs);
const [bytes, calls] = [read('fuzz'), read('fuzz-api')];
const [api, ext] = [calls?.api, calls?.ext];
/** Only when everything has been run. */
const lost = all.every(Boolean) ? all.reduce((sum, run) => sum + (run.lost ?? 0) + (run.damaged ?? 0), 0) : '—';

const lines = [
  '# Reliability',
  '',
  'Written by `node e2e/faults/report.mjs` from the results of the runs; not by hand. What is proved after each crash: [rules/deep.md](rules/deep.md).',
  '',
  '| | injected or tried | found | lost or damaged | last run |',
  '|---|---|---|---|---|',
  `| crash points (kill -9 before, in and after a call that changes a file) | ${count((run) => `${run.points} (${by(run.stories)}; ${by(run.modes)})`, 'crash')} | ${count((run) => `${run.acknowledged} acknowledged steps, all there; ready again after ${run.restart.median} ms, at most ${run.restart.longest} ms; ${run.strays} left-over files`, 'crash')} | ${count((run) => run.lost + run.damaged, 'crash')} | ${when(runs.crash)} |`,
  `| EIO and ENOSPC | ${count((run) => `${run.injected} errors in ${run.trials} trials`, 'errors')} | ${count((run) => `${by(run.answers)}; works again after ${run.recovery.longest} ms at most`, 'errors')} | ${count((run) => run.lost + run.damaged, 'errors')} | ${when(runs.errors)} |`,
  `| limits, clocks, floods, silent clients | ${count((run) => `${run.tests} tests`, 'process')} | ${count((run) => `${run.passed} passed`, 'process')} | ${count((run) => run.failed, 'process')} | ${when(runs.process)} |`,
  `| soak | ${count((run) => `${run.minutes} minutes: ${by(run.done)}`, 'soak')} | ${count((run) => `memory ${run.growth >= 0 ? '+' : ''}${run.growth} KB from the first half to the second`, 'soak')} | ${count((run) => run.wrong, 'soak')} | ${when(runs.soak)} |`,
  `| changed good inputs at every parser of foreign bytes | ${bytes ? `${bytes.inputs} inputs at ${bytes.targets.length} parsers` : '—'} | ${bytes ? `${bytes.found} broke something; the slowest took ${Math.max(...bytes.targets.map((one) => one.slowestMs))} ms` : '—'} | – | ${when(bytes)} |`,
  `| generated requests at every call of both APIs | ${api && ext ? `${api.inputs + ext.inputs} requests` : '—'} | ${api && ext ? `${api.found + ext.found} answers of 500 or above` : '—'} | – | ${when(calls)} |`,
  `| **all** | | ${mended.length} defects mended | **${lost}** | |`,
  '',
  '## Found and mended',
  '',
  '| found by | what it was | what holds it now |',
  '|---|---|---|',
  ...mended.map(({ by: how, what, test }) => `| ${how} | ${what} | ${test} |`),
  '',
  '## The catalogue',
  '',
  '| | fault | expected | shown by |',
  '|---|---|---|---|',
  ...catalogue.map(({ id, fault, expected, tests, missing }) => {
    const shown = tests.map(({ file, name }) => `\`${file}\`: ${name}`);
    return `| ${id} | ${fault} | ${expected} | ${[...shown, ...(missing ? [missing] : [])].join('<br>')} |`;
  }),
  '',
];
const text = lines.join('\n');
if (check) {
  if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
    process.stderr.write('docs/reliability.md is not what the results say: node e2e/faults/report.mjs\n');
    process.exit(1);
  }
} else {
  writeFileSync(page, text);
  process.stdout.write(`${page}\n`);
}
