/**
 * The office: shot lists edited and ticked in a call, the weekly funnel, the administrator's reports, a person's data
 * handed over and erased while the certificate still verifies. Needs ATALAYA_BIN, ffmpeg, python3.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { checkAccessibility, settled } from '../lib/axe.mjs';
import { fileOf, openBrowser, openPage, openPhoneBrowser } from '../lib/browsers.mjs';
import { flows } from '../lib/media.mjs';
import { startServer } from '../lib/server.mjs';
import { enterAsClient, linkFromOutbox, logIn, openConference, session, until } from '../lib/steps.mjs';

const SHOTS = new URL('../../artifacts/', import.meta.url).pathname;
const EXPEDIENT = 'EXP-OFI-1';
const PHONE = '+34600123123';
const errors = [];
let server, browser, phones, accounts, admin, principal, company, conference;

const account = (what) => accounts.find((one) => one.what === what);
const shot = (page, name, options) => page.screenshot({ path: `${SHOTS}office-${name}.png`, ...options });
const tab = (page, text) => page.locator('label').filter({ hasText: text });
const row = (page, text) => page.getByRole('row').filter({ hasText: text });
const shots = async () => (await (await principal.get(`conference-shots/${conference}`)).json()).shots;

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  server = await startServer({ binary: process.env.ATALAYA_BIN });
  accounts = server.accounts;
  admin = await session(server.url, account('administrator'));
  principal = await session(server.url, account('customer'));
  company = principal.user.parent;
  browser = await openBrowser();
  phones = await openPhoneBrowser();
});

after(async () => {
  // Every test closes its own pages: a page that is still open belongs to a test that failed.
  const open = [browser, phones].flatMap((one) => one?.contexts().flatMap((context) => context.pages()) ?? []);
  for (const [index, page] of open.entries()) await shot(page, `failed-${index}`).catch(() => undefined);
  await browser?.close();
  await phones?.close();
  await server?.clean();
  assert.deepEqual(errors, [], 'no page threw an error');
});

async function as(what, path, options) {
  const page = await openPage(browser, what, errors, options);
  // The staff's app is dark unless somebody chose otherwise.
  if (options?.scheme === 'light') await page.addInitScript(() => localStorage.setItem('theme', 'light'));
  await logIn(page, server.url, account(what));
  await page.goto(server.url + path);
  return page;
}

// SHOT-1, SHOT-3
test('a company makes its own shot list', async () => {
  const page = await as('customer', `/shots/${company}`);
  const names = () => page.getByLabel(/^Nombre de la foto/).evaluateAll((fields) => fields.map(({ value }) => value));
  await page.getByText('Lista de la plataforma', { exact: true }).waitFor();
  const before = await names();
  assert.ok(before.length >= 9, `the platform's list of Autos: ${before}`);
  await checkAccessibility(page, 'shot list');

  // By keyboard: the plate goes first.
  const plate = before.indexOf('Matrícula');
  await page.getByRole('button', { name: 'Mover «Matrícula»' }).focus();
  for (let at = plate; at > 0; at -= 1) await page.keyboard.press('ArrowUp');
  assert.equal((await names())[0], 'Matrícula');
  // By hand: the second goes below the third.
  const handle = await page.getByRole('button', { name: `Mover «${before[0]}»` }).boundingBox();
  const below = await page.getByRole('button', { name: `Mover «${before[1]}»` }).boundingBox();
  await page.mouse.move(handle.x + 14, handle.y + 18);
  await page.mouse.down();
  await page.mouse.move(below.x + 14, below.y + 30, { steps: 6 });
  await page.mouse.up();
  assert.deepEqual((await names()).slice(0, 3), ['Matrícula', before[1], before[0]]);

  await page.getByRole('button', { name: 'Añadir foto' }).click();
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await page.getByText('Escriba qué se fotografía').waitFor();
  const last = before.length + 1;
  await page.getByLabel(`Nombre de la foto ${last}`).fill('matrícula');
  await page.getByText('Ya hay otra foto con este nombre').waitFor();
  await page.getByLabel(`Nombre de la foto ${last}`).fill('Luna delantera');
  await page.getByLabel(`Indicación de la foto ${last}`).fill('Desde fuera, sin reflejos');
  await page.getByLabel(`Guía de la foto ${last}`).selectOption('near');
  await shot(page, 'shots-desktop');

  // Unsaved changes are not lost silently, neither to the other list nor to another page.
  await tab(page, 'Diversos').click();
  await page.getByRole('button', { name: 'Seguir aquí' }).click();
  await page.getByRole('link', { name: 'Usuarios' }).click();
  await page.getByRole('button', { name: 'Seguir aquí' }).click();
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await page.getByText('Lista guardada').waitFor();
  await page.getByText('Lista propia').waitFor();
  await page.reload();
  await page.getByText('Lista propia').waitFor();
  assert.deepEqual((await names()).at(-1), 'Luna delantera');
  assert.equal((await names())[0], 'Matrícula');

  await tab(page, 'Diversos').click();
  await page.getByText('Lista de la plataforma', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Quitar «/ }).first().click();
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await page.getByText('Lista propia').waitFor();
  await page.getByRole('button', { name: 'Restablecer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restablecer' }).click();
  await page.getByText('Lista de la plataforma', { exact: true }).waitFor();
  await page.context().close();

  const phone = await as('customer', `/shots/${company}`, { size: 'phone', scheme: 'light' });
  await phone.getByText('Lista propia').waitFor();
  await checkAccessibility(phone, 'shot list on a phone');
  await shot(phone, 'shots-phone');
  await phone.context().close();
});

// SHOT-4
test('the list guides the call and ticks as pictures arrive', async () => {
  const staff = await openPage(browser, 'adjuster', errors);
  await logIn(staff, server.url, account('worker'));
  conference = await openConference(staff, server.url, { expedient: EXPEDIENT });
  const { link } = await linkFromOutbox(admin);
  const phone = await openPage(phones, 'client', errors, { size: 'phone' });
  await enterAsClient(phone, link);
  const began = Date.now();
  await flows(staff);

  const panel = staff.getByRole('complementary', { name: 'Caso y fotos' });
  const list = staff.getByRole('region', { name: 'Fotos del expediente' });
  const entry = (name) => list.getByRole('button', { name: new RegExp(`^${name} (falta|hecha|repetir|llegando)`) });
  await list.waitFor();
  assert.equal(await entry('Matrícula').getAttribute('aria-pressed'), 'true', 'the first that is missing is next');

  const photo = staff.getByRole('button', { name: /Foto HD/ });
  const done = (name) => list.getByRole('button', { name: `${name} hecha` }).waitFor();
  await photo.click();
  await done('Matrícula');
  // Another one is chosen; the space bar takes it although its row was just clicked.
  await entry('Luna delantera').click();
  await staff.keyboard.press('Space');
  await done('Luna delantera');
  await panel.getByText(/^2\/\d+$/).waitFor();
  // A picture outside the list that is assigned to a shot afterwards.
  await list.getByRole('button', { name: 'Foto fuera de la lista' }).click();
  await photo.click();
  await staff.getByText('Otras fotos').waitFor();
  await shot(staff, 'call-shots-desktop');
  await checkAccessibility(staff, 'call with a shot list');
  await staff.getByRole('button', { name: /^Decir qué muestra la foto/ }).click();
  await staff.getByRole('menuitem', { name: 'Cuentakilómetros' }).click();
  await done('Cuentakilómetros');
  await panel.getByText(/^3\/\d+$/).waitFor();
  // One is not good enough.
  await list.getByRole('button', { name: 'Opciones de «Matrícula»' }).click();
  await staff.getByRole('menuitem', { name: 'Hay que repetirla' }).click();
  await list.getByRole('button', { name: 'Matrícula repetir' }).waitFor();
  const ticks = await shots();
  assert.deepEqual(
    ticks.filter(({ state }) => state !== 'missing').map(({ label, state }) => `${label} ${state}`).sort(),
    ['Cuentakilómetros done', 'Luna delantera done', 'Matrícula poor'],
  );
  assert.equal(new Set(ticks.map(({ mediaId }) => mediaId).filter(Boolean)).size, 3, 'each has a picture of its own');

  // Files are asked for only after more than 22 seconds.
  await staff.waitForTimeout(Math.max(0, 26_000 - (Date.now() - began)));
  await staff.getByRole('button', { name: 'Colgar' }).click();
  const missing = ticks.filter(({ state }) => state !== 'done').length;
  await staff.getByText(`Faltan ${missing} fotos`).waitFor();
  await settled(staff);
  await shot(staff, 'hang-up-desktop');
  await checkAccessibility(staff, 'hanging up with photos missing');
  await staff.getByRole('button', { name: 'Terminar y pedirlas al cliente' }).click();
  await staff.waitForURL(/\/conference-media\//);
  const request = staff.getByRole('dialog', { name: 'Solicitar archivos al cliente' });
  await request.getByRole('button', { name: 'Continuar' }).click();
  await request.getByText('Daños de cerca').first().waitFor();
  await settled(staff);
  await shot(staff, 'hang-up-request-desktop');
  await staff.context().close();
  await phone.context().close();
});

test('the funnel counts the call, per company and for everybody', async () => {
  const page = await as('customer', `/statistics/${company}`);
  const funnel = await (await principal.get(`funnel/${company}?weeks=12`)).json();
  const { totals } = funnel;
  assert.equal(funnel.weeks.length, 12);
  assert.ok(funnel.weeks.at(-1).usable >= 1, 'this week has the call of the test before');
  for (const [less, more] of [['usable', 'connected'], ['connected', 'accepted'], ['accepted', 'opened'], ['opened', 'invited']]) {
    assert.ok(totals[less] <= totals[more], `${less} within ${more}: ${JSON.stringify(totals)}`);
  }
  const step = (name) => page.getByRole('button', { name: new RegExp(`^${name}`) });
  await step('Invitadas').getByText(String(totals.invited), { exact: true }).waitFor();
  await step('Con material útil').getByText(String(totals.usable), { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Con material útil, por semana' }).waitFor();
  await page.locator('.recharts-surface').first().waitFor();
  // The first table is the funnel's, the second that of usable cases.
  assert.equal(await page.getByRole('table').first().getByRole('row').count(), 1 + 12 + 1);
  await shot(page, 'statistics-desktop', { fullPage: true });
  await checkAccessibility(page, 'statistics');
  await step('Conectadas').click();
  await page.getByRole('heading', { name: 'Conectadas, por semana' }).waitFor();
  await tab(page, '4 semanas').click();
  await page.waitForURL(/weeks=(%22)?4/);
  await page.waitForFunction(() => document.querySelector('table').querySelectorAll('tbody tr').length === 4);
  await page.context().close();

  const everybody = await as('administrator', '/statistics/0', { size: 'phone', scheme: 'light' });
  await everybody.getByRole('button', { name: /^Invitadas/ }).waitFor();
  await everybody.locator('.recharts-surface').first().waitFor();
  await checkAccessibility(everybody, 'statistics on a phone');
  await shot(everybody, 'statistics-phone', { fullPage: true });
  await everybody.getByPlaceholder('Todas las empresas').click();
  await everybody.getByRole('option', { name: /Peritaciones Levante/ }).click();
  await everybody.waitForURL(new RegExp(company));
  await everybody.context().close();
});

/** The text of all cells of a workbook, one line per row. */
async function workbook(download) {
  const script = [
    'import sys, zipfile, re, html',
    'z = zipfile.ZipFile(sys.argv[1])',
    'assert "xl/workbook.xml" in z.namelist()',
    'text = "".join(z.read(n).decode() for n in z.namelist() if n.startswith("xl/") and n.endswith(".xml"))',
    'print(html.unescape("\\n".join(re.findall(r"<[tv](?: [^>]*)?>([^<]*)</[tv]>", text))))',
  ].join('\n');
  return execFileSync('python3', ['-c', script, await fileOf(download)], { encoding: 'utf8' });
}

