// Bytes on the wire (brotli, quality 11) of the end client's pages, from a finished build:
// what is needed to press 'Aceptar', and the call's code that arrives while the notice is read;
// what is needed to see what files are asked for, and what comes after (sending, camera).
// what is needed once a call is frozen. Fails over budget (90 KB, and 170 KB more; the aim is 40 KB before). Run: node external/dev/size.mjs
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const KB = 1024;
const BUDGET = { before: 90 * KB, call: 170 * KB, list: 40 * KB, sending: 60 * KB, frozen: 10 * KB, visit: 12 * KB };
const dist = process.argv[2] ?? fileURLToPath(new URL('../../dist', import.meta.url));

const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
const read = (path) => readFileSync(`${dist}/${path}`);

const before = new Map();
const call = new Map();
const list = new Map();
const sending = new Map();
const frozen = new Map();
const visit = new Map();

function follow(file, into, known = []) {
  if ([into, ...known].some((files) => files.has(file))) return;
  const bytes = read(file);
  into.set(file, brotli(bytes));
  if (!file.endsWith('.js')) return;
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  // Static imports belong to the same moment; what only import() names comes later.
  for (const [, path] of bytes
    .toString()
    .matchAll(/(?:^|[;}\s])(?:import|export)\s*(?:[^"'`()]*?from\s*)?["']\.\/([\w.-]+\.js)["']/g))
    follow(folder + path, into, known);
}

/** The chunks of these names that scripts of `first` load later. */
function chunksOf(first, later, names, known = []) {
  const chunk = new RegExp(`["'\`](?:\\.\\/)?(?:external-assets\\/)?((?:${names})[\\w.-]*\\.(?:js|css))["'\`]`, 'g');
  for (const file of [...first.keys()]) {
    if (!file.endsWith('.js')) continue;
    for (const [, path] of read(file).toString().matchAll(chunk))
      follow(`external-assets/${path}`, later, [first, ...known]);
  }
}

/** A page and what its HTML names; then what its scripts load later. */
function pageOf(html, first, later, names) {
  first.set(html, brotli(read(html)));
  const text = read(html).toString();
  for (const [, path] of text.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)) follow(path, first);
  chunksOf(first, later, names);
}

pageOf('external/index.html', before, call, 'CallScreen|uploads');
chunksOf(before, visit, 'VisitScreen', [call]);
chunksOf(call, frozen, 'FrozenPicture', [before]);
pageOf('external/files.html', list, sending, 'start|pictures|FileCamera');

const total = (files) => [...files.values()].reduce((sum, size) => sum + size, 0);
const kb = (bytes) => `${(bytes / KB).toFixed(1)} KB`;
for (const [title, files] of [
  ['before Aceptar', before],
  ['call code', call],
  ['list of files', list],
  ['sending and camera', sending],
  ['frozen picture', frozen],
  ['appointment', visit],
]) {
  console.log(`${title}: ${kb(total(files))}`);
  for (const [file, size] of files) console.log(`  ${kb(size).padStart(9)}  ${file}`);
}
if (call.size === 0 || sending.size === 0 || frozen.size === 0)
  throw new Error('the code that comes later was not found in the build');
const parts = { before, call, list, sending, frozen, visit };
const over = Object.entries(BUDGET).filter(([part, budget]) => total(parts[part]) > budget);
for (const [part, budget] of over) console.error(`over budget: ${part}, at most ${kb(budget)}`);
process.exit(over.length ? 1 : 0);
