/**
 * Lists, exports and reports over 100,000 conferences (issue 4): `node bench/conferences.mjs BINARY [--keep FOLDER]`.
 *
 * Needs the `sqlite3` command, which fills them into the demo's database while the server runs: 100,000 of one company
 * over a year (80,000 Autos), by two people, with a media room each and a file for every second one.
 * Targets: first page < 30 ms, export of 10,000 rows < 1 s.
 */
import { parseArgs } from 'node:util';
import { startServer } from '../e2e/journeys/lib/server.mjs';
import { session } from '../e2e/journeys/lib/steps.mjs';
import { addConferences } from './seed.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { keep: { type: 'string' } } });
const binary = positionals[0];
if (!binary) throw new Error('usage: node bench/conferences.mjs BINARY [--keep FOLDER]');
const CONFERENCES = 100_000;

const server = await startServer({ binary, dataDir: values.keep });
const quantile = (times, q) => times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * q))];
const line = (what, text) => console.log(`${what.padEnd(64)} ${text}`);

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
  addConferences(server.folder, company, [worker.user._id, principal.user._id], CONFERENCES);
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
