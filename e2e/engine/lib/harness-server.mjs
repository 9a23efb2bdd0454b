/** Serves the harness page from localhost (a secure context, which getUserMedia needs). */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const PAGE = '<!doctype html><meta charset="utf-8"><title>engine suite</title><body><div id="stage"></div><script src="/page.js"></script></body>';

/**
 * @param {number[]} ports tried in order
 * @returns {Promise<{address: string, close: () => void}>}
 */
export async function serveHarness(ports) {
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL('../harness/page.js', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'error',
  });
  const script = bundle.outputFiles[0].text;
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html', 'cache-control': 'no-store' });
    response.end(isScript ? script : PAGE);
  });
  for (const port of ports) {
    const ok = await new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, 'localhost', () => resolve(true));
    });
    if (ok) return { address: `http://localhost:${port}/`, close: () => server.close() };
    server.removeAllListeners('error');
  }
  throw new Error(`no free port among ${ports.join(', ')}`);
}
