/**
 * From the invitation to the first screen, for every role that can be invited, in Spanish and English, by e-mail and by
 * phone; the administrator's activation; recovery and reset; links that are used, forged or too old.
 * Needs ATALAYA_BIN. Screenshots go to e2e/artifacts.
 */
import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { checkAccessibility, settled } from '../lib/axe.mjs';
import { openBrowser, openPage } from '../lib/browsers.mjs';
import { freeMediaPort, freePort, newFolder, startServer } from '../lib/server.mjs';
import { cif, newestLink, session, until } from '../lib/steps.mjs';

const SHOTS = new URL('../../artifacts/', import.meta.url).pathname;
const PASSWORD = 'marea-cobre-tejado-41';
const errors = [];
let browser, folder, port, mediaPort, server, admin;

/** What the screens say, in both languages. */
const WORDS = {
  es: {
    name: 'Nombre',
    surname: 'Apellidos',
    phone: 'Teléfono',
    password: 'Contraseña',
    repeat: 'Repita la contraseña',
    read: 'Leer las condiciones',
    accept: 'Acepto las condiciones',
    create: 'Crear',
    confirm: 'Confirmar',
    cancel: 'Cancelar',
    contact: 'Persona de contacto',
    company: /^Razón social/,
    cif: 'NIF/CIF',
    address: 'Dirección',
    postalCode: 'Código postal',
    city: 'Población',
    email: 'Correo electrónico',
    mobile: 'Móvil',
    titles: { 2: 'Alta de cliente', 3: 'Alta de usuario', 4: 'Alta de reparador', 6: 'Alta de taller' },
  },
  en: {
    name: 'First name',
    surname: 'Surname',
    phone: 'Phone',
    password: 'Password',
    repeat: 'Repeat password',
    read: 'Read the terms',
    accept: 'I accept the terms',
    create: 'Create',
    confirm: 'Confirm',
    cancel: 'Cancel',
    contact: 'Contact person',
    company: /^Company name/,
    cif: 'Tax ID',
    address: 'Address',
    postalCode: 'Postal code',
    city: 'City',
    email: 'E-mail',
    mobile: 'Mobile',
    titles: { 2: 'New customer', 3: 'New user', 4: 'New repairer', 6: 'New workshop' },
  },
};

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  folder = await newFolder();
  port = await freePort();
  mediaPort = await freeMediaPort();
  browser = await openBrowser();
  await start();
});

after(async () => {
  await browser?.close();
  await server?.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
  assert.deepEqual(errors, [], 'no page threw an error');
});

let accounts;
async function start(env = {}) {
  server = await startServer({ binary: process.env.ATALAYA_BIN, dataDir: folder, port, mediaPort, env });
  accounts ??= server.accounts;
  admin = await session(server.url, account('administrator'));
}
const account = (what) => accounts.find((a) => a.what === what);
const shot = (page, name) => page.screenshot({ path: `${SHOTS}accounts-${name}.png`, fullPage: true });

/** A page in one of the languages, as a returning visitor has it. */
async function pageIn(language, options = {}) {
  const page = await openPage(browser, `${language} visitor`, errors, { locale: language === 'es' ? 'es-ES' : 'en-GB', ...options });
  await page.context().addCookies([{ name: 'lang', value: language, url: server.url }]);
  return page;
}

const linkTo = (to) => newestLink(admin, to);

/** The link in the administrator's mailbox for a company that registered itself. */
async function enableLink(companyId) {
  const { outbox } = await (await admin.get('outbox?channel=email&limit=50')).json();
  const found = outbox.find(({ link }) => link?.includes(`/admin-enable/2/${companyId}/`));
  assert.ok(found, 'the administrator is told');
  return found.link;
}

