/**
 * The server is killed while it issues a month and while it sends it: after each restart the run continues where it
 * stopped, without a gap in the numbers and without doing anything twice. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { freeMediaPort, freePort, newFolder, startServer } from '../lib/server.mjs';
import { session, until } from '../lib/steps.mjs';

let folder, port, mediaPort, server, accounts;

const start = () => startServer({ binary: process.env.ATALAYA_BIN, dataDir: folder, port, mediaPort });
const json = async (answer) => {
  assert.ok(answer.ok, `${answer.url}: ${answer.status}`);
  return answer.json();
};
const administrator = () => session(server.url, accounts.find(({ what }) => what === 'administrator'));

/** Starts something and kills the process meanwhile; answers an administrator of the next process. */
async function killedWhile(begin) {
  const admin = await administrator();
  assert.equal((await begin(admin)).ok, true);
  await server.end('SIGKILL');
  server = await start();
  return administrator();
}

async function invoices(admin) {
  const { invoices: all } = await json(await admin.get('get-invoices/0?limit=200'));
  return all;
}

before(async () => {
  folder = await newFolder();
  [port, mediaPort] = [await freePort(), await freeMediaPort()];
  server = await start();
  accounts = server.accounts;
});

after(async () => {
  await server?.clean();
  await rm(folder, { recursive: true, force: true });
});

test('issuing a month resumes after the kill', async () => {
  const admin = await killedWhile((before) => before.post('generate-all-invoices', {}));
  const done = ({ running, processes: [month] }) => !running && month.state !== 'pending' && month.state !== 'calculated';
  const { processes } = await until(async () => json(await admin.get('invoice-processes')), done, 60_000);
  assert.equal(processes[0].issued, processes[0].toInvoice);
  const all = await invoices(admin);
  const years = new Map();
  for (const { number } of all.filter(({ series }) => series === 'A')) {
    const [year, count] = number.slice(1).split('-').map(Number);
    years.set(year, [...(years.get(year) ?? []), count]);
  }
  for (const [year, counts] of years) {
    counts.sort((a, b) => a - b);
    assert.deepEqual(counts, counts.map((_, at) => at + 1), `no gap and no double in ${year}`);
  }
  const ofMonth = all.filter(({ periodFrom, kind }) => kind === 'normal' && periodFrom.startsWith(processes[0].period));
  assert.equal(new Set(ofMonth.map(({ customerId }) => customerId)).size, ofMonth.length, 'one invoice a customer');
  assert.equal((await json(await admin.post('verifactu-check', {}))).ok, true, 'the chain is whole');
});

test('sending invoices resumes after the kill, each is sent once', async () => {
  const admin = await killedWhile((before) => before.post('send-all-invoices', {}));
  const sent = ({ running, processes: [month] }) => !running && month.sent === month.issued;
  await until(async () => json(await admin.get('invoice-processes')), sent, 60_000);
  const { outbox } = await json(await admin.get('outbox?channel=email&limit=200'));
  const subjects = outbox.map(({ subject }) => subject).filter((subject) => /^Factura A\d{4}-\d{6}$/.test(subject));
  assert.ok(subjects.length > 0, 'invoices were mailed');
  assert.equal(new Set(subjects).size, subjects.length, `each once: ${subjects}`);
});