test('the administrator reads and exports the events of a range of days', async () => {
  const page = await as('administrator', '/conference-reports');
  const exported = async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Exportar a Excel' }).click(),
    ]);
    return workbook(download);
  };
  await row(page, EXPEDIENT).first().waitFor();
  assert.ok((await exported()).includes(EXPEDIENT), 'the workbook of messages has the case');
  await checkAccessibility(page, 'report of messages');
  await shot(page, 'reports-messages-desktop');

  await tab(page, 'Sucesos').click();
  await row(page, EXPEDIENT).filter({ hasText: 'Conectado' }).first().waitFor();
  const tracks = await exported();
  assert.ok(tracks.includes(EXPEDIENT));
  assert.ok(!tracks.includes('600123123'), 'no phone among the steps');
  await shot(page, 'reports-tracks-desktop');
  await tab(page, 'Archivos').click();
  await row(page, EXPEDIENT).filter({ hasText: 'Foto' }).first().waitFor();
  assert.ok((await exported()).includes(EXPEDIENT));
  await shot(page, 'reports-media-desktop');

  await tab(page, 'Por cliente').click();
  await row(page, 'Peritaciones Levante').waitFor();
  assert.ok((await exported()).includes('Peritaciones Levante'));
  await shot(page, 'reports-customers-desktop');
  await row(page, 'Peritaciones Levante').click();
  await row(page, EXPEDIENT).waitFor();
  assert.ok((await exported()).includes(EXPEDIENT));
  await checkAccessibility(page, 'conferences of a customer');
  await shot(page, 'reports-customer-desktop');
  await page.getByRole('button', { name: 'Todos los clientes' }).click();
  await row(page, 'Peritaciones Levante').waitFor();
  await page.context().close();

  const refused = await (await principal.post('getTracksByDateRange', { begin: '2026-01-01', end: '2026-01-02' })).status;
  assert.equal(refused, 403, 'a customer has no reports');
});

