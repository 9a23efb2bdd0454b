/**
 * The error catalogue: what people read when something goes wrong, row by row, in a real browser against the real server.
 * Refusals of the server are provoked as a person would; failures of network or server are provoked by blocking one
 * call.
 * Needs ATALAYA_BIN. Rows that another journey provokes and reads:
 *
 * | row | where |
 * |---|---|
 * | Wrong multifactor code | accounts/security: the second step: wrong code back to the first step |
 * | Token verification failure | accounts/shell: a session that was ended on the server is ended in the browser |
 * | Stored-data decryption failure | accounts/security: a tampered entry logs out |
 * | Incidence: missing fields, send error, success; fetch errors | service/incidences |
 * | Client-file request: error with and without a code, success; inline form messages | reviewed/media: a request by SMS |
 * | Video-call guard | accounts/shell: blocking and unblocking reach an open page without a reload |
 * | Legal not accepted, terms declined | accounts/activation: declined terms leave a company uncreated |
 * | User activation token invalid | accounts/activation: a used link, a forged one and one at another address |
 * | Admin activation: token error | accounts/activation: the administrator activates a company from the mailed link |
 * | Recovery: success | accounts/activation: recovery by e-mail and by phone |
 * | Notification list failure | live/notifications: a list that cannot be loaded says so and offers a retry |
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from '../lib/browsers.mjs';
import { cif, logIn, madridDay, newestLink, session } from '../lib/steps.mjs';
import { SHOTS, world } from '../lib/world.mjs';

const PASSWORD = 'marea-cobre-tejado-41';
let server, browser, admin;

const { account, errors } = world('catalogue', async (made) => {
  ({ server, browser } = made);
  admin = await session(server.url, account('administrator'));
});

const url = (path) => `${server.url}${path}`;
const cut = (page, pattern) => page.route(pattern, (route) => route.abort());
const atLogin = (page) => page.getByLabel('Correo electrónico o teléfono').waitFor();
const dialog = (page, title) => page.getByRole('dialog').filter({ hasText: title });

/** A page of a visitor, closed after the test. */
async function visitor(t, options = {}) {
  const page = await openPage(browser, t.name, errors, options);
  t.after(() => page.context().close());
  return page;
}

/** A page of somebody who has logged in. */
async function as(t, what) {
  const page = await visitor(t);
  await logIn(page, server.url, account(what));
  return page;
}

