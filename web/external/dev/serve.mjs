// Serves a finished build the way the server does (`/external*` → external/index.html, the same security headers),
// for the screenshots and checks of this folder. Answers no API call: the scripts answer those themselves.
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

export function serve(port, { hashStyle = true, connect = '' } = {}) {
  const dist = fileURLToPath(new URL('../../dist', import.meta.url));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const file = /^\/external(\/|$)/.test(pathname) ? '/external/index.html' : pathname;
    if (file.includes('..') || !existsSync(dist + file) || file === '/') {
      response.writeHead(404).end();
      return;
    }
    const body = readFileSync(dist + file);
    const style = /<style>([\s\S]*?)<\/style>/.exec(body.toString())?.[1] ?? '';
    const hash = hashStyle ? ` 'sha256-${createHash('sha256').update(style).digest('base64')}'` : '';
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': `default-src 'self'; script-src 'self'; style-src 'self'${hash}; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self' ${connect}; object-src 'none'; base-uri 'none'; frame-ancestors 'none'`,
    });
    response.end(body);
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}
