/**
 * Companies: the administrator invites, activates, edits, exports and keeps the insurance companies; the principal keeps
 * the company's own data, the IBAN masked, accepts the terms, and the banner follows. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { checkAccessibility, settled } from '../lib/axe.mjs';
import { openBrowser, openPage } from '../lib/browsers.mjs';
import { fitsFingers } from '../lib/looks.mjs';
import { freeMediaPort, freePort, newFolder, startServer } from '../lib/server.mjs';
import { logIn, session, until } from '../lib/steps.mjs';

const SHOTS = new URL('../../artifacts/', import.meta.url).pathname;
const errors = [];
let browser, server, accounts, folder, admin;

const account = (what) => accounts.find((one) => one.what === what);
const shot = (page, name) => page.screenshot({ path: `${SHOTS}companies-${name}.png` });

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  browser = await openBrowser();
  folder = await newFolder();
  const [port, mediaPort] = [await freePort(), await freeMediaPort()];
  const binary = process.env.ATALAYA_BIN;
  const first = await startServer({ binary, dataDir: folder, port, mediaPort });
  accounts = first.accounts;
  await first.end('SIGTERM');
  // A customer from before the terms: nobody registers without accepting them.
  sql('UPDATE company SET legal = 0, legal_id = NULL WHERE kind = 2');
  server = await startServer({ binary, dataDir: folder, port, mediaPort });
  admin = await session(server.url, account('administrator'));
});

after(async () => {
  // Every test closes its own pages: a page that is still open belongs to a test that failed.
  const open = browser?.contexts().flatMap((context) => context.pages()) ?? [];
  for (const [index, page] of open.entries()) await shot(page, `failed-${index}`);
  await browser?.close();
  await server?.clean();
  await rm(folder, { recursive: true, force: true });
});

/** Changes the stopped server's database. */
function sql(statement) {
  const script = 'import sqlite3, sys\nwith sqlite3.connect(sys.argv[1]) as d: d.execute(sys.argv[2])';
  execFileSync('python3', ['-c', script, join(folder, 'atalaya.db'), statement]);
}

async function asAdministrator(options = {}) {
  const page = await openPage(browser, 'administrator', errors, options);
  await logIn(page, server.url, account('administrator'));
  return page;
}

const tab = (page, text) => page.locator('label').filter({ hasText: text });
const row = (page, text) => page.getByRole('row').filter({ hasText: text });

/** The link of the newest e-mail to an address. */
async function linkTo(to) {
  const { outbox } = await until(
    async () => (await admin.get(`outbox?channel=email&to=${encodeURIComponent(to)}&limit=1`)).json(),
    (answer) => answer.outbox?.length === 1,
  );
  return outbox[0].link ?? outbox[0].text.match(/https?:\/\/\S+/)[0];
}

