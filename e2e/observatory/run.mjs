/**
 * Every test of MDN's HTTP Observatory on the pages of each kind, over TLS: `node run.mjs BINARY FOLDER`, where the folder holds
 * `cert.pem` and `key.pem` of `localhost` by an authority that this process trusts. Exits with 1 when a test fails.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_TESTS } from '@mdn/mdn-http-observatory/src/constants.js';
import { retrieve } from '@mdn/mdn-http-observatory/src/retriever/retriever.js';
import { freeMediaPort, freePort, plainEnvironment } from '../journeys/lib/server.mjs';

const PAGES = ['/', '/login', '/codigo', '/verificar', '/external/0123456789abcdef0123456789abcdef', '/external/files/none', '/api/v1/me'];

const [binary, folder] = process.argv.slice(2);
if (!folder) throw new Error('usage: node run.mjs BINARY FOLDER');
const [port, media, closed] = [await freePort(), await freeMediaPort(), await freePort()];
const url = `https://localhost:${port}`;
const child = spawn(binary, ['serve'], {
  env: {
    ...plainEnvironment(),
    ATALAYA_DATA_DIR: join(folder, 'data'),
    ATALAYA_LISTEN: `127.0.0.1:${port}`,
    ATALAYA_PUBLIC_URL: url,
    ATALAYA_MEDIA_UDP_PORT: String(media),
    ATALAYA_TLS: 'files',
    ATALAYA_TLS_CERT: join(folder, 'cert.pem'),
    ATALAYA_TLS_KEY: join(folder, 'key.pem'),
  },
  stdio: ['ignore', 'pipe', 'pipe'],
});
let output = '';
for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
const exited = new Promise((done) => child.once('exit', done));
let failed = 0;

try {
  const deadline = Date.now() + 60_000;
  while (!(await fetch(`${url}/readyz`).then((answer) => answer.ok, () => false))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the server is not ready:\n${output}`);
    await new Promise((done) => setTimeout(done, 150));
  }
  for (const path of PAGES) {
    // Nothing listens without TLS, as behind a firewall that lets 443 through alone.
    const found = await retrieve('localhost', { httpsPort: port, httpPort: closed, path });
    const { status, verified } = found.responses.auto ?? {};
    if (!status || !verified) throw new Error(`${path}: not retrieved over trusted TLS (${status}, ${verified})`);
    const results = ALL_TESTS.map((run) => run(found));
    const wrong = results.filter(({ pass }) => !pass);
    failed += wrong.length;
    console.log(`${wrong.length ? 'FAILED' : 'ok    '}  ${path} (${status}): ${results.length - wrong.length} of ${results.length} tests`);
    for (const one of wrong) console.log(`        error: ${one.constructor.name}: ${one.result} ${JSON.stringify(one.data ?? null).slice(0, 400)}`);
  }
} finally {
  child.kill('SIGTERM');
  await exited;
}
if (!existsSync(join(folder, 'data'))) throw new Error('the server has written nothing');
console.log(failed === 0 ? 'observatory: no test failed' : `observatory: ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
