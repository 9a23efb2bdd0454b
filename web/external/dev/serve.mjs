// Serves a finished build (`dist`, or the folder in CLIENT_DIST) the way the server does (`/external*` → the two pages,
// the same security headers), for the screenshots and checks of this folder. Calls are answered by `api` (true when it
// did), or by the scripts.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

export function serve(port, { hashStyle = true, connect = '', api = () => false } = {}) {
  const dist = process.env.CLIENT_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (api(request, response)) return;
    const page = /^\/external\/files(\/|$)/.test(pathname) ? '/external/files.html' : '/external/index.html';
    const file = /^\/(external(\/|$)|codigo$)/.test(pathname) ? page : pathname;
    if (file.includes('..') || !existsSync(dist + file) || file === '/') {
      response.writeHead(404).end();
      return;
    }
    const body = readFileSync(dist + file);
    const styles = [...body.toString().matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style]) => style);
    const named = (style) => ` 'sha256-${createHash('sha256').update(style).digest('base64')}'`;
    const hash = hashStyle ? styles.map(named).join('') : '';
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': `default-src 'self'; script-src 'self'; style-src 'self'${hash}; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self' ${connect}; object-src 'none'; base-uri 'none'; frame-ancestors 'none'`,
    });
    response.end(body);
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}
