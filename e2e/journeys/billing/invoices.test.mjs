/**
 * Invoices: the administrator issues the last month; the customer finds the invoice, opens its lines down to the calls,
 * its PDF, its Facturae and the workbook, and looks at the running month; the administrator rectifies. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { logIn, madridDay, session, until } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

let browser, server, folder, admin, customer, issued;

const row = (page, text) => page.getByRole('row').filter({ hasText: text });
const euros = (value) =>
  new Intl.NumberFormat('es', { style: 'currency', currency: 'EUR', useGrouping: 'always' }).format(value).replace('-', '−');

/** The month before the current one in Madrid, as `2026-10`. */
function lastMonth() {
  const date = new Date(`${madridDay().slice(0, 7)}-15T12:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - 1);
  return date.toISOString().slice(0, 7);
}

const { account, errors, shot } = world('invoices', async (made) => {
  ({ server, browser } = made);
  folder = await mkdtemp(join(tmpdir(), 'atalaya-invoices-'));
  admin = await session(server.url, account('administrator'));
  customer = await session(server.url, account('customer'));
});

after(() => rm(folder, { recursive: true, force: true }));

async function as(what, options = {}) {
  const page = await openPage(browser, what, errors, options);
  await logIn(page, server.url, account(what));
  return page;
}

/** Through the sidebar, which knows the caller's company. */
async function to(page, name, size = 'desktop') {
  if (size === 'phone') await page.getByRole('button', { name: 'Abrir menú' }).click();
  const href = await page.getByRole('link', { name, exact: true }).first().getAttribute('href');
  await page.goto(server.url + href);
}

/** At 1280 px nothing lies over a status, neither the row's buttons nor the edge of the table. */
async function statusIsReadable(page, name) {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator('tbody [data-whole]').first().waitFor();
  const covered = await page.locator('tbody [data-whole]').evaluateAll((all) =>
    all
      .filter((one) => {
        one.scrollIntoView({ block: 'center', inline: 'nearest' });
        const { right, top, height } = one.getBoundingClientRect();
        const at = document.elementFromPoint(right - 2, top + height / 2);
        return !at || !(one.contains(at) || at.contains(one));
      })
      .map((one) => one.textContent),
  );
  assert.deepEqual(covered, [], name);
  const scrolls = await page.locator('table').first().evaluate((one) => one.parentElement.hasAttribute('data-more'));
  assert.equal(scrolls, false, `${name}: every column that is shown has room`);
  await shot(page, `${name}-1280`);
  await page.setViewportSize({ width: 1440, height: 900 });
}

async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const path = join(folder, file.suggestedFilename());
  await file.saveAs(path);
  return { name: file.suggestedFilename(), path };
}

test('the administrator issues the last month, only once', async () => {
  const process = async () => {
    const { processes, running } = await (await admin.get('invoice-processes')).json();
    return { running, month: processes.find((one) => one.period === lastMonth()) };
  };
  await until(process, ({ running }) => !running);
  await admin.post('update-invoice-processes', {});
  await until(process, ({ running, month }) => !running && month?.state !== 'pending');
  await Promise.all([admin.post('generate-all-invoices', {}), admin.post('generate-all-invoices', {})]);
  const { month } = await until(process, ({ running, month }) => !running && month?.issued > 0);
  assert.ok(month.issued >= 1, 'the demo customer has an invoice');
  const mine = await (await customer.get(`get-invoices/${customer.user.parent}?from=${lastMonth()}&to=${lastMonth()}`)).json();
  const normal = mine.invoices.filter((one) => one.kind === 'normal');
  assert.equal(normal.length, 1, 'one invoice of a customer and month');
  [issued] = normal;
  assert.match(issued.number, /^A\d{4}-\d{6}$/);
});

test('the customer finds the invoice and opens its lines down to the calls', async () => {
  const page = await as('customer');
  await to(page, 'Facturas');
  await row(page, issued.number).getByText(euros(issued.total)).waitFor();
  await page.getByRole('heading', { name: 'Total facturado por mes' }).waitFor();
  await page.locator('figure svg path').first().waitFor();
  await checkAccessibility(page, 'invoices');
  await shot(page, 'desktop-dark');
  await statusIsReadable(page, 'own');

  await row(page, issued.number).getByText(issued.number).click();
  const panel = page.getByRole('dialog', { name: 'Detalle' });
  await panel.getByRole('heading', { name: issued.number }).waitFor();
  const details = await (await customer.get(`get-details/${issued._id}`)).json();
  const sum = details.lines.reduce((cents, line) => cents + Math.round(line.amount * 100), 0);
  assert.equal(sum, Math.round(issued.base * 100), 'the lines add up to the base');
  const lines = panel.getByRole('list', { name: 'Conceptos' }).getByRole('listitem');
  assert.equal(await lines.count(), details.lines.length);

  await panel.getByRole('button', { name: /^Conexiones/ }).click();
  const calls = panel.getByRole('region', { name: 'Conexiones de Conexiones' });
  const first = details.connections.find((call) => call.first);
  await calls.getByRole('link', { name: first.expedientNumber }).first().waitFor();
  await checkAccessibility(page, 'an invoice down to its calls');
  await shot(page, 'lines-desktop-dark');
  await calls.getByRole('link', { name: first.expedientNumber }).first().click();
  await page.waitForURL(/\/expedient\//);
  await page.context().close();
});

test('the PDF opens and stays the same, Facturae and the workbook are saved', async () => {
  const page = await as('customer');
  await to(page, 'Facturas');
  const answers = [];
  for (let time = 0; time < 2; time += 1) {
    const [answer] = await Promise.all([
      page.waitForResponse((one) => one.url().includes(`/print-invoice/${issued._id}`)),
      page.waitForEvent('popup'),
      page.getByRole('button', { name: `Ver PDF de ${issued.number}` }).click(),
    ]);
    assert.equal(answer.headers()['content-type'], 'application/pdf');
    assert.match(answer.headers()['content-disposition'], new RegExp(`inline; filename="${issued.number}.pdf"`));
    answers.push(await (await customer.get(`print-invoice/${issued._id}`)).arrayBuffer());
  }
  assert.equal(Buffer.from(answers[0]).subarray(0, 5).toString(), '%PDF-');
  assert.ok(Buffer.from(answers[0]).equals(Buffer.from(answers[1])), 'the same bytes');

  await row(page, issued.number).getByText(issued.number).click();
  const panel = page.getByRole('dialog', { name: 'Detalle' });
  const pdf = await download(page, panel.getByRole('button', { name: 'Descargar PDF' }));
  assert.equal(pdf.name, `${issued.number}.pdf`);
  assert.ok((await readFile(pdf.path)).equals(Buffer.from(answers[0])), 'what is saved is what is shown');
  const facturae = await download(page, panel.getByRole('button', { name: 'Facturae (XML)' }));
  assert.match(await readFile(facturae.path, 'utf8'), /Facturae[\s\S]*<SchemaVersion>3\.2\.2</);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });

  const book = await download(page, page.getByRole('button', { name: 'Exportar a Excel' }));
  const inside = (part) => execFileSync('unzip', ['-p', book.path, part], { encoding: 'utf8' });
  assert.match(inside('xl/workbook.xml'), /<sheet name="data"/);
  assert.match(inside('xl/sharedStrings.xml'), new RegExp(issued.number));
  await page.context().close();
});

test('the running month is explained, on a phone too', async () => {
  const page = await as('customer', { size: 'phone', scheme: 'light' });
  await page.evaluate(() => localStorage.setItem('theme', 'light'));
  await to(page, 'Consumo', 'phone');
  await page.getByText(/, hasta hoy$/).first().waitFor();
  await page.getByRole('heading', { name: 'Cómo se cuenta' }).waitFor();
  await checkAccessibility(page, 'consumption on a phone');
  await shot(page, 'consumption-phone-light');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false);

  await page.getByRole('link', { name: 'Ver facturas' }).click();
  await page.getByText(issued.number).first().waitFor();
  await checkAccessibility(page, 'invoices on a phone');
  await shot(page, 'phone-light');
  await page.context().close();
});

test('nobody sees the invoices of others', async () => {
  const others = await session(server.url, account('worker'));
  assert.equal((await others.get(`get-details/${issued._id}`)).status, 403);
  const all = await (await admin.get('get-invoices/0?limit=200')).json();
  const foreign = all.invoices.find((one) => one.customerId !== customer.user.parent);
  if (foreign) assert.equal((await customer.get(`get-details/${foreign._id}`)).status, 404);
  assert.equal((await customer.get('get-invoices/0')).status, 404);
  assert.equal((await customer.post(`invoice-cancel/${issued._id}`, {})).status, 403);
});

test('the administrator refunds with a rectifying invoice', async () => {
  const page = await as('administrator');
  await to(page, 'Facturación');
  await page.getByRole('navigation', { name: 'Páginas de Facturación' }).getByRole('link', { name: 'Facturas' }).click();
  await page.getByRole('columnheader', { name: 'Cliente' }).waitFor();
  await checkAccessibility(page, "everybody's invoices");
  await shot(page, 'everybody-desktop-dark');
  await statusIsReadable(page, 'everybody');
  await page.getByLabel('Número o cliente').fill(issued.number);
  await page.waitForURL(/search=/);
  await row(page, issued.number).getByText(issued.number).click();
  const panel = page.getByRole('dialog', { name: 'Detalle' });
  await panel.getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: 'Rectificar' }).click();
  const dialog = page.getByRole('dialog', { name: `Rectificar ${issued.number}` });
  await dialog.getByLabel('Diferencia de la base imponible').fill('-10');
  await dialog.getByLabel('Motivo').fill('Una conexión de prueba');
  await dialog.getByText(/La rectificativa será de −12,10/).waitFor();
  await checkAccessibility(page, 'rectifying an invoice');
  await shot(page, 'rectify-desktop-dark');
  await dialog.getByRole('button', { name: 'Expedir rectificativa' }).click();
  // The new one is shown, and leads back.
  const rectifying = panel.getByRole('heading', { name: /^R\d{4}-\d{6}$/ });
  await rectifying.waitFor();
  await panel.getByText('Una conexión de prueba').first().waitFor();
  await shot(page, 'rectifying-desktop-dark');
  await panel.getByRole('button', { name: issued.number }).click();
  await panel.getByRole('heading', { name: issued.number }).waitFor();
  await panel.getByText('Rectificada por').waitFor();
  await page.context().close();
});

test('no page threw an error', () => {
  assert.deepEqual(errors, []);
});