test("a person's data are exported, then erased; the certificate still verifies", async () => {
  const before = (await (await principal.get(`conference-media/${conference}`)).json()).media;
  const picture = before.find(({ type }) => type === 'PICTURE');
  const bytes = Buffer.from(await (await principal.get(picture.url)).arrayBuffer());
  assert.equal((await principal.get(`print-cert/${conference}`)).status, 200);
  const { certificates } = await (await principal.get(`certificates/${conference}`)).json();

  const page = await as('customer', `/privacy/${company}`);
  await page.getByLabel('Teléfono o correo de la persona').fill('Carmen');
  await page.getByRole('button', { name: 'Buscar' }).click();
  await page.getByText('Escriba un teléfono o un correo completos').waitFor();
  await page.getByLabel('Teléfono o correo de la persona').fill('600 123 123');
  await page.getByRole('button', { name: 'Buscar' }).click();
  await page.getByText(EXPEDIENT).waitFor();
  await checkAccessibility(page, 'data of a person');
  await shot(page, 'privacy-desktop');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Entregar los datos (ZIP)' }).click(),
  ]);
  const list = execFileSync('python3', ['-m', 'zipfile', '-l', await fileOf(download)], { encoding: 'utf8' });
  assert.match(list, /data\.json/);
  assert.match(list, /LEEME\.txt/);
  const data = execFileSync(
    'python3',
    ['-c', 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read("data.json"))', await fileOf(download)],
    { encoding: 'utf8' },
  );
  assert.ok(data.includes(EXPEDIENT) && data.includes(PHONE), 'the data are all there');

  await page.getByRole('button', { name: `Eliminar los datos de ${EXPEDIENT}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Eliminar datos personales' });
  await dialog.getByRole('button', { name: 'Eliminar los datos' }).click();
  await dialog.getByText('Escriba el motivo').waitFor();
  await dialog.getByLabel('Motivo').fill('Solicitud de supresión por escrito');
  await dialog.getByLabel('Escriba ELIMINAR para confirmar').fill('borrar');
  await dialog.getByRole('button', { name: 'Eliminar los datos' }).click();
  await dialog.getByText('Escriba la palabra ELIMINAR').waitFor();
  await checkAccessibility(page, 'erasure');
  await shot(page, 'erasure-desktop');
  assert.equal((await principal.get(picture.url)).status, 200, 'nothing is erased before it is confirmed');
  await dialog.getByLabel('Escriba ELIMINAR para confirmar').fill('eliminar');
  await dialog.getByRole('button', { name: 'Eliminar los datos' }).click();
  await page.getByText('Datos eliminados: 1 conferencia').waitFor();

  const gone = await principal.get(picture.url);
  assert.equal(gone.status, 410);
  assert.equal((await gone.json()).code, 'MEDIA_ERASED');
  await until(
    async () => (await (await principal.post(`persons/${company}`, { search: '600123123' })).json()).conferences,
    (found) => !found.some(({ _id, erased }) => _id === conference && !erased),
  );

  // Certificate and hashes stay, so that whoever kept the picture can still prove it.
  const visitor = await openPage(browser, 'visitor', errors, { permissions: [] });
  await visitor.goto(new URL(certificates[0].url, server.url).href);
  await visitor.getByText(/Certificado válido|Archivos caducados/).waitFor();
  await visitor.getByTestId('verify-file').setInputFiles({ name: 'guardada.jpg', mimeType: 'image/jpeg', buffer: bytes });
  await visitor.getByText(/Pertenece al certificado/).waitFor();
  await visitor.getByText(createHash('sha256').update(bytes).digest('hex').slice(0, 32)).first().waitFor();
  await visitor.context().close();

  await tab(page, 'Eliminaciones').click();
  await row(page, 'Solicitud de supresión por escrito').waitFor();
  await page.getByRole('button', { name: 'Prueba de la eliminación' }).first().click();
  await page.getByRole('dialog').getByText(conference).waitFor();
  await checkAccessibility(page, 'proof of an erasure');
  await shot(page, 'erasure-proof-desktop');
  await page.keyboard.press('Escape');
  await tab(page, 'Solicitudes').click();
  await row(page, 'Entrega').first().waitFor();
  assert.ok(!(await page.locator('table').innerText()).includes('600123123'), 'the register masks the person');
  await shot(page, 'requests-desktop');
  await tab(page, 'Conservación').click();
  await page.getByText('31 días').first().waitFor();
  await checkAccessibility(page, 'retention');
  await shot(page, 'retention-desktop');
  await page.context().close();

  const phone = await as('customer', `/privacy/${company}`, { size: 'phone', scheme: 'light' });
  await phone.getByLabel('Teléfono o correo de la persona').waitFor();
  await checkAccessibility(phone, 'privacy on a phone');
  await shot(phone, 'privacy-phone');
  await phone.context().close();
});
