/**
 * Conferences reviewed: an adjuster finds a closed conference by words and days, opens its panel, exports the list, goes
 * on to its case and leaves a note; the administrator sees the derived columns. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkAccessibility, settled } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { freePort, startServer } from '../lib/server.mjs';
import { logIn, until } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

/** A closed call of the demo with nine files, opened yesterday by the second worker. */
const CASE = '2026-118392';
let browser, server, folder;

const row = (page, text) => page.getByRole('row').filter({ hasText: text });

const { account, errors, shot } = world('lists', async (made) => {
  ({ server, browser } = made);
  folder = await mkdtemp(join(tmpdir(), 'atalaya-lists-'));
});

after(() => rm(folder, { recursive: true, force: true }));

async function as(what, options = {}) {
  const page = await openPage(browser, what, errors, options);
  await logIn(page, server.url, account(what));
  return page;
}

/** To the list of Autos by the sidebar, which knows the caller's company; the administrator's entry leads to it at once. */
async function toAutos(page, size = 'desktop') {
  if (size === 'phone') await page.getByRole('button', { name: 'Abrir menú' }).click();
  const link = page.getByRole('link', { name: /^(Autos|Conferencias)$/ });
  const href = await link.first().getAttribute('href');
  await page.goto(server.url + href);
}

/** Words of a workbook's cells. */
async function workbookOf(page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Exportar a Excel' }).click(),
  ]);
  const file = join(folder, download.suggestedFilename());
  await download.saveAs(file);
  const inside = (part) => execFileSync('unzip', ['-p', file, part], { encoding: 'utf8' });
  assert.match(inside('xl/workbook.xml'), /<sheet name="data"/);
  // Written while it is sent, so that its texts stand in the sheet itself.
  return inside('xl/worksheets/sheet1.xml');
}

// CASE-19, CASE-22
test('an adjuster finds a closed conference by words and days', async () => {
  const page = await as('worker 2');
  await toAutos(page);
  await row(page, CASE).waitFor();
  await checkAccessibility(page, 'list of conferences');
  await shot(page, 'desktop-dark');

  // The explanation of a column, by keyboard.
  await page.getByRole('button', { name: 'Qué significa cada columna' }).press('Enter');
  await page.getByText(/estuvieron conectados a la vez/).waitFor();
  await page.keyboard.press('Escape');

  const range = page.getByRole('button', { name: /^Rango de fechas/ });
  await range.click();
  const tomorrow = new Date(Date.now() + 86_400_000);
  const name = tomorrow.toLocaleDateString('es', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'Europe/Madrid' });
  const day = page.getByRole('button', { name: name.replaceAll(' de ', ' '), exact: true });
  // Tomorrow may be in a month that is not shown.
  if (await day.count()) assert.ok(await day.isDisabled(), 'tomorrow cannot be chosen');
  await checkAccessibility(page, 'calendar');
  await shot(page, 'range-desktop');
  await page.getByRole('button', { name: 'Hoy', exact: true }).click();
  await page.getByText('No hay conferencias en estas fechas').or(page.getByText('Nada coincide con la búsqueda')).waitFor();
  await page.getByRole('button', { name: 'Quitar el filtro Rango de fechas' }).click();
  await row(page, CASE).waitFor();

  await page.getByRole('searchbox').fill('sagunto 118392');
  await page.waitForURL(/search=/);
  assert.equal(await page.locator('tbody tr').count(), 1);
  await page.context().close();
});

