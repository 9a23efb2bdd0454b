/**
 * Log-ins and the list of companies (issue 3): `node bench/accounts.mjs BINARY [HASH_MS]`.
 *
 * HASH_MS is what `cargo run --release -p atalaya-identity --example hash_time` prints on the same machine. Needs the
 * `sqlite3` command, which fills 10,000 companies into a SQLite database while the server runs.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { startServer } from '../e2e/journeys/lib/server.mjs';

const [binary, hashMs] = process.argv.slice(2);
if (!binary) throw new Error('usage: node bench/accounts.mjs BINARY [HASH_MS]');
const account = { userName: 'bench@atalaya.example', password: 'una-clave-larga-y-buena' };

const server = await startServer({
  binary,
  args: [],
  env: { ATALAYA_ADMIN_EMAIL: account.userName, ATALAYA_ADMIN_PASSWORD: account.password },
});

const quantile = (times, q) => times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * q))];
const timed = async (run) => {
  const began = performance.now();
  const response = await run();
  const body = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${body}`);
  return [performance.now() - began, body];
};
const logIn = () =>
  timed(() =>
    fetch(`${server.url}/api/v1/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...account, login: true }),
    }),
  );
const line = (what, text) => console.log(`${what.padEnd(58)} ${text}`);

try {
  const [, answer] = await logIn();
  const { token } = JSON.parse(answer);
  const bearer = { Authorization: `Bearer ${token}` };

  const single = [];
  for (let n = 0; n < 21; n += 1) single.push((await logIn())[0]);
  const login = quantile(single, 0.5);
  line('log-in alone, median of 21', `${login.toFixed(1)} ms`);
  if (hashMs) line('  of it beside the hash', `${(login - Number(hashMs)).toFixed(1)} ms (hash ${hashMs} ms)`);

  const sql = `
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO company (id, kind, status, company_type, cif, name, company, city, email, language, legal, has_iban,
      created_at, search, sort_key)
    SELECT randomblob(16), 2, 2, 2, 'B' || printf('%08d', i), 'Persona ' || i, 'Empresa ' || printf('%05d', (i * 7919) % 10000),
      'Valencia', 'empresa' || i || '@ejemplo.es', 'es', 1, 1, '2026-11-20T09:00:00+00:00',
      'empresa ' || printf('%05d', (i * 7919) % 10000) || ' b' || printf('%08d', i) || ' valencia',
      'empresa ' || printf('%05d', (i * 7919) % 10000) FROM n;`;
  execFileSync('sqlite3', ['-cmd', '.timeout 5000', join(server.folder, 'atalaya.db'), sql]);

  const list = (query = '') => timed(() => fetch(`${server.url}/api/v1/customers${query}`, { headers: bearer }));
  const total = JSON.parse((await list())[1]).total;
  for (const [what, query] of [
    ['first page', ''],
    ['page 150', '?cursor=7450'],
    ['search', '?search=valencia%200042'],
    ['sorted by creation', '?sort=-created_at'],
  ]) {
    const times = [];
    for (let n = 0; n < 60; n += 1) times.push((await list(query))[0]);
    line(`${total} companies, ${what}: median / p99 of 60`, `${quantile(times, 0.5).toFixed(1)} / ${quantile(times, 0.99).toFixed(1)} ms`);
  }

  const calm = { '/healthz': [], list: [] };
  let storm = true;
  const poll = async (name, run) => {
    while (storm) calm[name].push((await run())[0]);
  };
  const pollers = [poll('/healthz', () => timed(() => fetch(`${server.url}/healthz`))), poll('list', () => list())];
  const began = performance.now();
  await Promise.all(Array.from({ length: 50 }, () => logIn()));
  const took = performance.now() - began;
  storm = false;
  await Promise.all(pollers);
  line('50 log-ins at once', `${took.toFixed(0)} ms`);
  for (const [name, times] of Object.entries(calm))
    line(`  meanwhile ${name}: p50 / p99 of ${times.length}`, `${quantile(times, 0.5).toFixed(1)} / ${quantile(times, 0.99).toFixed(1)} ms`);
} finally {
  await server.clean();
}