async function typeLogin(page, { email, password }) {
  await page.goto(url('/login'));
  await page.getByLabel('Correo electrónico o teléfono').fill(email);
  await page.getByRole('textbox', { name: 'Contraseña' }).fill(password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}

const put = (path, body) =>
  fetch(url(`/api/v1/${path}`), {
    method: 'PUT',
    headers: { ...admin.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function invite(role, to) {
  const who = role === 3 ? await session(server.url, account('customer')) : admin;
  const answer = await who.post('activation', { emailOPhone: to, type: role });
  assert.equal(answer.status, 200, await answer.clone().text());
  return newestLink(admin, to);
}

async function acceptTerms(page) {
  await page.getByRole('button', { name: 'Leer las condiciones' }).click();
  const terms = page.getByRole('dialog');
  await terms.getByRole('article').waitFor();
  await terms.getByRole('button', { name: 'Acepto las condiciones' }).click();
  await terms.waitFor({ state: 'hidden' });
}

async function typePasswords(page) {
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repita la contraseña').fill(PASSWORD);
}

async function fillCompany(page, id) {
  await page.getByLabel('Persona de contacto').fill('Lucía Ñíguez Peña');
  await page.getByLabel(/^Razón social/).fill(`Peritaciones ${id}, S.L.`);
  await page.getByLabel('NIF/CIF').fill(id);
  await page.getByLabel('Dirección').fill('Calle de Colón, 12');
  await page.getByLabel('Código postal').fill('46004');
  await page.getByLabel('Población').fill('València');
  await page.getByLabel('Móvil', { exact: true }).fill('600 555 444');
  await typePasswords(page);
  await acceptTerms(page);
}

const create = (page) => page.getByRole('button', { name: 'Crear', exact: true }).click();
const confirm = (page) => page.getByRole('dialog').getByRole('button', { name: 'Confirmar' }).click();

test('log-in: unknown user, wrong password, empty form', async (t) => {
  const page = await visitor(t);
  await typeLogin(page, { email: 'nadie@example.es', password: 'cualquiera-1234' });
  await page.getByRole('alert').filter({ hasText: 'Usuario o contraseña incorrectos' }).waitFor();
  await typeLogin(page, { email: account('worker').email, password: 'no-es-esta-1234' });
  await page.getByRole('alert').filter({ hasText: 'Usuario o contraseña incorrectos' }).waitFor();
  await typeLogin(page, { email: '', password: '' });
  await page.getByText('Escriba su correo electrónico o su teléfono').waitFor();
  await typeLogin(page, { email: account('worker').email, password: '' });
  await page.getByText('Escriba su contraseña').waitFor();
});

test('log-in of an account that is not active', async (t) => {
  const worker = (await session(server.url, account('worker'))).user;
  const answer = await put('user', { user: { _id: worker._id, status: 1 } });
  assert.equal(answer.status, 200, await answer.clone().text());
  const page = await visitor(t);
  await typeLogin(page, account('worker'));
  await page.getByRole('alert').filter({ hasText: 'Su cuenta no está activa. Contacte con su administrador.' }).waitFor();
  const again = await put('user', { user: { _id: worker._id, status: 2 } });
  assert.equal(again.status, 200, await again.clone().text());
});

test('an absent, malformed or expired token logs out', async (t) => {
  const page = await as(t, 'customer');
  const expired = `${btoa('{"alg":"HS256"}')}.${btoa('{"sub":"x","role":2,"exp":1}')}.x`;
  for (const token of ['', 'nonsense', 'a.b.c', expired]) {
    await page.evaluate((value) => localStorage.setItem('token', value), token);
    await page.goto(url('/api'));
    await atLogin(page);
    assert.equal(await page.evaluate(() => localStorage.getItem('token')), null, `“${token}” is gone`);
    await typeLogin(page, account('customer'));
    await page.waitForURL(/\/users\//);
  }
});

for (const status of [401, 402])
  test(`a ${status} in the middle of work is a logout`, async (t) => {
    const page = await as(t, 'customer');
    const body = JSON.stringify({ status, code: 'SESSION_ENDED' });
    await page.route('**/api/v1/get-apiKey*', (route) =>
      route.fulfill({ status, contentType: 'application/problem+json', body }),
    );
    await page.goto(url('/api'));
    await atLogin(page);
    assert.equal(await page.evaluate(() => localStorage.getItem('token')), null);
  });

test('a refused renewal logs out', async (t) => {
  const page = await as(t, 'customer');
  await page.route('**/api/v1/renewToken', (route) => route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"code":"SESSION_ENDED"}' }));
  // The clock of the page moves to where the token is about to expire.
  const left = await page.evaluate(() => {
    const { exp } = JSON.parse(atob(localStorage.getItem('token').split('.')[1].replace(/-/g, '+').replace(/_/g, '/')));
    return exp * 1000 - Date.now();
  });
  await page.addInitScript((ahead) => {
    const now = Date.now;
    Date.now = () => now() + ahead;
  }, left - 60_000);
  await page.goto(url('/api'));
  await atLogin(page);
});

test('a language that cannot be loaded, at the start and when changed', async (t) => {
  const page = await visitor(t);
  await cut(page, '**/platform-language');
  await page.goto(url('/login'));
  const boot = page.getByRole('alert');
  await boot.getByText('Error', { exact: true }).waitFor();
  await boot.getByText('Error al cargar el idioma').waitFor();
  await page.unroute('**/platform-language');
  await page.route('**/platform-language', (route) => route.fulfill({ json: { LANGUAGE_CODE: 'es' } }));
  await page.reload();
  await boot.getByText('Error: No se ha podido cargar el idioma').waitFor();
  await page.unroute('**/platform-language');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await atLogin(page);

  const change = async () => {
    await page.getByRole('button', { name: /idioma/i }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
  };
  await cut(page, '**/platform-language');
  await change();
  const toast = page.getByRole('alert').filter({ hasText: 'Error al cambiar el idioma' });
  await toast.getByText('Error', { exact: true }).waitFor();
  await page.unroute('**/platform-language');
  await page.route('**/platform-language', (route) => route.fulfill({ json: { NAMESPACE: {} } }));
  await change();
  await page.getByText('Error: No se ha podido cargar el idioma').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'es', 'the old language stays');
});

test('media that cannot be loaded, downloaded, zipped or opened', async (t) => {
  const customer = await session(server.url, account('customer'));
  const list = await customer.post(`conferences-autos-details/${customer.user.parent}?limit=50`, { begin: '2024-01-01', end: madridDay() });
  const conference = (await list.json()).conferences.find((one) => one.files > 1 && !one.mediaExpired && !one.erased);
  assert.ok(conference, 'the demo has a conference with files');
  const page = await as(t, 'customer');
  const address = url(`/conference-media/${conference._id}`);
  await cut(page, '**/api/v1/conference-media/**');
  await page.goto(address);
  await page.getByText('Error al cargar los archivos').first().waitFor();
  await page.screenshot({ path: `${SHOTS}catalogue-media.png` });
  await page.unroute('**/api/v1/conference-media/**');
  await page.goto(address);
  await page.getByRole('region', { name: 'Multimedia' }).locator('button[aria-label]').first().waitFor();
  // A file that is shown small and cannot be opened: the originals are cut, the thumbnails are not.
  await page.route('**/uploads*/**', (route) =>
    /thumb/.test(route.request().url()) ? route.continue() : route.abort(),
  );
  // The first file is opened with the page, which has read it before: only a new page asks for it again.
  await page.goto(address);
  await dialog(page, 'Error al abrir el archivo').waitFor();
  await dialog(page, 'Error al abrir el archivo').getByRole('button', { name: 'Cerrar' }).last().click();
  await page.unroute('**/uploads*/**');
  await page.goto(address);
  await page.getByRole('region', { name: 'Multimedia' }).locator('button[aria-label]').first().waitFor();
  await cut(page, '**/api/v1/zip/**');
  await page.getByRole('button', { name: /ZIP/ }).first().click();
  await dialog(page, 'Error al descargar el ZIP').waitFor();
  await dialog(page, 'Error al descargar el ZIP').getByRole('button', { name: 'Cerrar' }).last().click();
  await cut(page, '**/uploads*/**');
  await page.getByRole('button', { name: 'Descargar', exact: true }).first().click();
  await dialog(page, 'Error al descargar el archivo').waitFor();
});

test('a list of conferences that cannot be loaded', async (t) => {
  const page = await as(t, 'customer');
  const { parent } = (await session(server.url, account('customer'))).user;
  await cut(page, '**/api/v1/conferences-autos-details/**');
  await page.goto(url(`/conferences-autos/${parent}`));
  await page.getByText('Error al buscar las conferencias').waitFor();
  await page.unroute('**/api/v1/conferences-autos-details/**');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await page.getByText('Error al buscar las conferencias').waitFor({ state: 'detached' });
});

test('legal texts that cannot be loaded', async (t) => {
  const page = await visitor(t);
  await page.goto(await invite(2, 'sin.textos@example.es'));
  await page.getByRole('button', { name: 'Leer las condiciones' }).waitFor();
  await cut(page, '**/api/v1/*legal*/**');
  await cut(page, '**/api/v1/*legal*');
  await page.reload();
  await page.getByRole('button', { name: 'Leer las condiciones' }).click();
  await page.getByRole('alert').filter({ hasText: /condiciones|textos|términos/i }).first().waitFor();
});

test('a company that is not created: cancelled, refused by the server', async (t) => {
  const page = await visitor(t);
  await page.goto(await invite(2, 'sin.cliente@example.es'));
  await fillCompany(page, cif('7100000'));
  await create(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click();
  await page.getByText('El cliente no se ha creado').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.route('**/api/v1/customer', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":"ERROR_CREAR_CLIENTE","status":500}' }),
  );
  await create(page);
  await confirm(page);
  await page.getByText('No se ha podido crear el cliente. Inténtelo de nuevo.').waitFor();
  assert.equal(await page.getByLabel('Dirección').inputValue(), 'Calle de Colón, 12', 'nothing typed is lost');
});

test('a user who is not created', async (t) => {
  const page = await visitor(t);
  await page.goto(await invite(3, 'sin.usuario@example.es'));
  await page.getByLabel('Nombre', { exact: true }).fill('Lucía');
  await page.getByLabel('Apellidos').fill('Ñíguez');
  await typePasswords(page);
  await acceptTerms(page);
  await cut(page, '**/api/v1/user');
  await create(page);
  await confirm(page);
  await page.getByText('El usuario no se ha creado').waitFor();
});

test('the administrator’s activation: data that cannot be loaded, and a refusal', async (t) => {
  const page = await as(t, 'administrator');
  const customers = (await (await admin.get('customers?limit=1')).json()).customers;
  const address = url(`/admin-enable/2/${customers[0]._id}/not-a-token`);
  await cut(page, '**/api/v1/customer-no-login/**');
  await page.goto(address);
  await dialog(page, 'Error al activar el cliente').getByRole('button', { name: 'Aceptar' }).click();
  await page.waitForURL(/\/customers$/);
  // The server's own message about a token that is none, then the root.
  const nobody = await visitor(t);
  await nobody.goto(address);
  const refusal = await fetch(url(`/api/v1/customer-no-login/${customers[0]._id}`), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'es' },
    body: JSON.stringify({ token: 'not-a-token' }),
  });
  const { detail } = await refusal.json();
  assert.ok(detail, 'the server says why');
  await dialog(nobody, 'Error al activar el cliente').getByText(detail).waitFor();
  await dialog(nobody, 'Error al activar el cliente').getByRole('button', { name: 'Aceptar' }).click();
  await nobody.waitForURL(({ pathname }) => ['/', '/login'].includes(pathname));
});

test('recovery and reset that fail', async (t) => {
  const page = await visitor(t);
  await page.goto(url('/remember'));
  await page.getByLabel('Correo electrónico o teléfono').fill('alguien@example.es');
  await cut(page, '**/api/v1/remember-email');
  await page.getByRole('button', { name: 'Enviar enlace' }).click();
  await page.getByRole('alert').filter({ hasText: 'No se ha podido enviar el correo de recuperación' }).waitFor();
  await page.goto(url('/remember-form/esto-no-es-un-enlace'));
  await dialog(page, 'El enlace no es válido o ha caducado').getByRole('button', { name: 'Volver a iniciar sesión' }).click();
  await page.waitForURL(/\/login$/);
});

test('notifications: marking all that fails', async (t) => {
  const sent = await admin.post('notifications/new-general-from-admin', {
    text: 'Aviso del catálogo',
    url: null,
    startAt: null,
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    roleGroup: 0,
    body: null,
  });
  assert.equal(sent.status, 201, await sent.clone().text());
  const page = await as(t, 'customer');
  await cut(page, /mark-as-seen-all/);
  await page.getByRole('button', { name: /^Notificaciones/ }).click();
  const panel = page.getByRole('dialog', { name: 'Notificaciones' });
  await panel.getByText('Aviso del catálogo').waitFor();
  await panel.getByRole('button', { name: /todas/i }).click();
  await dialog(page, 'Las notificaciones no se han podido marcar como leídas').waitFor();
});

test('a menu that is missing from the storage ends the session', async (t) => {
  const page = await as(t, 'customer');
  for (const piece of ['user', 'menu']) {
    await page.goto(url('/theme.js'));
    const had = await page.evaluate((name) => {
      const found = localStorage.getItem(name) !== null;
      localStorage.removeItem(name);
      return found;
    }, piece);
    assert.ok(had, `${piece} is kept`);
    await page.goto(url('/'));
    await atLogin(page);
    const lost = page.getByRole('alert').filter({ hasText: 'No se ha podido recuperar su sesión' });
    await lost.getByText(piece === 'user' ? /los datos de su usuario/ : /el menú/).waitFor();
    await typeLogin(page, account('customer'));
    await page.waitForURL(/\/users\//);
  }
});

test('a sidebar and a header without data say so, and retry', async (t) => {
  const page = await as(t, 'customer');
  await cut(page, '**/api/v1/me');
  await page.reload();
  const sidebar = page.getByRole('alert').filter({ hasText: 'No se ha podido recuperar el menú' });
  const header = page.getByRole('banner').getByRole('alert').filter({ hasText: 'No se han podido recuperar los datos de su cuenta' });
  await sidebar.waitFor();
  await header.waitFor({ state: 'attached' });
  await page.screenshot({ path: `${SHOTS}catalogue-shell.png` });
  await page.unroute('**/api/v1/me');
  await sidebar.getByRole('button', { name: 'Reintentar' }).click();
  await sidebar.waitFor({ state: 'detached' });
  await header.waitFor({ state: 'detached' });
});

test('an unsupported browser gets a warning with advice', async (t) => {
  const old = await visitor(t, { agent: 'Mozilla/5.0 (Windows NT 10.0; Trident/7.0; rv:11.0) like Gecko' });
  await old.goto(url('/login'));
  await old.getByText('Este navegador no es compatible. Utilice Chrome o Firefox.').first().waitFor();
  const lacking = await visitor(t);
  await lacking.addInitScript(() => {
    delete window.RTCPeerConnection;
  });
  await lacking.goto(url('/login'));
  await lacking.getByText('A este navegador le falta: WebRTC (videollamadas). Utilice Chrome o Firefox.').waitFor();
});

test('a failed confirmation e-mail is reported after three seconds', async (t) => {
  const page = await as(t, 'administrator');
  const to = 'sin.aviso@example.es';
  const other = await visitor(t);
  await other.goto(await invite(2, to));
  await fillCompany(other, cif('7100001'));
  await create(other);
  await confirm(other);
  await other.waitForURL(/\/users\//);
  const { outbox } = await (await admin.get('outbox?channel=email&limit=50')).json();
  const enable = outbox.find(({ link }) => link?.includes('/admin-enable/2/'))?.link;
  assert.ok(enable, 'the administrator is told');
  await cut(page, '**/api/v1/*activation*email*');
  await cut(page, '**/api/v1/*email*activation*');
  await page.goto(enable);
  await page.getByRole('button', { name: 'Activar cliente' }).click();
  const pressed = Date.now();
  await page.getByText(`No se ha podido enviar el aviso de activación a ${to}.`).waitFor();
  assert.ok(Date.now() - pressed >= 2_900, 'not before three seconds');
});
