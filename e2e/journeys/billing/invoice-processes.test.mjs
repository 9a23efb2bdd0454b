/**
 * An administrator closes a month: recalculates, generates, sends, and checks the chain of records that came of it; the
 * statement of compliance is there for everybody. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { fileOf, openPage } from '../lib/browsers.mjs';
import { logIn, madridDay, session, until } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

let browser, server, admin, month;

const button = (page, name) => page.getByRole('button', { name, exact: true });
const processes = async () => (await admin.get('invoice-processes')).json();

async function as(what, path, options = {}) {
  const page = await openPage(browser, what, errors, options);
  // The staff's app is dark unless somebody chose otherwise.
  if (options.scheme === 'light') await page.addInitScript(() => localStorage.setItem('theme', 'light'));
  await logIn(page, server.url, account(what));
  await page.goto(server.url + path);
  return page;
}

const { account, errors, shot } = world('processes', async (made) => {
  ({ server, browser } = made);
  admin = await session(server.url, account('administrator'));
});

/** Issues the month after its question, and sends what was issued. */
async function close(page) {
  await button(page, 'Generar facturas').click();
  const question = page.getByRole('dialog', { name: /^Generar las facturas de/ });
  await question.getByText('no se podrán modificar ni borrar').waitFor();
  await shot(page, 'question');
  await button(question, 'Cancelar').click();
  assert.equal((await processes()).processes[0].issued, month.issued, 'a question alone issues nothing');
  await button(page, 'Generar facturas').click();
  await question.getByRole('button', { name: /^Generar \d+ factura/ }).click();
  const issued = await until(processes, (body) => !body.running && body.processes[0].issued === month.toInvoice);
  assert.ok(['issued', 'sent', 'remitted'].includes(issued.processes[0].state));
  await page.getByRole('region', { name: /^\S+ \d{4}$/ }).getByText('Expedido', { exact: true }).waitFor();

  await button(page, 'Enviar facturas').click();
  await page.getByRole('dialog').getByRole('button', { name: /^Enviar \d+ factura/ }).click();
  await page.getByText('Se han enviado los correos').waitFor();
  await shot(page, 'sent');
  const sent = await until(processes, (body) => !body.running && body.processes[0].sent === month.toInvoice);
  assert.equal(sent.processes[0].sent, month.toInvoice);
  const { email } = account('customer');
  const letters = await until(
    async () => (await (await admin.get(`outbox?channel=email&to=${encodeURIComponent(email)}&limit=20`)).json()).outbox,
    (outbox) => outbox.some((letter) => letter.attachments?.some(({ name }) => name.endsWith('.pdf'))),
  );
  assert.ok(letters.length > 0, 'the invoice went out with its PDF');
}

test('a month is calculated, issued after a confirmation, and sent', async () => {
  const page = await as('administrator', '/');
  // Opening the page or its menu entry changes nothing.
  const calls = [];
  page.on('request', (request) => {
    if (/update-invoice-processes|generate-all-invoices|send-all-invoices/.test(request.url())) calls.push(request.method());
  });
  await page.getByRole('link', { name: 'Facturación', exact: true }).click();
  await page.getByRole('heading', { name: 'Procesos de facturación' }).waitFor();
  await page.getByRole('list', { name: 'Pasos del mes' }).waitFor();
  await checkAccessibility(page, 'billing processes');
  assert.deepEqual(calls, []);

  // What it is called depends on whether the month was calculated before.
  await page.getByRole('button', { name: /^(Recalcular|Calcular)$/ }).click();
  const { processes: known } = await until(processes, (body) => !body.running && body.processes[0].state !== 'pending');
  [month] = known;
  await page.goto(`${server.url}/invoice-processes?period=${month.period}`);
  await page.getByRole('list', { name: 'Pasos del mes' }).waitFor();
  // What was issued in time stays in time.
  if (month.toInvoice > month.issued) assert.equal(month.late, madridDay() > month.deadline, 'late is late by the calendar');
  assert.equal(await page.getByRole('alert').filter({ hasText: 'Fuera de plazo (art. 13)' }).count(), month.late ? 1 : 0);
  await shot(page, 'calculated');

  assert.ok(month.toInvoice > month.issued, 'the demo leaves the last closed month to be issued');
  await close(page);
  assert.deepEqual([...new Set(calls)], ['POST'], 'what changes something is posted');
  await page.context().close();
});

test('two administrators who press at the same moment start one run', async () => {
  const before = (await processes()).processes[0].issued;
  const answers = await Promise.all([1, 2].map(() => admin.post('generate-all-invoices', {})));
  assert.deepEqual(answers.map(({ status }) => status), [202, 202]);
  const after = await until(processes, (body) => !body.running);
  assert.equal(after.processes[0].issued, before, 'nobody is invoiced twice');
});

test('the chain is checked, and each record shows its XML', async () => {
  const page = await as('administrator', '/verifactu');
  await page.getByText('Sin envío', { exact: true }).waitFor();
  await button(page, 'Comprobar la cadena').click();
  await page.getByText('La cadena está íntegra').waitFor();
  const { chain } = await (await admin.get('verifactu')).json();
  assert.ok(chain.records >= month.toInvoice);
  await checkAccessibility(page, 'Veri*Factu');
  await shot(page, 'verifactu');
  const first = page.getByRole('table', { name: 'Registros' }).getByRole('row').nth(1);
  const number = (await first.textContent()).match(/[AR]\d{4}-\d{6}/)[0];
  await first.click();
  const drawer = page.getByRole('dialog', { name: /^Registro \d+$/ });
  await drawer.getByText(`NumSerieFactura>${number}<`).waitFor();
  await checkAccessibility(page, 'a record');
  await shot(page, 'record');
  const downloading = page.waitForEvent('download');
  await drawer.getByRole('button', { name: 'Descargar XML' }).click();
  const saved = await downloading;
  assert.match(saved.suggestedFilename(), new RegExp(`^${number}-\\d+\\.xml$`));
  const xml = await readFile(await fileOf(saved), 'utf8');
  assert.match(xml, /<\?xml/);
  assert.ok(xml.includes(chain.head), 'the newest record carries the head of the chain');
  await page.goBack();
  await drawer.waitFor({ state: 'detached' });
  await page.context().close();
});

test('the statement of compliance is inside the product, for everybody', async () => {
  const page = await as('administrator', '/invoice-processes');
  await page.getByRole('link', { name: 'Declaración responsable' }).click();
  await page.getByRole('heading', { name: 'Declaración de cumplimiento' }).waitFor();
  assert.equal(await page.locator('main ol > li').count(), 12);
  await page.context().close();
  const worker = await as('worker', '/declaracion-responsable', { size: 'phone', scheme: 'light' });
  await worker.getByText('Solo puede funcionar como VERI*FACTU').waitFor();
  await checkAccessibility(worker, 'the statement on a phone');
  await shot(worker, 'statement-phone');
  await worker.context().close();
});

test('a phone shows everything about a month', async () => {
  const page = await as('administrator', '/invoice-processes', { size: 'phone', scheme: 'light' });
  await page.getByRole('list', { name: 'Pasos del mes' }).waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  assert.equal(wide, false, 'nothing hangs over the edge');
  await checkAccessibility(page, 'billing processes on a phone');
  await shot(page, 'phone');
  await page.context().close();
});
