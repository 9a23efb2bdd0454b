/** The shell: who lands where, who may open what, and the pages about people. Needs ATALAYA_BIN. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openBrowser, openPage } from '../lib/browsers.mjs';
import { freeMediaPort, freePort, newFolder, plainEnvironment, startServer } from '../lib/server.mjs';
import { logIn, newestLink, session, until } from '../lib/steps.mjs';

const SHOTS = new URL('../../artifacts/', import.meta.url).pathname;
const OPERATOR = { email: 'operador@demo.atalaya.example', password: 'Torre-del-Miguelete-33' };
const errors = [];
let browser, server, accounts, folder, admin, people;

/** The demo's accounts by role. */
const BY_ROLE = {
  1: 'administrator',
  2: 'customer',
  3: 'worker',
  4: 'repairer',
  5: 'repairer operator',
  6: 'workshop',
  7: 'workshop operator',
};
const account = (role) => (role === 8 ? OPERATOR : accounts.find((one) => one.what === BY_ROLE[role]));
const ROLES = [1, 2, 3, 4, 5, 6, 7, 8];

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  browser = await openBrowser();
  folder = await newFolder();
  const [port, mediaPort] = [await freePort(), await freeMediaPort()];
  const binary = process.env.ATALAYA_BIN;
  const first = await startServer({ binary, dataDir: folder, port, mediaPort });
  accounts = first.accounts;
  await first.end('SIGTERM');
  // A password operator cannot be invited: the command creates one.
  execFileSync(binary, ['admin', 'create', '--role', '8', '--email', OPERATOR.email, '--data-dir', folder], {
    input: `${OPERATOR.password}\n`,
    env: plainEnvironment(),
  });
  server = await startServer({ binary, dataDir: folder, port, mediaPort });
  people = Object.fromEntries(
    await Promise.all(ROLES.map(async (role) => [role, await session(server.url, account(role))])),
  );
  admin = people[1];
});

after(async () => {
  await browser?.close();
  await server?.clean();
  await rm(folder, { recursive: true, force: true });
});

