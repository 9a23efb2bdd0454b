/** The shell, and the pages about people. Who lands where: roles.test.mjs. Needs ATALAYA_BIN. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openBrowser, openPage } from '../lib/browsers.mjs';
import { startWithEveryRole } from '../lib/roles.mjs';
import { logIn, newestLink, session, until } from '../lib/steps.mjs';

const SHOTS = new URL('../../artifacts/', import.meta.url).pathname;
const errors = [];
let browser, world, server, accounts, account, admin, people;

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  browser = await openBrowser();
  world = await startWithEveryRole();
  ({ server, accounts, account, people } = world);
  admin = people[1];
});

after(async () => {
  await browser?.close();
  await world?.clean();
});

async function put(who, path, body) {
  return fetch(`${server.url}/api/v1/${path}`, {
    method: 'PUT',
    headers: { ...who.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

test('a session that was ended on the server is ended in the browser', async () => {
  const page = await openPage(browser, 'ended', errors);
  await logIn(page, server.url, account(3));
  const token = await page.evaluate(() => localStorage.getItem('token'));
  await fetch(`${server.url}/api/v1/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  await page.goto(`${server.url}/vp-form`);
  await page.getByLabel('Correo electrónico o teléfono').waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem('token')), null);
  await page.context().close();
});

test('a principal edits, deactivates and activates a user; the session of that user ends', async () => {
  const page = await openPage(browser, 'principal', errors);
  const worker = await openPage(browser, 'deactivated', []);
  await logIn(worker, server.url, account(3));
  await logIn(page, server.url, account(2));
  const { user } = people[3];
  const row = page.getByRole('row').filter({ hasText: account(3).email });
  await row.click();
  const drawer = page.getByRole('dialog', { name: 'Editar usuario' });
  await drawer.getByLabel('Apellidos').fill('Ferrer Ñíguez');
  await drawer.getByLabel('Nombre', { exact: true }).fill(' ');
  await drawer.getByRole('button', { name: 'Guardar' }).click();
  await drawer.getByText('Escriba el nombre').waitFor();
  assert.equal(await drawer.getByLabel('Apellidos').inputValue(), 'Ferrer Ñíguez', 'nothing typed is lost');
  await drawer.getByLabel('Nombre', { exact: true }).fill('Ana');
  // A principal is offered only these two.
  await drawer.getByRole('combobox', { name: 'Estado' }).click();
  assert.deepEqual(await page.getByRole('option').allTextContents(), ['Inactivo', 'Activo']);
  await page.keyboard.press('Escape');
  await page.screenshot({ path: `${SHOTS}users-drawer-desktop.png` });
  await checkAccessibility(page, 'the drawer of a user');
  await drawer.getByRole('button', { name: 'Guardar' }).click();
  await page.getByText('Cambios guardados').waitFor();
  await row.filter({ hasText: 'Ana Ferrer Ñíguez' }).waitFor();

  await row.getByRole('button', { name: 'Desactivar' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Desactivar' }).click();
  await row.filter({ hasText: 'Inactivo' }).waitFor();
  await worker.getByLabel('Correo electrónico o teléfono').waitFor();
  const { status } = (await (await admin.get(`user/${user._id}`)).json()).user;
  assert.equal(status, 1);
  await row.getByRole('button', { name: 'Activar' }).click();
  await row.filter({ hasText: 'Activo' }).waitFor();
  await page.context().close();
  await worker.context().close();
  people[3] = await session(server.url, account(3));
});

// USER-5
test('a log-in name changes once both mailboxes have confirmed it, and the old one no longer enters', async () => {
  const { email, password } = account(3);
  const fresh = 'ana.nueva@example.es';
  const page = await openPage(browser, 'another name', errors);
  await logIn(page, server.url, account(3));
  const { user } = people[3];
  await page.goto(`${server.url}/user/${user.parent}/${user._id}`);
  await page.getByRole('textbox', { name: 'Correo electrónico' }).fill(fresh);
  await page.getByRole('button', { name: 'Guardar' }).click();
  await page.getByText('Confirme el cambio de usuario').waitFor();
  await page.screenshot({ path: `${SHOTS}users-name-pending-desktop.png` });
  for (const to of [fresh, email]) {
    const mailbox = await openPage(browser, `mailbox of ${to}`, errors, { size: 'phone', scheme: 'light' });
    await mailbox.goto(await newestLink(admin, to));
    await mailbox.getByRole('button', { name: 'Confirmar el cambio' }).click();
    await mailbox.getByText(to === fresh ? 'Falta el otro buzón' : 'Usuario cambiado').first().waitFor();
    await checkAccessibility(mailbox, `confirming from ${to}`);
    await mailbox.screenshot({ path: `${SHOTS}users-name-confirmed-${to === fresh ? 'first' : 'second'}-phone.png` });
    await mailbox.context().close();
  }
  await page.context().close();
  const again = await openPage(browser, 'with the new name', errors);
  await logIn(again, server.url, { email: fresh, password });
  await again.context().close();
  // An administrator's change holds at once.
  assert.equal((await put(admin, 'user', { user: { _id: user._id, email } })).status, 200);
  people[3] = await session(server.url, account(3));
});

test('a user who chose no language gets that of the profile', async () => {
  const { user } = people[3];
  const speak = async (language) => assert.equal((await put(admin, 'user', { user: { _id: user._id, language } })).status, 200);
  await speak('ca');
  const page = await openPage(browser, 'Catalan', errors);
  await logIn(page, server.url, account(3));
  await page.locator('html[lang=ca]').waitFor();
  await page.getByLabel("Núm. d'expedient").waitFor();
  assert.doesNotMatch(await page.evaluate(() => document.cookie), /(^|; )lang=/, 'nobody chose it here');
  await page.reload();
  await page.locator('html[lang=ca]').waitFor();
  await page.context().close();
  await speak('es');
});

test('a user with the support flag opens the colleagues from the menu and edits one', async () => {
  const { user } = people[3];
  const flag = async (support) => assert.equal((await put(admin, 'user', { user: { _id: user._id, support } })).status, 200);
  await flag(true);
  const page = await openPage(browser, 'supporter', errors);
  await logIn(page, server.url, account(3));
  await page.getByRole('link', { name: 'Usuarios' }).click();
  const colleague = accounts.find(({ what }) => what === 'worker 2');
  await page.getByRole('row').filter({ hasText: colleague.email }).click();
  const drawer = page.getByRole('dialog', { name: 'Editar usuario' });
  await drawer.getByLabel('Apellidos').waitFor();
  for (const name of ['Estado', 'Perfil']) assert.equal(await drawer.getByRole('combobox', { name }).count(), 0, name);
  assert.equal(await drawer.getByLabel(/Puede ver y corregir/).count(), 0);
  assert.equal(await drawer.getByRole('button', { name: /Desactivar/ }).count(), 0);
  await drawer.getByLabel('Apellidos').fill('Ortega Ñíguez');
  await page.screenshot({ path: `${SHOTS}users-supporter-desktop.png` });
  await checkAccessibility(page, 'the users of a supporter');
  await drawer.getByRole('button', { name: 'Guardar' }).click();
  await page.getByRole('row').filter({ hasText: 'Ortega Ñíguez' }).waitFor();
  await page.context().close();
  await flag(false);
  people[3] = await session(server.url, account(3));
});

test('an administrator is offered six statuses and every role', async () => {
  const page = await openPage(browser, 'admin', errors);
  await logIn(page, server.url, account(1));
  await page.goto(`${server.url}/users/${people[2].user.parent}`);
  await page.getByRole('row').filter({ hasText: account(3).email }).click();
  const drawer = page.getByRole('dialog', { name: 'Editar usuario' });
  await drawer.getByRole('combobox', { name: 'Estado' }).click();
  assert.equal((await page.getByRole('option').allTextContents()).length, 6);
  await page.keyboard.press('Escape');
  await drawer.getByRole('combobox', { name: 'Perfil' }).click();
  assert.equal((await page.getByRole('option').allTextContents()).length, 8);
  await page.keyboard.press('Escape');
  await drawer.getByLabel(/Puede ver y corregir/).waitFor();
  await page.context().close();
});

test('a key is shown once, works, and ends when it is revoked', async () => {
  const page = await openPage(browser, 'api', errors);
  await logIn(page, server.url, account(2));
  await page.goto(`${server.url}/api`);
  const generate = page.getByRole('button', { name: 'Generar clave' });
  const call = async (key) => (await fetch(`${server.url}/ext-api/v1/account`, { headers: { 'x-api-key': key } })).status;
  const keys = [];
  for (const number of [1, 2]) {
    await generate.click();
    const shown = page.getByTestId('new-key');
    await shown.waitFor();
    keys.push(await shown.textContent());
    assert.match(keys.at(-1), /^atl_\S{20,}$/);
    if (number === 1) await page.screenshot({ path: `${SHOTS}api-new-key-desktop.png` });
    await page.getByRole('button', { name: 'Ya la he guardado' }).click();
    await shown.waitFor({ state: 'detached' });
  }
  assert.equal(await generate.isDisabled(), true, 'two live keys are the most');
  assert.deepEqual(await Promise.all(keys.map(call)), [200, 200]);
  await page.reload();
  await page.getByText('/ext-api/v1/account').first().waitFor();
  const text = await page.locator('main').textContent();
  assert.ok(!keys.some((key) => text.includes(key)), 'a key is never shown again');
  await page.screenshot({ path: `${SHOTS}api-desktop.png`, fullPage: true });
  await checkAccessibility(page, 'the API page');
  await page.getByRole('button', { name: 'Revocar' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revocar' }).click();
  await until(() => generate.isDisabled(), (disabled) => disabled === false);
  assert.deepEqual((await Promise.all(keys.map(call))).sort(), [200, 401]);
  await page.context().close();
});

test('a principal reads the activity log of the own company, an administrator that of any', async () => {
  const page = await openPage(browser, 'audit', errors);
  await logIn(page, server.url, account(2));
  await page.goto(`${server.url}/logs`);
  const line = page.getByRole('row').filter({ hasText: 'Se ha desactivado a' });
  await line.first().waitFor();
  assert.match(await line.first().textContent(), /Activo → Inactivo/);
  assert.ok(!(await page.locator('main').textContent()).includes('Reparaciones'), 'nothing of other companies');
  await page.screenshot({ path: `${SHOTS}audit-desktop.png` });
  await checkAccessibility(page, 'the activity log');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exportar a Excel' }).click();
  assert.match((await downloading).suggestedFilename(), /\.xlsx$/);
  await page.context().close();

  const boss = await openPage(browser, 'audit admin', errors);
  await logIn(boss, server.url, account(1));
  await boss.goto(`${server.url}/logs?company=${people[6].user.parent}`);
  await boss.getByRole('row').filter({ hasText: 'ha iniciado sesión' }).first().waitFor();
  assert.ok(!(await boss.locator('main').textContent()).includes('Se ha desactivado a'));
  await boss.context().close();
});

test('the password operator starts a reset for an exact user name and sees nothing else', async () => {
  const page = await openPage(browser, 'operator', errors);
  await logIn(page, server.url, account(8));
  const { email } = account(5);
  await page.getByRole('textbox', { name: 'Usuario' }).fill(email.slice(0, -1));
  await page.getByRole('button', { name: 'Buscar' }).click();
  await page.getByText('Ninguna cuenta con ese usuario').waitFor();
  await page.getByRole('textbox', { name: 'Usuario' }).fill(email);
  await page.getByRole('button', { name: 'Buscar' }).click();
  await page.getByRole('button', { name: 'Enviar enlace' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Enviar enlace' }).click();
  await page.getByText(/Enlace enviado a las/).waitFor();
  await page.screenshot({ path: `${SHOTS}password-operator-desktop.png` });
  const sent = await until(
    async () => (await (await admin.get(`outbox?channel=email&to=${encodeURIComponent(email)}&limit=1`)).json()).outbox,
    (outbox) => outbox.length === 1,
  );
  assert.match(sent[0].text, /\/remember-form\//);
  await page.context().close();
});

test('blocking and unblocking reach an open page without a reload', async () => {
  const company = people[2].user.parent;
  // Fresh proofs of identity, however long the tests before took: bank accounts are set (PROOF-1).
  const [boss, owner] = await Promise.all([1, 2].map((role) => session(server.url, account(role))));
  const principal = await openPage(browser, 'blocked principal', errors);
  const worker = await openPage(browser, 'blocked worker', errors);
  await logIn(principal, server.url, account(2));
  await principal.goto(`${server.url}/vp-form`);
  await logIn(worker, server.url, account(3));
  for (const page of [principal, worker]) {
    await page.getByLabel('N.º de expediente').waitFor();
    await page.evaluate(() => {
      window.stillTheSamePage = true;
    });
  }
  const UNPAID = 5;
  assert.equal((await put(boss, 'customer', { customer: { _id: company, status: UNPAID } })).status, 200);
  for (const page of [principal, worker]) await page.getByRole('alert').getByText('La empresa no está activa').waitFor();
  await worker.getByRole('alert').getByText('Pídaselo al responsable de su empresa.').waitFor();
  await principal.getByRole('complementary', { name: 'Solicitudes de videollamada bloqueadas' }).waitFor();
  assert.match(await principal.getByRole('complementary').textContent(), /La empresa no está activa/);
  await principal.screenshot({ path: `${SHOTS}blocked-desktop.png` });

  // The guard's texts, with a link for those who can complete the data.
  assert.equal((await put(boss, 'customer', { customer: { _id: company, status: 2, bankAccount: '' } })).status, 200);
  await worker.getByText('Su administrador debe actualizar el IBAN y aceptar los términos').waitFor();
  const alert = principal.getByRole('alert').filter({ hasText: 'Debe actualizar el IBAN y aceptar los términos para continuar' });
  await alert.getByText('Falta la cuenta bancaria (IBAN)').waitFor();
  const mend = await alert.getByRole('link', { name: 'Actualizar datos' }).getAttribute('href');
  assert.equal(mend, `/customer/${company}/perfil`);
  await principal.getByRole('status').filter({ hasText: 'Su periodo de prueba ha terminado' }).waitFor();
  await principal.screenshot({ path: `${SHOTS}blocked-banner-desktop.png` });
  await checkAccessibility(principal, 'the alert of the guard');
  const bankAccount = 'ES91 2100 0418 4502 0005 1332';
  assert.equal((await put(owner, 'customer', { customer: { _id: company, bankAccount } })).status, 200);
  for (const page of [principal, worker]) {
    await page.getByLabel('N.º de expediente').waitFor();
    assert.equal(await page.evaluate(() => window.stillTheSamePage), true, 'the page was not loaded again');
    assert.equal(await page.getByText('Solicitudes de videollamada bloqueadas').count(), 0);
    await page.context().close();
  }
});

test('no page threw an error', () => {
  assert.deepEqual(errors, []);
});
