/** A link in an insurer's system opens the form of a new call, filled in. Needs ATALAYA_BIN. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { logIn } from '../lib/steps.mjs';
import { SHOTS, world } from '../lib/world.mjs';

const DATA = 'expedient=ENLACE-77&phone=%2B34600987654&contact=Carmen%20Ortega';
let browser, server;

const { account, errors } = world('deep-link', async (made) => {
  ({ server, browser } = made);
});

async function open(t, options) {
  const page = await openPage(browser, t.name, errors, options);
  t.after(() => page.context().close());
  page.sent = [];
  page.on('request', (request) => {
    if (/getToken|conferences?$/.test(request.url()) && request.method() === 'POST') page.sent.push(request.url());
  });
  return page;
}

async function typeLogin(page, { email, password }) {
  await page.getByLabel('Correo electrónico o teléfono').fill(email);
  await page.getByRole('textbox', { name: 'Contraseña' }).fill(password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}

/** The values are in the fields, and nowhere that outlives the page. */
async function isFilledIn(page) {
  await page.waitForURL(/\/vp-form$/);
  const value = (label) => page.getByLabel(label).first().inputValue();
  await page.getByText('Datos recibidos de otro sistema').waitFor();
  assert.equal(await value('N.º de expediente'), 'ENLACE-77');
  assert.equal(await value('Persona de contacto'), 'Carmen Ortega');
  assert.equal((await value('Móvil del cliente')).replace(/\s/g, ''), '600987654');
  const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]));
  assert.ok(!kept.includes('ENLACE-77') && !kept.includes('600987654'), 'nothing is left in the browser');
  assert.deepEqual(page.sent, [], 'nothing was sent');
}

for (const mark of ['#', '?'])
  test(`logged out: the log-in comes first, and the values after “${mark}” are kept`, async (t) => {
    const page = await open(t);
    await page.goto(`${server.url}/llamar${mark}${DATA}&type=2`);
    await page.getByLabel('Correo electrónico o teléfono').waitFor();
    assert.ok(!page.url().includes('ENLACE'), page.url());
    // A second look at the page does not lose them.
    await page.reload();
    await page.getByLabel('Correo electrónico o teléfono').waitFor();
    await typeLogin(page, account('customer'));
    await isFilledIn(page);
    assert.ok(await page.getByRole('radio', { name: 'Diversos' }).isChecked());
    await checkAccessibility(page, 'form from a link');
    await page.screenshot({ path: `${SHOTS}deep-link.png` });
    await page.goBack();
    assert.ok(!page.url().includes('ENLACE'), 'the way back has no data');
  });

test('logged in: straight to the form, with errors at their fields', async (t) => {
  const page = await open(t);
  await logIn(page, server.url, account('worker'));
  await page.goto(`${server.url}/llamar#${DATA}`);
  await isFilledIn(page);
  await page.goto(`${server.url}/llamar#expedient=E1&phone=12&type=barcos`);
  await page.getByText('El otro sistema indicó el tipo «barcos»').waitFor();
  assert.equal(await page.getByLabel('Móvil del cliente').first().getAttribute('aria-invalid'), 'true');
  await page.screenshot({ path: `${SHOTS}deep-link-wrong.png` });
});

test('a company that may not call reads so, on a phone too', async (t) => {
  const page = await open(t, { size: 'phone', scheme: 'light' });
  await page.goto(`${server.url}/llamar#${DATA}`);
  await typeLogin(page, account('repairer'));
  const alert = page.getByRole('alert').filter({ hasText: 'No puede abrir videollamadas' });
  await alert.getByText(account('repairer').email).waitFor();
  await checkAccessibility(page, 'link refused');
  await page.screenshot({ path: `${SHOTS}deep-link-refused.png` });
  await alert.getByRole('link', { name: 'Ir al inicio' }).click();
  await page.waitForURL(/\/users\//);
});
