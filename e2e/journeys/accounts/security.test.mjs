/** Getting in and staying in: second factor, passkeys, devices, renewal over tabs, what ends a session. Needs ATALAYA_BIN. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { fileOf, openBrowser, openPage } from '../lib/browsers.mjs';
import { startServer } from '../lib/server.mjs';

const SHOTS = new URL('../../artifacts/', import.meta.url).pathname;
const errors = [];
let browser, server;

/** The server's clock, as libfaketime reads it: an offset that a test may change while the server runs. */
const CLOCK = join(tmpdir(), `atalaya-security-clock-${process.pid}`);
const clockEnvironment = {
  LD_PRELOAD: '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  FAKETIME_TIMESTAMP_FILE: CLOCK,
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
};

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  await writeFile(CLOCK, '+0');
  server = await startServer({ binary: process.env.ATALAYA_BIN, env: clockEnvironment });
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await server?.clean();
  await rm(CLOCK, { force: true });
});

const account = (what) => server.accounts.find((a) => a.what === what);
const url = (path) => `${server.url}${path}`;

/** The codes of an authenticator app (RFC 6238, SHA-1, 30 s), each step once, as the server takes them. */
class App {
  constructor(secret) {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
    const bits = [...secret].map((char) => alphabet.indexOf(char).toString(2).padStart(5, '0')).join('');
    this.key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
    this.last = 0;
  }

  at(step) {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(step));
    const hash = createHmac('sha1', this.key).update(counter).digest();
    const offset = hash[19] & 15;
    return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
  }

  /** A code that was not used before: the server takes the step before and after its own as well. */
  async next() {
    const now = () => Math.floor(Date.now() / 30_000);
    this.last = Math.max(this.last + 1, now() - 1);
    while (this.last > now() + 1) await new Promise((done) => setTimeout(done, 1000));
    return this.at(this.last);
  }

  /** Six digits that are no code now. */
  wrong() {
    const step = Math.floor(Date.now() / 30_000);
    const right = [-2, -1, 0, 1, 2].map((off) => this.at(step + off));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code));
  }
}

const userField = (page) => page.getByLabel('Correo electrónico o teléfono');

async function typeNameAndPassword(page, { email, password }) {
  await userField(page).fill(email);
  await page.getByRole('textbox', { name: 'Contraseña' }).fill(password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}

async function logIn(page, who) {
  await page.goto(url('/login'));
  await typeNameAndPassword(page, who);
  await entered(page);
}

const entered = (page) => page.waitForURL((at) => !['/', '/login'].includes(at.pathname));
const stored = (page) => page.evaluate(() => Object.keys(localStorage).sort());
const tokenOf = (page) => page.evaluate(() => localStorage.getItem('token'));

async function openSecurity(page) {
  const id = await page.evaluate(() => {
    const body = localStorage.getItem('token').split('.')[1].replace(/-/g, '+').replace(/_/g, '/');
    return JSON.parse(atob(body)).sub;
  });
  await page.goto(url(`/password/${id}`));
  await page.getByRole('heading', { name: 'Mis dispositivos' }).waitFor();
}

async function logOut(page) {
  await page.getByRole('button', { name: /Cuenta de/ }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await userField(page).waitFor();
}

const typeCode = async (page, code) => {
  await page.getByLabel('Dígito 1 de 6').click();
  await page.keyboard.type(code);
};

let app;
let codes;

test('a second factor is turned on with QR, secret and ten codes', async () => {
  const page = await openPage(browser, 'worker', errors, { permissions: ['clipboard-read', 'clipboard-write'] });
  await logIn(page, account('worker'));
  await openSecurity(page);
  await page.getByText('Este dispositivo', { exact: true }).waitFor();
  await checkAccessibility(page, 'security page');
  await page.screenshot({ path: `${SHOTS}security-desktop-dark.png` });

  await page.getByRole('button', { name: 'Activar' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: 'Código QR' }).waitFor();
  const secret = (await dialog.locator('code').innerText()).replace(/\s/g, '');
  assert.match(secret, /^[A-Z2-7]{16,}$/);
  app = new App(secret);
  await typeCode(page, app.wrong());
  await dialog.getByText('Código no válido').waitFor();
  await typeCode(page, await app.next());
  const list = dialog.getByRole('list', { name: 'Códigos de recuperación' });
  await list.waitFor();
  codes = await list.getByRole('listitem').allInnerTexts();
  assert.equal(new Set(codes).size, 10);
  await checkAccessibility(page, 'recovery codes');
  await page.screenshot({ path: `${SHOTS}recovery-codes-desktop-dark.png` });
  await dialog.getByRole('button', { name: 'Copiar' }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), codes.join('\n'));
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Descargar' }).click(),
  ]);
  const text = await readFile(await fileOf(file), 'utf8');
  for (const code of codes) assert.ok(text.includes(code));
  await dialog.getByLabel('He guardado los códigos').check();
  await dialog.getByRole('button', { name: 'Terminar' }).click();
  await page.getByText('Activada').waitFor();
  await page.context().close();
});

