/**
 * Lists, exports and reports over 100,000 conferences (issue 4): `node bench/conferences.mjs BINARY [--keep FOLDER]`.
 *
 * Needs the `sqlite3` command, which fills them into the demo's database while the server runs: 100,000 of one company
 * over a year (80,000 Autos), by two people, with a media room each and a file for every second one.
 * Targets: first page < 30 ms, export of 10,000 rows < 1 s.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../e2e/journeys/lib/server.mjs';
import { session } from '../e2e/journeys/lib/steps.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { keep: { type: 'string' } } });
const binary = positionals[0];
if (!binary) throw new Error('usage: node bench/conferences.mjs BINARY [--keep FOLDER]');
const CONFERENCES = 100_000;

const server = await startServer({ binary, dataDir: values.keep });
const quantile = (times, q) => times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * q))];
const line = (what, text) => console.log(`${what.padEnd(64)} ${text}`);

/** The rows that the server would have written, told by number: the `i`-th is opened `i` × 315 seconds ago. */
function seed(folder, company, people) {
  const hex = (id) => `X'${id.replaceAll('-', '')}'`;
  const at = `strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now', '-' || (i * 315) || ' seconds')`;
  const later = (minutes) => at.replace(`' seconds')`, `' seconds', '+${minutes} minutes')`);
  const projection = `json_object('sentAt', ${at}, 'openedAt', ${later(1)}, 'browser', 'Chrome 154', 'os', 'Android 16',
    'legalShownAt', ${later(1)}, 'legalAcceptedAt', ${later(2)}, 'camera', 'granted', 'microphone', 'granted',
    'geolocation', 'granted', 'permissionAt', ${later(2)}, 'clientConnectedAt', ${later(3)}, 'pictures', i % 2, 'videos', 0,
    'documents', 0, 'positions', 1, 'closedAt', ${later(12)})`;
  const sql = `
    PRAGMA synchronous = OFF;
    CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CONFERENCES})
      SELECT i, randomblob(16) AS id FROM n;
    BEGIN;
    INSERT INTO conference (id, company_id, user_id, conference_type, expedient_number, expedient_key, phone_number,
        contact_person, full_address, city, postal_code, car_id, app_type, language, customer_name, user_name, sid, hash,
        short_code, duration_s, closed, files_requested, created_at, closed_at, expired_at, data_key, last_seq, chain_head,
        projection, search, stage)
      SELECT id, ${hex(company)}, CASE i % 2 WHEN 0 THEN ${hex(people[0])} ELSE ${hex(people[1])} END,
        CASE i % 5 WHEN 0 THEN 2 ELSE 1 END, printf('EXP-%07d', i), printf('EXP-%07d', i), printf('+346%08d', i * 7919 % 100000000),
        'Persona ' || i, 'Calle Mayor ' || (i % 200) || ', 46001 Valencia', 'Valencia', '46001', printf('%04d BCD', i % 10000),
        'web', 'es', 'Empresa de medida', 'Persona que mide', 'RM_' || i, lower(hex(randomblob(16))),
        lower(hex(randomblob(5))), i % 900, 1, 0, ${at}, ${later(12)}, ${later(1440)}, randomblob(60), 12,
        lower(hex(randomblob(32))), ${projection},
        lower(printf('exp-%07d', i) || ' +346' || printf('%08d', i * 7919 % 100000000) || ' persona ' || i || ' ' ||
          printf('%04d bcd', i % 10000) || ' calle mayor valencia persona que mide empresa de medida'), 3 + i % 2 FROM n;
    INSERT INTO conference_room (id, conference_id, sid, started_at, ended_at)
      SELECT randomblob(16), id, 'RM_' || i, ${later(3)}, ${later(12)} FROM n;
    INSERT INTO media_item (id, conference_id, company_id, filename, original_file_name, media_type, hash, mime, origin, blob_name,
        size_bytes, captured_at, created_at)
      SELECT randomblob(16), id, ${hex(company)}, lower(hex(randomblob(16))) || '.jpg', 'foto-001.jpg', 'PICTURE',
        lower(hex(randomblob(32))), 'image/jpeg', 'call', 'bench/' || i, 2000000, ${later(5)}, ${later(5)} FROM n WHERE i % 2 = 1;
    COMMIT;`;
  execFileSync('sqlite3', ['-cmd', '.timeout 20000', join(folder, 'atalaya.db'), sql]);
}

const timed = async (run) => {
  const began = performance.now();
  const response = await run();
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${response.status} ${bytes.toString()}`);
  return [performance.now() - began, bytes];
};

async function measure(what, count, run) {
  await run();
  const times = [];
  for (let n = 0; n < count; n += 1) times.push((await timed(run))[0]);
  line(`${what}: median / p95 of ${count}`, `${quantile(times, 0.5).toFixed(1)} / ${quantile(times, 0.95).toFixed(1)} ms`);
}

try {
  const of = (what) => session(server.url, server.accounts.find((account) => account.what.startsWith(what)));
  const [admin, principal, worker] = [await of('administrator'), await of('customer'), await of('worker')];
  const company = principal.user.parent;
  seed(server.folder, company, [worker.user._id, principal.user._id]);
  // The process stood still meanwhile: lets it see which connections the server has closed.
  await new Promise((done) => setTimeout(done, 500));

  const year = { begin: new Date(Date.now() - 400 * 86_400_000).toISOString() };
  const list = (who, id, query = '', range = year) => who.post(`conferences-autos-details/${id}${query}`, range);
  const total = (await (await list(principal, company)).json()).total;
  for (const [what, run] of [
    [`${total} of a company, first page`, () => list(principal, company)],
    [`${total} of a company, 200 rows`, () => list(principal, company, '?limit=200')],
    ['the last seven days', () => list(principal, company, '', {})],
    ["a worker's own", () => list(worker, company)],
    ['one person of the company', () => list(principal, company, `?user=${worker.user._id}`)],
    ["everybody's, by the administrator", () => list(admin, '0')],
    ['page 100', () => list(principal, company, '?cursor=5000')],
    ['search of a case', () => list(principal, company, '?search=exp-0012')],
    ['sorted by case number', () => list(principal, company, '?sort=expedientNumber')],
    ['both types, all days (customer-conferences)', () => principal.get(`customer-conferences/${company}`)],
    ['one expedient', () => principal.get('expedient/EXP-0050000')],
    ['funnel of twelve weeks', () => principal.get(`funnel/${company}`)],
    ['funnel of everybody, 104 weeks', () => admin.get('funnel/0?weeks=104')],
    ['customersWithConferences', () => admin.get('customersWithConferences')],
    ['getMediasByDateRange, first page of a year', () => admin.post('getMediasByDateRange', { begin: new Date(Date.now() - 360 * 86_400_000).toISOString() })],
  ])
    await measure(what, 30, run);

  // 80 % of them are Autos: 12,500 × 315 s hold 10,000.
  const days = { begin: new Date(Date.now() - 12_500 * 315_000).toISOString() };
  const rows = (await (await list(principal, company, '?limit=1', days)).json()).total;
  await measure(`export of ${rows} rows`, 5, () => list(principal, company, '?format=xlsx', days));
  await measure(`export of ${rows} rows with the administrator's columns`, 5, () => list(admin, company, '?format=xlsx', days));
} finally {
  await server.clean();
}
