// A stand-in for the server's side of the upload page: one request in memory, tus 1.0.0, and a switch that cuts
// connections. For the screenshots of this folder, and to work on the page without a server:
//   node external/dev/files-server.mjs [port]   → http://127.0.0.1:5184/external/files/aaaa…
import { createHash, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { serve } from './serve.mjs';

export const TOKEN = 'a'.repeat(32);
const BASE = `/api/v1/external/files/${TOKEN}`;

export const ITEMS = [
  { shot: 'corner_rear_left', label: 'Esquina trasera izquierda', hint: 'A dos pasos, que se vea la matrícula' },
  { shot: 'vin', label: 'Bastidor (VIN)', hint: 'En la base del parabrisas' },
  { shot: 'damage_near', label: 'Daño, de cerca', hint: 'A un palmo' },
];

export function freshRequest(change = {}) {
  const items = (change.items ?? ITEMS).map((item, index) => ({
    _id: `item-${index + 1}`,
    shot: null,
    hint: null,
    state: 'asked',
    note: null,
    files: 0,
    ...item,
  }));
  return {
    state: 'open',
    company: 'Mutua Tramontana',
    adjuster: 'Nuria Ferrer',
    expedientNumber: '2026-118392',
    type: 1,
    contactPerson: 'Carmen Ruiz',
    contactPhone: '+34 971 000 000',
    pageShowText: 'Haga las fotos con luz de día y el coche quieto.',
    language: 'es',
    languages: ['es', 'en'],
    expiresAt: '2026-12-20T22:59:59.000Z',
    uploads: [],
    maxBytes: 200 * 1024 * 1024,
    maxPictureBytes: 25 * 1024 * 1024,
    maxFiles: 200,
    ...change,
    items,
  };
}

const decoded = (header = '') =>
  Object.fromEntries(
    header
      .split(',')
      .map((pair) => pair.trim().split(' '))
      .map(([name, value = '']) => [name, Buffer.from(value, 'base64').toString()]),
  );

/** What the server would say of these bytes; null when they are fine. */
function refusal(bytes) {
  const head = bytes.subarray(0, 12).toString('latin1');
  const known = head.startsWith('\xff\xd8\xff') || head.startsWith('\x89PNG') || head.startsWith('%PDF');
  return known || head.slice(4, 8) === 'ftyp' ? null : 'FILE_TYPE_NOT_SUPPORTED';
}

export function standIn(request = freshRequest()) {
  const files = new Map();
  const control = {
    request,
    files,
    /** Bytes after which each PATCH loses its connection; null: none does. */
    cutAfter: null,
    /** Milliseconds that the server takes for each piece. */
    slow: 0,
    /** Every call fails without an answer. */
    down: false,
    opened: 0,
    previews: [],
    sha256: () =>
      [...files.values()]
        .filter(({ bytes, size }) => bytes.length === size)
        .map(({ bytes }) => createHash('sha256').update(bytes).digest('hex')),
  };
  const item = (id) => control.request.items.find(({ _id }) => _id === id);
  const send = (response, status, body, headers = {}) => {
    response.writeHead(status, { 'tus-resumable': '1.0.0', 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };

  function create(message, response) {
    const about = decoded(message.headers['upload-metadata']);
    const size = Number(message.headers['upload-length']);
    const known = [...files.values()].find(({ key }) => key === about.uploadKey);
    const file = known ?? { id: randomUUID(), key: about.uploadKey, about, size, bytes: Buffer.alloc(0) };
    if (!known) {
      files.set(file.id, file);
      const row = {
        _id: file.id,
        itemId: about.item,
        uploadKey: about.uploadKey,
        mediaId: null,
        name: about.filename,
        size,
        offset: 0,
        state: 'running',
        code: null,
      };
      control.request.uploads.push(row);
    }
    send(response, 201, undefined, {
      location: `${BASE}/uploads/${file.id}`,
      'upload-offset': String(file.bytes.length),
    });
  }

  function finished(file, response) {
    const row = control.request.uploads.find(({ _id }) => _id === file.id);
    const code = refusal(file.bytes);
    row.offset = file.size;
    row.state = code ? 'refused' : 'accepted';
    row.code = code;
    if (code) return send(response, 422, { code });
    const asked = item(file.about.item);
    asked.state = 'received';
    asked.note = null;
    asked.files += 1;
    return send(response, 204, undefined, { 'upload-offset': String(file.size), 'upload-media': `media-${file.id}` });
  }

  function patch(message, response, file) {
    if (Number(message.headers['upload-offset']) !== file.bytes.length)
      return send(response, 409, { code: 'UPLOAD_OFFSET' });
    let taken = 0;
    message.on('data', (chunk) => {
      if (control.cutAfter !== null && taken + chunk.length > control.cutAfter) {
        file.bytes = Buffer.concat([file.bytes, chunk.subarray(0, Math.max(0, control.cutAfter - taken))]);
        message.destroy();
        return;
      }
      taken += chunk.length;
      file.bytes = Buffer.concat([file.bytes, chunk]);
    });
    message.on('end', async () => {
      await new Promise((resolve) => setTimeout(resolve, control.slow));
      if (file.bytes.length === file.size) finished(file, response);
      else send(response, 204, undefined, { 'upload-offset': String(file.bytes.length) });
    });
    return undefined;
  }

  function api(message, response) {
    const { pathname } = new URL(message.url, 'http://localhost');
    if (!pathname.startsWith('/api/')) return false;
    const { method } = message;
    if (control.down) message.destroy();
    else if (!pathname.startsWith(BASE)) send(response, 404, { code: 'LINK_UNKNOWN' });
    else if (pathname === BASE) send(response, 200, control.request);
    else if (pathname === `${BASE}/open`) send(response, 204, undefined, { 'x-opened': String(++control.opened) });
    else if (pathname === `${BASE}/finish`) {
      // As the server: what is finished shows nothing of the case but its number.
      Object.assign(control.request, { state: 'finished', items: [], uploads: [], adjuster: null, pageShowText: null });
      send(response, 204);
    } else if (pathname.startsWith(`${BASE}/preview/`)) {
      control.previews.push(pathname);
      message.resume().on('end', () => send(response, 204));
    } else if (pathname === `${BASE}/uploads`) create(message, response);
    else {
      const file = files.get(pathname.split('/').pop());
      if (!file) send(response, 404, { code: 'UPLOAD_NOT_FOUND' });
      else if (method === 'HEAD')
        send(response, 200, undefined, {
          'upload-offset': String(file.bytes.length),
          'upload-length': String(file.size),
        });
      else if (method === 'PATCH') patch(message, response, file);
      else send(response, 204);
    }
    return true;
  }
  return { api, control };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = Number(process.argv[2] ?? 5184);
  await serve(port, { api: standIn().api });
  console.log(`http://127.0.0.1:${port}/external/files/${TOKEN}`);
}