/** Invites with an account that may: administrators invite companies, a company's principal invites its members. */
async function invite(role, to) {
  const inviter = { 3: 'customer', 5: 'repairer', 7: 'workshop' }[role];
  const who = inviter ? await session(server.url, account(inviter)) : admin;
  const answer = await who.post('activation', { emailOPhone: to, type: role });
  assert.equal(answer.status, 200, `invitation of role ${role}: ${await answer.clone().text()}`);
  return { id: (await answer.json()).invitation._id, who, link: await linkTo(to) };
}

/** The account of an invitation, without a browser. */
async function register(role, to) {
  const { link } = await invite(role, to);
  const at = new URL(link).pathname.startsWith('/a/') ? (await fetch(link, { redirect: 'manual' })).headers.get('location') : link;
  const [customerId, token] = new URL(at, server.url).pathname.split('/').slice(-2);
  const answer = await fetch(`${server.url}/api/v1/user`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ customerId, token, user: { name: 'Lucía', surname: 'Peña', phone: '600555444', password: PASSWORD, legal: true } }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

async function acceptTerms(page, w) {
  await page.getByRole('button', { name: w.read }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('article').waitFor();
  await dialog.getByRole('button', { name: w.accept }).click();
  await dialog.waitFor({ state: 'hidden' });
}

async function typePasswords(page, w) {
  await page.getByLabel(w.password, { exact: true }).fill(PASSWORD);
  await page.getByLabel(w.repeat).fill(PASSWORD);
}

async function confirmCreation(page, w) {
  await page.getByRole('button', { name: w.create, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: w.confirm }).click();
}

async function fillUser(page, w, role, to) {
  const shown = page.getByLabel(to.includes('@') ? w.email : w.phone, { exact: true }).first();
  assert.equal((await shown.inputValue()).replace(/\s/g, ''), to.replace('+34', ''), 'the address of the invitation');
  assert.equal(await shown.isEditable(), false, 'it is read-only');
  await page.getByLabel(w.name, { exact: true }).fill('Lucía');
  await page.getByLabel(w.surname).fill('Ñíguez Peña');
  if (role !== 3 && to.includes('@')) await page.getByLabel(w.phone, { exact: true }).fill('600 555 444');
  await typePasswords(page, w);
  await acceptTerms(page, w);
}

async function fillCompany(page, w, cif, to) {
  await page.getByLabel(w.contact).fill('Lucía Ñíguez Peña');
  await page.getByLabel(w.company).fill(`Peritaciones ${cif}, S.L.`);
  await page.getByLabel(w.cif).fill(cif);
  await page.getByLabel(w.address).fill('Calle de Colón, 12');
  await page.getByLabel(w.postalCode).fill('46004');
  await page.getByLabel(w.city).fill('València');
  if (to.includes('@')) {
    assert.equal(await page.getByLabel(w.email, { exact: true }).inputValue(), to);
    await page.getByLabel(w.mobile, { exact: true }).fill('600 555 444');
  } else {
    await page.getByLabel(w.email, { exact: true }).fill(`${cif.toLowerCase()}@example.es`);
  }
  await typePasswords(page, w);
}

/** One company id for each registration. */
let ids = 7_100_000;
const freshCif = () => cif(String(ids++));

/** The first screen of each role. */
const FIRST_SCREEN = { 2: /^\/users\//, 3: /^\/vp-form$/, 4: /^\/users\//, 5: /^\/videocall-request$/, 6: /^\/users\//, 7: /^\/videocall-request$/ };

async function arrives(page, role) {
  await page.waitForURL((url) => FIRST_SCREEN[role].test(url.pathname));
  const asks = /^(Pedir una videollamada|Ask for a video call)/;
  const heading = { 3: /^(Nueva videollamada|New video call)/, 5: asks, 7: asks }[role] ?? /^(Usuarios|Users)/;
  await page.getByRole('main').getByRole('heading', { name: heading }).first().waitFor();
}

/** A stranger's browser can log in with what was just created. */
async function canLogIn(userName, role) {
  const { user } = await session(server.url, { email: userName, password: PASSWORD });
  assert.equal(user.role, role);
  assert.equal(user.userName, userName);
  return user;
}

const CASES = [
  [2, 'es', 'alta2@example.es'],
  [2, 'en', '+34600111002'],
  [3, 'es', '+34600111003'],
  [3, 'en', 'new3@example.com'],
  [4, 'es', '+34600111004'],
  [4, 'en', 'new4@example.com'],
  [5, 'es', 'alta5@example.es'],
  [5, 'en', '+34600111005'],
  [6, 'es', 'alta6@example.es'],
  [6, 'en', '+34600111006'],
  [7, 'es', '+34600111007'],
  [7, 'en', 'new7@example.com'],
];

for (const [role, language, to] of CASES) {
  test(`role ${role} in ${language}, invited at ${to}`, async () => {
    const w = WORDS[language];
    const { id, who, link } = await invite(role, to);
    const page = await pageIn(language, { size: role % 2 ? 'phone' : 'desktop', scheme: language === 'en' ? 'light' : 'dark' });
    await page.goto(link);
    await page.getByRole('heading', { name: w.titles[role] ?? w.titles[3] }).waitFor();
    if (role % 2) await fillUser(page, w, role, to);
    else {
      await fillCompany(page, w, freshCif(), to);
      assert.equal(await page.getByRole('button', { name: w.create, exact: true }).count(), 0, 'no Create before the terms');
      await acceptTerms(page, w);
    }
    await checkAccessibility(page, `activation of role ${role}`);
    await shot(page, `activation-${role}-${language}`);
    await confirmCreation(page, w);
    await arrives(page, role);
    await settled(page);
    await shot(page, `first-screen-${role}-${language}`);
    assert.deepEqual([...page.seen], [server.url], 'no request leaves our own origin');
    await page.context().close();

    const user = await canLogIn(to, role);
    assert.equal(user.status, role % 2 ? 2 : 0, 'a new company waits for the administrator');
    const { invitations } = await (await who.get(`invitations?search=${encodeURIComponent(to)}`)).json();
    assert.equal(invitations.find((one) => one._id === id)?.state, 'activated', 'the inviter sees it');
  });
}

test('the administrator activates a company from the mailed link', async () => {
  const to = 'para.activar@example.es';
  const cif = freshCif();
  const { link } = await invite(2, to);
  const page = await pageIn('es');
  await page.goto(link);
  await fillCompany(page, WORDS.es, cif, to);
  await acceptTerms(page, WORDS.es);
  await confirmCreation(page, WORDS.es);
  await arrives(page, 2);
  await page.context().close();

  const user = await canLogIn(to, 2);
  const enable = await enableLink(user.parent);
  const nobody = await pageIn('es');
  await nobody.goto(enable);
  await nobody.getByText(cif, { exact: true }).waitFor();
  await checkAccessibility(nobody, 'admin activation');
  await shot(nobody, 'admin-enable');
  await nobody.getByRole('button', { name: 'Activar cliente' }).click();
  await nobody.waitForURL(/\/login$/);
  assert.equal((await canLogIn(to, 2)).status, 2);
  const { customer } = await (await admin.get(`customer/${user.parent}`)).json();
  assert.equal(customer.status, 2);
  assert.ok(customer.pay_startAt, 'the trial has an end');

  // The link works only once; the second time the administrator reads why.
  await nobody.goto(enable);
  await nobody.getByText('Error al activar el cliente').waitFor();
  await nobody.getByRole('button', { name: 'Aceptar' }).click();
  await nobody.waitForURL((url) => ['/', '/login'].includes(url.pathname));
  await nobody.context().close();
});

test('declined terms leave a company uncreated, Enter submits nothing, nothing typed is lost', async () => {
  const to = 'rechaza@example.es';
  const { link } = await invite(4, to);
  const page = await pageIn('es');
  await page.goto(link);
  await fillCompany(page, WORDS.es, freshCif(), to);
  await page.getByLabel('NIF/CIF').press('Enter');
  await page.getByRole('button', { name: 'Leer las condiciones' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'No acepto' }).click();
  await page.getByText('El reparador no se ha creado').waitFor();
  await page.getByText('Para continuar hay que aceptar los términos de la licencia').first().waitFor();
  await page.getByRole('button', { name: 'Cancelar' }).click();
  assert.equal(await page.getByLabel('Dirección').inputValue(), 'Calle de Colón, 12');
  await shot(page, 'terms-declined');
  const refused = await fetch(`${server.url}/api/v1/prelogin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName: to }),
  });
  assert.equal(refused.status, 422, 'there is no such account');
  await page.context().close();
});

test('with every field wrong, each has its message, and the server refuses the same fields', async () => {
  const { link } = await invite(2, 'todo.mal@example.es');
  const page = await pageIn('es');
  await page.goto(link);
  const w = WORDS.es;
  await page.getByLabel(w.cif).fill('B12345678');
  await page.getByLabel(w.postalCode).fill('99');
  await page.getByLabel(w.phone, { exact: false }).first().fill('12345');
  await page.getByLabel(w.password, { exact: true }).fill('Valencia2024');
  await page.getByLabel(w.repeat).fill('otra');
  await acceptTerms(page, w);
  await page.getByRole('button', { name: w.create, exact: true }).click();
  for (const text of [
    'El NIF/CIF no es correcto',
    'El código postal no es válido',
    'El teléfono móvil es obligatorio',
    'El teléfono no es correcto',
    'Utilice una contraseña segura',
    'Las contraseñas no coinciden',
  ])
    await page.getByText(text).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0, 'no confirmation is asked for');
  assert.equal(await page.getByLabel(w.cif).inputValue(), 'B12345678');
  await checkAccessibility(page, 'wrong fields');
  await shot(page, 'all-wrong');
  await page.context().close();

  const token = link.split('/').at(-1);
  const answer = await fetch(`${server.url}/api/v1/customer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'es' },
    body: JSON.stringify({ customer: { cif: 'B12345678', postalCode: '99', phone: '12345', password: 'x' }, token }),
  });
  assert.equal(answer.status, 422);
  const { code, errors: fields } = await answer.json();
  assert.equal(code, 'INVALID_FIELDS');
  const codes = Object.fromEntries(fields.map(({ field, code: one }) => [field, one]));
  for (const [field, one] of Object.entries({
    name: 'REQUIRED',
    cif: 'FISCAL_INCORRECT',
    address: 'REQUIRED',
    city: 'REQUIRED',
    region: 'REQUIRED',
    postalCode: 'POSTAL_CODE_INVALID',
    phone: 'PHONE_INCORRECT',
    mobile: 'PHONE_REQUIRED',
    password: 'PASSWORD_WEAK',
    legal: 'LEGAL_REQUIRED',
  }))
    assert.equal(codes[field], one, `${field}: ${JSON.stringify(codes)}`);
});

test('a used link, a forged one and one at another address are redirected', async () => {
  const { link } = await invite(3, 'dos.veces@example.es');
  const page = await pageIn('es');
  const w = WORDS.es;
  await page.goto(link);
  await fillUser(page, w, 3, 'dos.veces@example.es');
  await confirmCreation(page, w);
  await arrives(page, 3);
  await page.context().close();

  const again = await pageIn('es');
  await again.goto(link);
  await again.getByRole('dialog').getByText('El enlace ya se ha utilizado').waitFor();
  await again.getByRole('button', { name: 'Aceptar' }).click();
  await again.waitForURL((url) => ['/', '/login'].includes(url.pathname));

  const { link: other } = await invite(3, 'otro.sitio@example.es');
  for (const wrong of [other.replace('/user-activation/3/', '/user-activation/5/'), `${other}x`]) {
    await again.goto(wrong);
    await again.getByRole('dialog').getByText('El enlace no es válido').waitFor();
  }
  await shot(again, 'link-invalid');
  await again.context().close();
});

test('recovery by e-mail and by phone, and the reset', async () => {
  for (const [to, typed] of [
    ['olvida@example.es', 'olvida@example.es'],
    ['+34600111099', '600 111 099'],
  ]) {
    await register(3, to);
    const page = await pageIn('es');
    await page.goto(`${server.url}/login`);
    await page.getByRole('link', { name: '¿Ha olvidado su contraseña?' }).click();
    // The log-in has a field of the same name.
    await page.getByRole('heading', { name: 'Recuperar contraseña' }).waitFor();
    await page.getByLabel('Correo electrónico o teléfono').fill(typed);
    await page.getByRole('button', { name: 'Enviar enlace' }).click();
    await page.getByRole('dialog').getByText(/Le hemos enviado un (correo|SMS)/).waitFor();
    await page.getByRole('button', { name: 'Aceptar' }).click();
    await page.waitForURL(/\/login$/);

    const open = await session(server.url, { email: to, password: PASSWORD });
    await page.goto(await linkTo(to));
    await page.waitForURL(/\/remember-form\//);
    const fresh = 'tejado-viejo-lince-77';
    await page.getByLabel('Nueva contraseña').fill(fresh);
    await page.getByLabel('Repita la contraseña').fill(fresh);
    await checkAccessibility(page, 'reset');
    await shot(page, `reset-${to.includes('@') ? 'email' : 'phone'}`);
    const address = page.url();
    await page.getByRole('button', { name: 'Actualizar contraseña' }).click();
    await page.getByText('Contraseña actualizada').waitFor();
    await page.getByRole('button', { name: 'Aceptar' }).click();
    await page.waitForURL(/\/login$/);

    await session(server.url, { email: to, password: fresh });
    assert.equal((await open.get(`user/${open.user._id}`)).status, 401, 'the sessions from before are over');
    await assert.rejects(session(server.url, { email: to, password: PASSWORD }), 'the old password is gone');

    // Once only.
    await page.goto(address);
    await page.getByRole('button', { name: 'Pedir un enlace nuevo' }).click();
    await page.waitForURL(/\/remember$/);
    await page.context().close();
  }
});

test('an unknown address gets the same answer, and no message', async () => {
  const page = await pageIn('es');
  await page.goto(`${server.url}/remember`);
  await page.getByLabel('Correo electrónico o teléfono').fill('nadie@example.es');
  await page.getByRole('button', { name: 'Enviar enlace' }).click();
  await page.getByText('Le hemos enviado un correo con las instrucciones').waitFor();
  const { outbox } = await (await admin.get('outbox?channel=email&to=nadie%40example.es&limit=1')).json();
  assert.deepEqual(outbox, []);
  await page.context().close();
});

/** libfaketime moves the clock of the server's process. */
const IN_EIGHT_DAYS = { LD_PRELOAD: '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1', FAKETIME: '+8d' };

test('an expired invitation offers a new one to the same address', async () => {
  const to = 'tarde@example.es';
  const { link } = await invite(3, to);
  await server.end('SIGTERM');
  await start(IN_EIGHT_DAYS);
  const page = await pageIn('es');
  await page.goto(link);
  await page.getByRole('heading', { name: 'El enlace ha caducado' }).waitFor();
  await shot(page, 'link-expired');
  await page.getByRole('button', { name: 'Enviarme un enlace nuevo' }).click();
  await page.getByRole('heading', { name: 'Enlace enviado' }).waitFor();
  const renewed = await until(() => linkTo(to), (found) => found !== link);
  await page.goto(renewed);
  await fillUser(page, WORDS.es, 3, to);
  await confirmCreation(page, WORDS.es);
  await arrives(page, 3);
  await page.context().close();
  await canLogIn(to, 3);
});
