/** The catalogue of faults: 64 of them, each with what is expected and a test that is there, or a reason why there is none. Citations. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const file = (path) => new URL(`../../${path}`, import.meta.url);
const catalogue = JSON.parse(readFileSync(file('e2e/faults/catalogue.json'), 'utf8'));

test('each fault has its expected behaviour and tests that exist, or the reason why not', () => {
  assert.deepEqual(catalogue.map(({ id }) => id), Array.from({ length: 64 }, (_, nth) => `F${nth + 1}`));
  for (const { id, fault, expected, tests, missing } of catalogue) {
    assert.ok(fault && expected, id);
    assert.ok(tests.length > 0 || missing, `${id} has neither a test nor a reason`);
    for (const { file: path, name } of tests) {
      assert.ok(existsSync(file(path)), `${id}: ${path} is not there`);
      assert.ok(readFileSync(file(path), 'utf8').includes(name), `${id}: ${path} has no "${name}"`);
    }
  }
});

test('files and Rust tests that the documents about security cite exist', () => {
  const root = fileURLToPath(file(''));
  const all = execFileSync('grep', ['-rhoE', '--include=*.rs', 'fn [a-z0-9_]+', 'crates', 'xtask/src'], { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 });
  const functions = new Set(all.split('\n').map((line) => line.slice(3)));
  for (const document of ['docs/security/asvs.md', 'docs/security/threat-model.md', 'docs/security/hardening.md', 'SECURITY.md']) {
    const cited = readFileSync(file(document), 'utf8').matchAll(/`([^`\n]+)`/g);
    for (const [, what] of cited) {
      if (/^(crates|web|e2e|scripts|xtask|docs|bench|deploy)\/[\w./@-]+$/.test(what)) assert.ok(existsSync(file(what)), `${document}: ${what} is not there`);
      if (/^[a-z0-9]+(_[a-z0-9]+){3,}$/.test(what)) assert.ok(functions.has(what), `${document}: there is no ${what}`);
    }
  }
});