test('the second step: wrong code back to the first step, right code in, each recovery code once', async () => {
  const page = await openPage(browser, 'worker', errors, { size: 'phone', scheme: 'light' });
  const who = account('worker');
  const reach = async () => {
    await page.goto(url('/login'));
    await typeNameAndPassword(page, who);
    await page.getByRole('heading', { name: 'Verificación en dos pasos' }).waitFor();
  };
  await reach();
  // The news are marked as seen before every journey (lib/browsers.mjs).
  const ours = (await stored(page)).filter((key) => !['theme', 'hasSeenNewFeautures'].includes(key));
  assert.deepEqual(ours, [], 'nothing is stored before the code');
  await checkAccessibility(page, 'second step');
  await page.screenshot({ path: `${SHOTS}login-code-phone.png` });
  await typeCode(page, app.wrong());
  await page.getByText('Código no válido').waitFor();
  await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
  assert.equal(await tokenOf(page), null);

  await page.getByRole('textbox', { name: 'Contraseña' }).fill(who.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByLabel('Dígito 1 de 6').waitFor();
  const code = await app.next();
  await typeCode(page, code);
  await entered(page);
  await logOut(page);

  await reach();
  await typeCode(page, code);
  await page.getByText('Código no válido').waitFor();

  for (const [attempt, works] of [[codes[0], true], [codes[0], false]]) {
    await reach();
    await page.getByText('Usar un código de recuperación').click();
    await page.getByLabel('Código de recuperación').fill(attempt);
    await page.keyboard.press('Enter');
    if (works) {
      await entered(page);
      await logOut(page);
    } else await page.getByText('Código no válido').waitFor();
  }
  await page.context().close();
});

test('a second factor is turned off with a code, and the password alone is enough again', async () => {
  const page = await openPage(browser, 'worker', errors);
  const who = account('worker');
  await page.goto(url('/login'));
  await typeNameAndPassword(page, who);
  await page.getByText('Usar un código de recuperación').click();
  await page.getByLabel('Código de recuperación').fill(codes[1]);
  await page.keyboard.press('Enter');
  await entered(page);
  await openSecurity(page);
  await page.getByRole('button', { name: 'Desactivar' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Dígito 1 de 6').click();
  await page.keyboard.type(await app.next());
  await dialog.getByRole('button', { name: 'Desactivar' }).click();
  await page.getByText('Desactivada', { exact: true }).waitFor();
  await logOut(page);
  await typeNameAndPassword(page, who);
  await entered(page);
  await page.context().close();
});

/** Chromium's virtual authenticator: a device with a fingerprint reader whose owner always agrees. */
async function authenticator(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
  return { cdp, authenticatorId };
}

test('a passkey is added, logs in without password, and no longer after it was removed', async () => {
  const page = await openPage(browser, 'customer', errors);
  await authenticator(page);
  await logIn(page, account('customer'));
  await openSecurity(page);
  await page.getByText('Todavía no tiene llaves de acceso.').waitFor();
  const add = async (name) => {
    await page.getByRole('button', { name: 'Añadir llave' }).click();
    await page.getByLabel('Nombre de la llave').fill(name);
    await page.getByRole('button', { name: 'Crear llave' }).click();
  };
  // PROOF-4: as ten minutes after the log-in. The proof itself is the server's.
  await page.route('**/api/v1/passkey-options', (route) => route.fulfill({ status: 403, json: { code: 'FRESH_PROOF_REQUIRED' } }), {
    times: 1,
  });
  await add('Portátil de la oficina');
  const proof = page.getByRole('dialog', { name: 'Confirme que es usted' });
  const password = proof.getByRole('textbox', { name: 'Contraseña' });
  await password.fill('no es esta');
  await proof.getByRole('button', { name: 'Confirmar' }).click();
  await proof.getByText('La contraseña actual no es correcta').waitFor();
  await page.screenshot({ path: `${SHOTS}security-proof-desktop-dark.png` });
  await password.fill(account('customer').password);
  await proof.getByRole('button', { name: 'Confirmar' }).click();
  await page.getByText('Portátil de la oficina').waitFor();
  await page.getByText('Sin usar').waitFor();
  await add('Otra vez');
  await page.getByText('Este dispositivo ya tiene una llave de su cuenta.').waitFor();
  await page.getByRole('button', { name: 'Cancelar' }).click();

  await logOut(page);
  await page.getByRole('button', { name: 'Entrar con llave de acceso' }).click();
  await entered(page);
  await openSecurity(page);
  await page.getByText(/Último uso/).first().waitFor();
  await page.screenshot({ path: `${SHOTS}security-passkey-desktop-dark.png`, fullPage: true });
  await page.getByRole('button', { name: 'Eliminar la llave Portátil de la oficina' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Eliminar' }).click();
  await page.getByText('Todavía no tiene llaves de acceso.').waitFor();
  await logOut(page);
  await page.getByRole('button', { name: 'Entrar con llave de acceso' }).click();
  await page.getByText('La llave de acceso no sirve para esta cuenta').waitFor();
  assert.equal(await tokenOf(page), null);
  await page.context().close();
});

test('a password is changed, which ends the other devices', async () => {
  const who = account('workshop');
  const here = await openPage(browser, 'workshop', errors);
  const there = await openPage(browser, 'workshop elsewhere', errors, { size: 'phone' });
  await logIn(here, who);
  await logIn(there, who);
  await openSecurity(here);
  const others = here.getByRole('button', { name: /^Cerrar sesión de/ });
  await others.waitFor();
  assert.equal(await others.count(), 1);

  const change = async (old, next) => {
    await here.getByLabel('Contraseña actual').fill(old);
    await here.getByLabel('Contraseña nueva').fill(next);
    await here.getByLabel('Repita la contraseña').fill(next);
    await here.getByRole('button', { name: 'Cambiar contraseña' }).click();
  };
  await change(who.password, '12345678');
  await here.getByText('Utilice una contraseña segura').waitFor();
  await change('no es esta', 'faro-niebla-cormoran-7');
  await here.getByRole('textbox', { name: 'Contraseña actual' }).and(here.locator('[aria-invalid="true"]')).waitFor();
  await change(who.password, 'faro-niebla-cormoran-7');
  await here.getByText('Contraseña cambiada').waitFor();
  await others.waitFor({ state: 'detached' });

  await there.reload();
  await userField(there).waitFor();
  await typeNameAndPassword(there, who);
  await there.getByText('Usuario o contraseña incorrectos').waitFor();
  await typeNameAndPassword(there, { ...who, password: 'faro-niebla-cormoran-7' });
  await entered(there);

  await here.reload();
  await here.getByRole('button', { name: 'Cerrar las demás' }).click();
  await here.getByRole('dialog').getByRole('button', { name: 'Cerrar las demás' }).click();
  await others.waitFor({ state: 'detached' });
  await there.reload();
  await userField(there).waitFor();
  await here.context().close();
  await there.context().close();
});

test('two tabs renew once together by timer, and neither logs the other out', async () => {
  const first = await openPage(browser, 'tab 1', errors);
  const context = first.context();
  await context.clock.install();
  await logIn(first, account('worker'));
  const second = await context.newPage();
  await second.goto(url('/login'));
  await entered(second);
  const before = await tokenOf(first);
  const renewals = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/api/v1/renewToken')) renewals.push(request.headers()['x-renew-token']);
  });
  // Under 900 seconds are left; the timers of both tabs go off. The server's clock goes along.
  await writeFile(CLOCK, '+2705');
  await context.clock.fastForward('45:05');
  await first.waitForFunction((old) => localStorage.getItem('token') !== old, before);
  await Promise.all([first, second].map((tab) => tab.waitForTimeout(500)));
  assert.deepEqual(renewals, ['true'], 'one renewal for both tabs');
  for (const tab of [first, second]) {
    assert.ok(await tokenOf(tab), 'still logged in');
    assert.ok(!tab.url().endsWith('/login'));
  }
  await context.close();
  await writeFile(CLOCK, '+0');
});

test('a token removed in another tab goes to the log-in; a tampered entry logs out; a logout keeps four keys', async () => {
  const first = await openPage(browser, 'tab 1', errors);
  const context = first.context();
  const who = account('customer');
  await logIn(first, who);
  const second = await context.newPage();
  second.setDefaultTimeout(30_000);
  await second.goto(url('/'));
  await second.waitForURL((at) => at.pathname !== '/');
  await second.evaluate(() => localStorage.removeItem('token'));
  await first.waitForURL((at) => at.pathname === '/login');
  await userField(first).waitFor();
  // A log-in in one tab is one in the other.
  await typeNameAndPassword(first, who);
  await entered(first);

  // Changed while none of our pages runs, which could be writing a fresh one.
  for (const tab of [first, second]) await tab.goto(url('/theme.js'));
  await first.evaluate(() => {
    const sealed = localStorage.getItem('user');
    localStorage.setItem('user', sealed.slice(0, 40) + (sealed[40] === 'A' ? 'B' : 'A') + sealed.slice(41));
  });
  await first.goto(url('/'));
  await userField(first).waitFor();
  assert.equal(await tokenOf(first), null);

  await typeNameAndPassword(first, who);
  await entered(first);
  await second.goto(url('/'));
  await entered(second);
  const kept = ['clickedOnNews', 'hasSeenNewFeautures', 'muteNotifications', 'theme'];
  await first.evaluate((keys) => {
    for (const key of [...keys, 'somethingElse']) localStorage.setItem(key, key === 'theme' ? 'dark' : 'true');
  }, kept);
  await logOut(first);
  assert.deepEqual(await stored(first), kept);
  await userField(second).waitFor();
  await context.close();
});

test('five wrong passwords lock the account, and the page counts down', async () => {
  const page = await openPage(browser, 'somebody', errors);
  await page.goto(url('/login'));
  const who = { email: account('repairer').email, password: 'no es esta' };
  for (let n = 0; n < 6; n++) {
    await typeNameAndPassword(page, who);
    await page.getByText(/Usuario o contraseña incorrectos|Demasiados intentos/).waitFor();
    if (await page.getByText('Demasiados intentos').isVisible()) break;
  }
  await page.getByText('Demasiados intentos').waitFor();
  const left = page.getByRole('timer');
  const shown = await left.innerText();
  assert.match(shown, /\d\d:\d\d/);
  await page.waitForFunction((text) => document.querySelector('[role="timer"]')?.textContent !== text, shown);
  assert.equal(await page.getByRole('button', { name: 'Entrar', exact: true }).isDisabled(), true);
  await page.screenshot({ path: `${SHOTS}login-locked-desktop-dark.png` });
  await page.context().close();
});

test('every page ran without an error', () => {
  assert.deepEqual(errors, []);
});
