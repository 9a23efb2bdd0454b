/** What a run found, as a file in the cache from which docs/reliability.md is made. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

export const resultsFolder = () => join(process.env.ATALAYA_CACHE ?? join(homedir(), '.cache/atalaya'), 'faults');

/** The commit that is checked out, with a mark when the tree differs from it. */
export function commit() {
  try {
    const git = (...args) => execFileSync('git', ['-C', REPOSITORY, ...args], { encoding: 'utf8' }).trim();
    return git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain', '--untracked-files=no') ? '+' : '');
  } catch {
    return 'unknown';
  }
}

/** Writes a run's result: into the file that was named, else into the cache. */
export function write(file, kind, result) {
  const path = file ?? join(resultsFolder(), `${kind}.json`);
  if (!file) mkdirSync(resultsFolder(), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ kind, at: new Date().toISOString(), commit: commit(), ...result }, null, 2)}\n`);
}
