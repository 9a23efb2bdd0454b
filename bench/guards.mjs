#!/usr/bin/env node
/**
 * What the guards at the edge cost (issue 16): instructions of the same requests with the guards once and twice, counted by
 * callgrind. At most 3 % of a request.
 *
 *   cargo build --release -p atalaya-server --example guards
 *   node bench/guards.mjs target/release/examples/guards
 *
 * Each way is counted with few and with many requests, so that the start is no part of it. Exits 75 without valgrind.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [example] = process.argv.slice(2);
if (!example) throw new Error('usage: node bench/guards.mjs EXAMPLE');
const FEW = 20;
const MANY = 220;
const LIMIT = 3;
/** Requests of a round. */
const REQUESTS = 3;

if (spawnSync('valgrind', ['--version']).status !== 0) {
  console.log('guards: NOT MEASURED, valgrind is not installed');
  process.exit(75);
}
const folder = mkdtempSync(join(tmpdir(), 'atalaya-guards-'));

/** Instructions of a run. */
function instructions(mode, count) {
  const out = `--callgrind-out-file=${join(folder, `${mode}-${count}`)}`;
  const run = spawnSync('valgrind', ['--tool=callgrind', out, example, mode, String(count)], { encoding: 'utf8', maxBuffer: 1e8 });
  const collected = run.stderr.match(/Collected\s*:\s*(\d+)/);
  if (run.status !== 0 || !collected) throw new Error(`${mode} ${count}: ${run.status}\n${run.stderr.slice(-2000)}`);
  return Number(collected[1]);
}

const perRequest = (mode) => (instructions(mode, MANY) - instructions(mode, FEW)) / ((MANY - FEW) * REQUESTS);
try {
  const once = perRequest('once');
  const twice = perRequest('twice');
  const guards = twice - once;
  const share = (100 * guards) / once;
  const good = share <= LIMIT;
  console.log(`        a request: ${Math.round(once)} instructions, of them the guards: ${Math.round(guards)}`);
  console.log(`${good ? 'ok    ' : 'MISSED'}  guards: ${share.toFixed(2)} % of a request (target ≤ ${LIMIT} %)`);
  process.exitCode = good ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