async function register(link, email) {
  const answer = await fetch(`${server.url}/api/v1/customer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      token: link.split('/').at(-1),
      customer: {
        cif: 'B12345674',
        name: 'Íñigo Muñoz',
        company: 'Ñandú Peritos, S.L.',
        address: 'Calle de Colón, 12',
        city: 'València',
        region: 'Valencia',
        postalCode: '46004',
        email,
        mobile: '+34600555444',
        legal: true,
        password: 'marea-cobre-tejado-41',
      },
    }),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
}

test('the administrator invites a customer, checks the invitation, and activates the company', async () => {
  const page = await asAdministrator();
  await page.waitForURL(/\/customers$/);
  await row(page, 'Peritaciones Levante').waitFor();
  await checkAccessibility(page, 'list of customers');
  await page.getByRole('button', { name: 'Nueva invitación' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nueva invitación' });
  await dialog.getByRole('textbox', { name: 'Correo electrónico' }).fill('alta@');
  await dialog.getByRole('button', { name: 'Enviar correo' }).click();
  await dialog.getByText('El correo electrónico no es válido').waitFor();
  await checkAccessibility(page, 'invitation');
  await dialog.getByRole('textbox', { name: 'Correo electrónico' }).fill('nandu@example.es');
  await dialog.getByRole('button', { name: 'Enviar correo' }).click();
  await page.getByText('Invitación enviada').waitFor();

  await tab(page, 'Invitaciones').click();
  await row(page, 'nandu@example.es').getByText('Enviada').waitFor();
  await row(page, 'nandu@example.es').getByRole('button', { name: 'Volver a enviar' }).click();
  await page.getByText('Invitación enviada de nuevo').waitFor();

  // A mistaken invitation is revoked: its link opens nothing.
  await admin.post('activation', { emailOPhone: 'equivocada@example.es', type: 2 });
  await page.reload();
  await row(page, 'equivocada@example.es').getByRole('button', { name: 'Retirar la invitación' }).click();
  const question = page.getByRole('dialog', { name: '¿Retirar la invitación?' });
  await question.waitFor();
  await settled(page);
  await shot(page, 'invitation-revoke-desktop');
  await question.getByRole('button', { name: 'Retirar la invitación' }).click();
  await page.getByText('Invitación retirada').waitFor();
  await row(page, 'equivocada@example.es').waitFor({ state: 'detached' });
  const revoked = await openPage(browser, 'revoked', errors, { size: 'phone' });
  await revoked.goto(await linkTo('equivocada@example.es'));
  await revoked.getByText('El enlace no es válido').first().waitFor();
  await revoked.screenshot({ path: `${SHOTS}companies-invitation-revoked-phone.png` });
  await revoked.context().close();
  await register(await linkTo('nandu@example.es'), 'nandu@example.es');
  await page.reload();
  await page.getByText('Activada', { exact: true }).first().waitFor();
  await shot(page, 'invitations-desktop');

  await tab(page, 'Clientes').click();
  await page.getByRole('searchbox').fill('nandu');
  await row(page, 'Ñandú Peritos').getByText('Pendiente de validar').waitFor();
  // The search ignores accents and finds only this one.
  await row(page, 'Peritaciones Levante').waitFor({ state: 'detached' });
  await row(page, 'Ñandú Peritos').click();
  await page.waitForURL(/\/customer\/[^/]+\/perfil/);
  await page.getByText('Se ha registrado y espera que la active.').waitFor();
  await page.getByRole('button', { name: 'Activar cliente' }).click();
  await page.getByText('Empresa activada').waitFor();
  await page.getByText('Empresa activa', { exact: true }).waitFor();
  await page.goBack();
  await row(page, 'Ñandú Peritos').getByText('Activo').waitFor();
  assert.match(page.url(), /search=nandu/, 'the way back keeps the search');
  await page.context().close();
});

test('the administrator changes every field, status and insurers; errors are shown and no input is lost', async () => {
  const page = await asAdministrator();
  await page.goto(`${server.url}/insurance-companies`);
  await page.getByRole('button', { name: 'Nueva aseguradora' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Nueva aseguradora' });
  await dialog.getByLabel('Nombre').fill('Mutua Ñoña');
  await dialog.getByRole('button', { name: 'Crear' }).click();
  await page.getByText('Aseguradora creada').waitFor();

  await page.goto(`${server.url}/customers?search=nandu`);
  await row(page, 'Ñandú Peritos').click();
  await page.getByLabel('NIF/CIF').fill('B12345678');
  await page.getByLabel('Móvil', { exact: true }).fill('12');
  await page.getByLabel('Código postal').fill('4600');
  await page.getByLabel('Días de conservación').fill('0');
  await page.getByLabel('Población').fill('Sagunto');
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  for (const text of ['El NIF/CIF no es correcto', 'El teléfono móvil es obligatorio', 'El código postal no es válido', 'Un número de 1 a 3650', 'Revise 4 datos.'])
    await page.getByText(text).waitFor();
  assert.equal(await page.getByLabel('Población').inputValue(), 'Sagunto');
  await checkAccessibility(page, 'company with mistakes');
  await shot(page, 'mistakes-desktop');

  await page.getByRole('link', { name: 'Incidencias' }).click();
  const leaving = page.getByRole('dialog', { name: 'Hay cambios sin guardar' });
  await leaving.getByRole('button', { name: 'Seguir aquí' }).click();

  await page.getByLabel('NIF/CIF').fill('b-1234 5674');
  await page.getByLabel('Móvil', { exact: true }).fill('600 555 445');
  await page.getByLabel('Código postal').fill('46500');
  await page.getByLabel('Días de conservación').fill('90');
  await page.getByLabel('Estado').first().click();
  await page.getByRole('option', { name: 'En prueba' }).click();
  await page.getByLabel('Aseguradoras para las que trabaja').first().click();
  await page.getByRole('option', { name: 'Mutua Ñoña' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await page.getByText('Datos guardados').waitFor();

  const { customers } = await (await admin.get('customers?search=nandu')).json();
  const { cif, city, postalCode, mobile, status, retentionDays } = customers[0];
  assert.deepEqual(
    { cif, city, postalCode, mobile, status, retentionDays },
    { cif: 'B12345674', city: 'Sagunto', postalCode: '46500', mobile: '+34600555445', status: 3, retentionDays: 90 },
  );

  await page.goto(`${server.url}/insurance-companies`);
  await row(page, 'Mutua Ñoña').getByText('1', { exact: true }).waitFor();
  await row(page, 'Mutua Ñoña').click();
  const drawer = page.getByRole('dialog', { name: 'Mutua Ñoña' });
  await drawer.getByLabel('Nombre').fill('Mutua del Turia');
  await drawer.getByRole('switch', { name: 'Activa' }).uncheck();
  await checkAccessibility(page, 'insurance company');
  await drawer.getByRole('button', { name: 'Guardar', exact: true }).click();
  await row(page, 'Mutua del Turia').getByText('Inactiva').waitFor();
  const insuranceCompanies = await (await admin.get('insuranceCompanies?all=true')).json();
  const { active, customers: count } = insuranceCompanies.find(({ name }) => name === 'Mutua del Turia');
  assert.deepEqual({ active, count }, { active: false, count: 1 });
  assert.ok(!insuranceCompanies.some(({ name }) => name === 'Mutua Ñoña'), 'it was renamed');
  await shot(page, 'insurers-desktop');
  await page.context().close();
});

test('the administrator blocks a customer after a warning, and unblocks it', async () => {
  const page = await asAdministrator();
  await page.goto(`${server.url}/customers?search=nandu`);
  await row(page, 'Ñandú Peritos').click();
  const situation = page.getByRole('complementary', { name: 'Situación' });
  const statusOf = async () => (await (await admin.get('customers?search=nandu')).json()).customers[0].status;
  const before = await statusOf();
  await situation.getByRole('button', { name: 'Bloquear' }).click();
  const dialog = page.getByRole('dialog', { name: /^Bloquear a/ });
  await dialog.getByLabel('Todo el acceso').check();
  await dialog.getByText('Su usuario no podrá entrar.').waitFor();
  await checkAccessibility(page, 'blocking a company');
  await shot(page, 'block-desktop');
  assert.equal(await statusOf(), before, 'a question alone blocks nobody');
  await dialog.getByRole('button', { name: 'Bloquear' }).click();
  await page.getByText('Empresa bloqueada').waitFor();
  assert.equal(await statusOf(), 1);
  await situation.getByRole('button', { name: 'Desbloquear' }).click();
  await page.getByRole('dialog', { name: /^Desbloquear a/ }).getByRole('button', { name: 'Desbloquear' }).click();
  await page.getByText('Empresa desbloqueada').waitFor();
  assert.equal(await statusOf(), 2);
  // The tests after this one look for a company on trial.
  const put = await fetch(`${server.url}/api/v1/customer`, {
    method: 'PUT',
    headers: { ...admin.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ customer: { _id: (await (await admin.get('customers?search=nandu')).json()).customers[0]._id, status: before } }),
  });
  assert.equal(put.status, 200);
  await page.context().close();
});

test('the administrator exports the filtered companies as a workbook', async () => {
  const page = await asAdministrator();
  await page.goto(`${server.url}/customers?search=nandu`);
  await row(page, 'Ñandú Peritos').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Exportar a Excel' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^clientes-\d{4}-\d{2}-\d{2}\.xlsx$/);
  const file = join(folder, 'clientes.xlsx');
  await download.saveAs(file);
  const inside = (part) => execFileSync('unzip', ['-p', file, part], { encoding: 'utf8' });
  assert.match(inside('xl/workbook.xml'), /<sheet name="data"/);
  const texts = inside('xl/sharedStrings.xml');
  assert.match(texts, /Ñandú Peritos, S\.L\./);
  assert.match(texts, /NIF\/CIF/);
  assert.doesNotMatch(texts, /Peritaciones Levante/, 'only what is filtered');
  assert.doesNotMatch(texts, /ES\d\d\s?\d{4}/, 'no account number');
  await page.context().close();
});

test('the principal edits the company: IBAN masked, terms accepted, banner updated', async () => {
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString();
  const { customers } = await (await admin.get('customers?search=levante')).json();
  const put = await fetch(`${server.url}/api/v1/customer`, {
    method: 'PUT',
    headers: { ...admin.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ customer: { _id: customers[0]._id, pay_startAt: soon, mobile: '+34600111222' } }),
  });
  assert.equal(put.status, 200, await put.clone().text());

  const page = await openPage(browser, 'principal', errors);
  await logIn(page, server.url, account('customer'));
  const banner = page.getByRole('status').filter({ hasText: 'Periodo de prueba hasta el' });
  await banner.getByText(/Complete sus datos de facturación/).waitFor();
  await banner.getByRole('link', { name: 'Actualizar datos' }).click();
  await page.getByRole('heading', { name: 'Datos de empresa' }).waitFor();
  await page.getByText('Acepte las condiciones para poder llamar.').waitFor();
  assert.equal(await page.getByLabel('Estado').count(), 0, "nothing of the administrator's");
  // Read-only: administrators decide which insurance companies it works for.
  await page.getByText('Mutua', { exact: false }).first().waitFor();
  await checkAccessibility(page, 'own company');

  const iban = page.getByLabel('IBAN');
  assert.equal(await iban.inputValue(), 'ES91 **** **** **** **** 1332');
  await page.getByRole('button', { name: 'Cambiar', exact: true }).click();
  await iban.fill('ES79 2100 0813 6101 2345 6788');
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await page.getByText('El IBAN no es correcto').waitFor();
  await iban.fill('ES79 2100 0813 6101 2345 6789');
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await page.getByText('Datos guardados').waitFor();
  assert.equal(await iban.inputValue(), 'ES79 **** **** **** **** 6789');

  await page.getByRole('button', { name: 'Leer las condiciones' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Acepto las condiciones' }).click();
  await page.locator('#main').getByText(/Condiciones aceptadas el \d+ de \p{L}+ de \d{4}/u).waitFor();
  await banner.getByText(/Complete sus datos de facturación/).waitFor({ state: 'hidden' });
  await page.getByText('Videollamadas bloqueadas').waitFor({ state: 'hidden' });
  await shot(page, 'own-desktop');
  const after = await (await admin.get(`customer/${customers[0]._id}`)).json();
  assert.equal(after.customer.legal, true);
  assert.equal(after.customer.legalHistory.length > 0, true);
  await page.context().close();
});

test('a phone shows two-line rows, the filters in a sheet and the whole form', async () => {
  const page = await asAdministrator({ size: 'phone' });
  const list = page.getByRole('list', { name: 'Clientes' });
  await list.getByRole('link', { name: /Peritaciones Levante/ }).waitFor();
  assert.equal(await page.getByRole('table').count(), 0);
  await shot(page, 'list-phone');
  await fitsFingers(page, 'list of customers');
  await page.getByRole('button', { name: 'Filtros' }).click();
  await page.getByLabel('Estado').selectOption({ label: 'En prueba' });
  await page.getByRole('button', { name: 'Listo' }).click();
  await list.getByRole('link', { name: /Ñandú Peritos/ }).waitFor();
  await list.getByRole('link', { name: /Peritaciones Levante/ }).waitFor({ state: 'detached' });
  // The colours of fading elements cannot be judged yet.
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))));
  await checkAccessibility(page, 'list on a phone');
  await list.getByRole('link', { name: /Ñandú Peritos/ }).click();
  await page.getByLabel('NIF/CIF').waitFor();
  await fitsFingers(page, 'company');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(wide <= 0, `nothing wider than the phone, but ${wide} px`);
  await shot(page, 'company-phone');
  await page.context().close();
  assert.deepEqual(errors, [], 'no page threw an error');
});
