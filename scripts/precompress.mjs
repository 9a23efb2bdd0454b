// Writes FILE.br beside every text file of a folder (brotli, best quality), for the server to embed and answer.
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const TEXT = new Set(['.html', '.js', '.mjs', '.css', '.svg', '.json', '.webmanifest', '.txt', '.wasm']);
// Below this, headers cost more than is saved.
const SMALLEST = 256;

function* files(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path);
    else yield path;
  }
}

let before = 0;
let after = 0;
for (const path of files(process.argv[2])) {
  if (!TEXT.has(extname(path))) continue;
  const bytes = readFileSync(path);
  if (bytes.length < SMALLEST) continue;
  const small = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  if (small.length >= bytes.length) continue;
  writeFileSync(`${path}.br`, small);
  before += bytes.length;
  after += small.length;
}
console.log(`web: compressed ${Math.round(before / 1024)} kB to ${Math.round(after / 1024)} kB`);