async function put(who, path, body) {
  return fetch(`${server.url}/api/v1/${path}`, {
    method: 'PUT',
    headers: { ...who.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

// The home of each role.
const homeOf = (role, { parent }) =>
  ({ 1: '/customers', 2: `/users/${parent}`, 3: '/vp-form', 4: `/users/${parent}`, 5: '/videocall-request', 6: `/users/${parent}`, 7: '/videocall-request', 8: '/vp-form' })[role];

const EVERYBODY = ROLES;
const PRINCIPALS = [1, 2, 4, 6];
/** Customers' people, and the repair side for the calls that its requests became. */
const CALLS_OR_ASKS = [1, 2, 3, 4, 5, 6, 7];
/** Every page: its address, which roles may open it about themselves, which about somebody else. */
const PAGES = [
  ['/videocall-request', [4, 5, 6, 7]],
  ['/active-videocall-request/{parent}', EVERYBODY, [1]],
  ['/general-notification', [1]],
  ['/broadcast', [1]],
  ['/vp-form', [2, 3, 8]],
  ['/customers', [1]],
  ['/repairers', [1]],
  ['/car-reparations', [1]],
  ['/insurance-companies', [1]],
  ['/message-service', [1]],
  ['/setup', [1]],
  ['/logs', PRINCIPALS],
  ['/api', [1, 2]],
  ['/sms-client-conference/{id}', [1, 2], [1, 2]],
  ['/conferences-autos/{parent}', CALLS_OR_ASKS, CALLS_OR_ASKS],
  ['/conferences-div/{parent}', CALLS_OR_ASKS, CALLS_OR_ASKS],
  ['/incidences/{id}', CALLS_OR_ASKS, PRINCIPALS],
  ['/users/{parent}', PRINCIPALS, [1]],
  ['/customer/{parent}/perfil', PRINCIPALS, [1]],
  ['/customer/{parent}/fiscal', PRINCIPALS, [1]],
  ['/fiscal-requests', [1]],
  ['/invoices/{parent}', [1, 2], [1, 2]],
  ['/consumption/{parent}', [1, 2], [1, 2]],
  ['/invoice-processes', [1]],
  ['/remittances', [1]],
  ['/verifactu', [1]],
  ['/prices', [1]],
  ['/legals', [1]],
  ['/declaracion-responsable', EVERYBODY],
  ['/user/{parent}/{id}', EVERYBODY, [1]],
  ['/password/{id}', EVERYBODY, []],
];
const PUBLIC = ['/remember', '/remember-form/x', '/customer-activation/x', '/user-activation/3/x/x', '/admin-enable/2/x/x'];
const UNKNOWN = ['/', '/login', '/nowhere', '/prices/1'];

/** Opens an address; answers where it ended and how often it was redirected. */
async function land(page, address) {
  const seen = [address];
  const follow = (frame) => {
    // The router also writes its state under the same address, which is no redirect.
    const { pathname } = new URL(frame.url());
    if (frame === page.mainFrame() && pathname !== seen.at(-1)) seen.push(pathname);
  };
  page.on('framenavigated', follow);
  await page.goto(server.url + address, { waitUntil: 'domcontentloaded' });
  await page.locator('h1').first().waitFor();
  page.off('framenavigated', follow);
  return { path: new URL(page.url()).pathname, redirects: seen.length - 1 };
}

for (const role of ROLES) {
  test(`role ${role} lands at home, and on every address on a page within two redirects`, async () => {
    const me = people[role].user;
    // Of another company: the workshop's operator belongs to the workshop.
    const other = people[role === 6 || role === 7 ? 4 : 6].user;
    const page = await openPage(browser, `role ${role}`, errors);
    await logIn(page, server.url, account(role));
    const home = homeOf(role, me);
    assert.equal(new URL(page.url()).pathname, home);
    await page.locator('h1').first().waitFor();
    await page.screenshot({ path: `${SHOTS}shell-role-${role}.png` });
    await checkAccessibility(page, `the home of role ${role}`);

    const fill = (pattern, who) => pattern.replace('{parent}', who.parent).replace('{id}', who._id);
    const expected = UNKNOWN.map((address) => [address, home]);
    for (const [pattern, own, foreign] of PAGES) {
      const mine = fill(pattern, me);
      expected.push([mine, own.includes(role) ? mine : home]);
      if (!foreign) continue;
      const theirs = fill(pattern, other);
      expected.push([theirs, foreign.includes(role) ? theirs : home]);
    }
    for (const [address, end] of expected) {
      const { path, redirects } = await land(page, address);
      assert.equal(path, end, `${address} for role ${role}`);
      assert.ok(redirects <= 2, `${address} took ${redirects} redirects`);
    }
    await page.context().close();
  });
}

test('without a session every page but the public ones redirects to the log-in', async () => {
  const page = await openPage(browser, 'nobody', errors);
  for (const address of ['/customers', '/vp-form', `/users/${people[2].user.parent}`, '/nowhere', '/']) {
    const { path, redirects } = await land(page, address);
    assert.ok(['/', '/login'].includes(path), `${address} ends on ${path}`);
    assert.ok(redirects <= 2);
    await page.getByLabel('Correo electrónico o teléfono').waitFor();
  }
  const { path } = await land(page, PUBLIC[0]);
  assert.equal(path, PUBLIC[0]);
  // For health checks: an empty page without a log-in.
  for (const address of ['/alive', '/ext-api/']) {
    await page.goto(server.url + address, { waitUntil: 'networkidle' });
    const empty = page.locator('#root');
    assert.equal((await empty.innerText()).trim(), '', address);
    assert.equal(await empty.locator('input, h1').count(), 0, address);
    assert.equal(new URL(page.url()).pathname.replace(/\/$/, ''), address.replace(/\/$/, ''));
  }
  await page.context().close();
});

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
  assert.equal((await put(admin, 'customer', { customer: { _id: company, status: UNPAID } })).status, 200);
  for (const page of [principal, worker]) await page.getByRole('alert').getByText('La empresa no está activa').waitFor();
  await worker.getByRole('alert').getByText('Pídaselo al responsable de su empresa.').waitFor();
  await principal.getByRole('complementary', { name: 'Solicitudes de videollamada bloqueadas' }).waitFor();
  assert.match(await principal.getByRole('complementary').textContent(), /La empresa no está activa/);
  await principal.screenshot({ path: `${SHOTS}blocked-desktop.png` });

  // The guard's texts, with a link for those who can complete the data.
  assert.equal((await put(admin, 'customer', { customer: { _id: company, status: 2, bankAccount: '' } })).status, 200);
  await worker.getByText('Su administrador debe actualizar el IBAN y aceptar los términos').waitFor();
  const alert = principal.getByRole('alert').filter({ hasText: 'Debe actualizar el IBAN y aceptar los términos para continuar' });
  await alert.getByText('Falta la cuenta bancaria (IBAN)').waitFor();
  const mend = await alert.getByRole('link', { name: 'Actualizar datos' }).getAttribute('href');
  assert.equal(mend, `/customer/${company}/perfil`);
  await principal.getByRole('status').filter({ hasText: 'Su periodo de prueba ha terminado' }).waitFor();
  await principal.screenshot({ path: `${SHOTS}blocked-banner-desktop.png` });
  await checkAccessibility(principal, 'the alert of the guard');
  const bankAccount = 'ES91 2100 0418 4502 0005 1332';
  assert.equal((await put(people[2], 'customer', { customer: { _id: company, bankAccount } })).status, 200);
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