test('the panel shows the case with timeline, places and files, and a link opens it', async () => {
  const page = await as('worker 2');
  await toAutos(page);
  await row(page, CASE).getByText('9 nuevos').waitFor();
  await row(page, CASE).getByText(CASE).click();
  const panel = page.getByRole('dialog', { name: 'Detalle de la conferencia' });
  await panel.getByText('284 s').waitFor();
  await panel.getByText('Correcta').waitFor();
  // Opening the panel does not count as looking at the files, for the list as it is asked again either.
  await panel.getByRole('link', { name: /^Foto/ }).first().waitFor();
  await page.reload();
  await panel.getByText('284 s').waitFor();
  await page.getByText('9 nuevos').waitFor();
  await page.waitForURL(/open=[0-9a-f-]{36}/);
  await checkAccessibility(page, 'panel of a conference');
  await shot(page, 'panel-desktop-dark');

  await panel.getByRole('tab', { name: 'Cronología' }).click();
  await panel.getByText('Aviso legal aceptado').waitFor();
  await panel.getByText('Permiso concedido: cámara').waitFor();
  await panel.getByText('Duró 284 s').waitFor();
  await checkAccessibility(page, 'timeline');
  await shot(page, 'timeline-desktop-dark');

  await panel.getByRole('tab', { name: 'Mapa' }).click();
  await panel.getByText('39.67910, -0.27860').first().waitFor();
  await panel.getByRole('img', { name: /Mapa de España/ }).waitFor();
  await shot(page, 'map-desktop-dark');

  await panel.getByRole('tab', { name: 'Archivos' }).click();
  await panel.getByRole('link', { name: /^Documento: Parte amistoso/ }).waitFor();
  assert.equal(await panel.getByRole('link', { name: /^(Foto|Vídeo|Documento)[ :]/ }).count(), 9);
  await checkAccessibility(page, 'files of a conference');
  await shot(page, 'files-desktop-dark');

  // The address is a link to the panel; the way back closes it.
  await page.reload();
  await page.getByRole('dialog', { name: 'Detalle de la conferencia' }).getByText('284 s').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  assert.doesNotMatch(page.url(), /open=/);
  // Looked at, they are no longer new.
  await row(page, CASE).waitFor();
  assert.equal(await page.getByText('9 nuevos').count(), 0);
  assert.deepEqual([...page.seen], [server.url], 'the map asks nobody else');
  await page.context().close();
});

// CASE-24
test('the filtered list is exported, and a note is kept with the case', async () => {
  const page = await as('worker 2');
  await toAutos(page);
  await row(page, CASE).waitFor();
  const texts = await workbookOf(page);
  assert.match(texts, new RegExp(CASE));
  assert.match(texts, /Duración/);
  assert.doesNotMatch(texts, /Navegador/, 'derived columns are the administrator’s');

  await page.getByRole('button', { name: `Más acciones: ${CASE}` }).click();
  await page.getByRole('menuitem', { name: 'Ver el expediente' }).click();
  await page.waitForURL(new RegExp(`/expedient/${CASE}$`));
  await page.getByRole('link', { name: /^Documento: Parte amistoso/ }).waitFor();
  await page.getByLabel('Nueva nota').fill('Golpe anterior en la aleta, no imputable.');
  await page.getByRole('button', { name: 'Añadir nota' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Golpe anterior' }).getByText('Luis Ortega').waitFor();
  await checkAccessibility(page, 'page of a case');
  await shot(page, 'case-desktop-dark');
  await page.reload();
  await page.getByText('Golpe anterior en la aleta, no imputable.').waitFor();

  await page.getByRole('button', { name: 'Eliminar la nota' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Eliminar' }).click();
  await page.getByText('Golpe anterior').waitFor({ state: 'hidden' });

  await page.getByLabel('Ir a otro expediente').fill('no-existe');
  await page.getByLabel('Ir a otro expediente').press('Enter');
  await page.getByText('El expediente no existe o no está a su alcance.').waitFor();
  await page.context().close();
});

// CASE-17
test('the principal sees the company’s conferences and filters by user', async () => {
  const page = await as('customer', { scheme: 'light' });
  await page.evaluate(() => localStorage.setItem('theme', 'light'));
  await toAutos(page);
  await row(page, CASE).waitFor();
  await row(page, 'Ana Ruiz').first().waitFor();
  await page.getByRole('button', { name: 'Usuario Todos' }).click();
  await page.getByRole('menuitemradio', { name: 'Luis Ortega' }).click();
  await row(page, 'Ana Ruiz').first().waitFor({ state: 'hidden' });
  await row(page, CASE).waitFor();
  await checkAccessibility(page, 'filtered list, light');
  await shot(page, 'filtered-desktop-light');
  await page.context().close();
});

// CASE-21, CASE-23
test('the administrator sees all conferences with the derived columns', async () => {
  const page = await as('administrator');
  await toAutos(page);
  await row(page, CASE).waitFor();
  for (const title of ['Navegador', 'Sistema operativo', 'Observaciones', 'Geolocalización', 'Fotos', 'Vídeos']) {
    await page.getByRole('columnheader', { name: new RegExp(title) }).waitFor();
  }
  await row(page, CASE).getByText('Safari').waitFor();
  await row(page, CASE).getByText('Correcta').waitFor();
  const texts = await workbookOf(page);
  assert.match(texts, /Navegador/);
  // One company's, and then one person's of it.
  await page.getByRole('button', { name: 'Cliente Todos' }).click();
  await page.getByRole('menuitemradio', { name: 'Peritaciones Levante' }).click();
  await page.waitForURL(/conferences-autos\/[0-9a-f-]{36}/);
  await page.getByRole('button', { name: 'Usuario Todos' }).waitFor();
  await page.getByRole('button', { name: 'Quitar el filtro Cliente' }).click();
  await page.waitForURL(/conferences-autos\/0/);
  await row(page, CASE).waitFor();
  await checkAccessibility(page, 'list of the administrator');
  await shot(page, 'administrator-desktop-dark');
  await page.context().close();
});

test('lists and panel work on a phone', async () => {
  const page = await as('worker 2', { size: 'phone' });
  await toAutos(page, 'phone');
  const one = page.getByRole('listitem').filter({ hasText: CASE });
  await one.waitFor();
  await checkAccessibility(page, 'list on a phone');
  await shot(page, 'phone');
  await page.getByRole('button', { name: /^Rango de fechas/ }).click();
  await page.getByRole('button', { name: 'Últimos 30 días' }).waitFor();
  await settled(page);
  await shot(page, 'range-phone');
  await page.getByRole('button', { name: 'Últimos 30 días' }).click();
  await one.getByRole('link').click();
  const panel = page.getByRole('dialog', { name: 'Detalle de la conferencia' });
  await panel.getByText('284 s').waitFor();
  await checkAccessibility(page, 'panel on a phone');
  await shot(page, 'panel-phone');
  await panel.getByRole('link', { name: 'Expediente' }).click();
  await page.getByRole('link', { name: /^Documento: Parte amistoso/ }).waitFor();
  await checkAccessibility(page, 'case on a phone');
  const { width, inner } = await page.evaluate(() => ({ width: document.documentElement.scrollWidth, inner: innerWidth }));
  assert.ok(width <= inner, 'nothing is wider than the phone');
  await shot(page, 'case-phone');
  await page.context().close();
});

test('the certificate is opened from the row and from the panel', async () => {
  const page = await as('worker 2');
  await toAutos(page);
  await row(page, CASE).waitFor();
  const saved = async (button) => {
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    assert.equal(download.suggestedFilename(), `certificado-${CASE}.pdf`);
    const file = join(folder, 'certificate.pdf');
    await download.saveAs(file);
    return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
  };
  assert.match(await saved(row(page, CASE).getByRole('button', { name: /^Descargar certificado/ })), new RegExp(CASE));
  await row(page, CASE).getByText(CASE).click();
  const panel = page.getByRole('dialog', { name: 'Detalle de la conferencia' });
  assert.match(await saved(panel.getByRole('button', { name: 'Certificado' })), new RegExp(CASE));
  await page.context().close();
});

/** A tile server of one grey pixel; answers the tiles it was asked for. */
async function tileServer() {
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mM8cuTIfwAGqQLH2kVRNgAAAABJRU5ErkJggg==',
    'base64',
  );
  const asked = [];
  const http = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(200, { 'content-type': 'image/png' });
    response.end(pixel);
  });
  const port = await freePort();
  await new Promise((done) => http.listen(port, '127.0.0.1', done));
  const end = () => {
    http.closeAllConnections();
    return new Promise((done) => http.close(done));
  };
  return { asked, url: `http://127.0.0.1:${port}`, end };
}

test('with tiles configured the positions are shown on a map', async (context) => {
  const tiles = await tileServer();
  context.after(() => tiles.end());
  const own = await startServer({
    binary: process.env.ATALAYA_BIN,
    env: { ATALAYA_MAP_TILES_URL: `${tiles.url}/{z}/{x}/{y}.png` },
  });
  context.after(() => own.clean());
  const page = await openPage(browser, 'with tiles', errors);
  await logIn(page, own.url, own.accounts.find((one) => one.what === 'worker 2'));
  const href = await page.getByRole('link', { name: 'Autos', exact: true }).first().getAttribute('href');
  await page.goto(own.url + href);
  await row(page, CASE).getByText(CASE).click();
  await page.getByRole('tab', { name: 'Mapa' }).click();
  await page.getByRole('region', { name: 'Mapa con las posiciones del móvil' }).waitFor();
  await until(async () => tiles.asked, (asked) => asked.some((path) => /^\/17\/\d+\/\d+\.png$/.test(path)));
  await page.locator('.leaflet-tile-loaded').first().waitFor();
  await checkAccessibility(page, 'map with tiles');
  await shot(page, 'tiles-desktop-dark');
  await page.context().close();
});

test('no page threw an error', () => assert.deepEqual(errors, []));
