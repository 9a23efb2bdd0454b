/**
 * Advertising: a person allows it in the profile; the administrator writes, tries and sends a campaign, which reaches
 * only that person; the link in it unsubscribes; a new yes waits for the mailbox. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { logIn, session, until } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

const SUBJECT = 'Novedades de noviembre';
const BUSINESS = 'https://negocio.example/';
const SEARCH = 'https://buscador.example/';
const LABEL = 'Quiero recibir novedades y ofertas por correo electrónico';
let server, browser, admin, worker, desk, mine, email;

const { account, errors, shot } = world('marketing', async (made) => {
  ({ server, browser } = made);
  desk = await session(server.url, account('administrator'));
  mine = await session(server.url, account('worker'));
  email = account('worker').email;
  worker = await openPage(browser, 'worker', errors);
  admin = await openPage(browser, 'administrator', errors);
  await logIn(worker, server.url, account('worker'));
  await logIn(admin, server.url, account('administrator'));
}, { ATALAYA_BUSINESS_URL: BUSINESS, ATALAYA_SEARCH_URL: SEARCH });

/** Letters to an address, newest first. */
async function letters(to) {
  const { outbox } = await (await desk.get(`outbox?channel=email&to=${encodeURIComponent(to)}&limit=20`)).json();
  return outbox;
}
const linkIn = ({ text }) => text.match(/https?:\/\/\S+\/(?:u|marketing)\/[0-9a-f]+/)?.[0];

/** The worker's switch, once its current state has been loaded. */
async function consentSwitch() {
  const found = worker.getByRole('switch', { name: LABEL });
  await until(() => found.isEnabled(), Boolean);
  return found;
}

/** The browser of a mailbox: another person's, without a session; the sites it is redirected to are answered here. */
async function mailbox() {
  const page = await openPage(browser, 'mailbox', errors);
  const next = (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Otro sitio</h1>' });
  await page.route(`${BUSINESS}**`, next);
  await page.route(`${SEARCH}**`, next);
  return page;
}

test('a user allows advertising in the profile', async () => {
  await worker.goto(`${server.url}/user/${mine.user.parent}/${mine.user._id}`);
  const consent = await consentSwitch();
  if (!(await consent.isChecked())) await consent.click();
  await until(async () => (await mine.get('marketing-consent')).json(), ({ allow }) => allow === 'YES');
  await checkAccessibility(worker, 'marketing-profile');
  await shot(worker, 'profile');
});

test('the administrator sees the audience of a campaign, tests it and sends it', async () => {
  await admin.goto(`${server.url}/broadcast`);
  await admin.getByRole('button', { name: 'Nuevo envío' }).first().click();
  const form = admin.getByRole('dialog', { name: 'Nuevo envío' });
  await form.getByRole('button', { name: 'Enviar', exact: true }).click();
  await form.getByText('Escriba el asunto').first().waitFor();
  await form.getByLabel('Asunto').fill(SUBJECT);
  await form.getByLabel('Texto', { exact: true }).fill('Ya puede firmar desde el móvil.\n\nUn saludo.');
  await form.getByText(/Llegará a \d+ direcci/).waitFor();
  await form.frameLocator('iframe').getByText('Un saludo.').waitFor();
  await form.locator('label', { hasText: 'Solo texto' }).click();
  await form.getByText('Un saludo.').last().waitFor();
  await checkAccessibility(admin, 'marketing-composer');
  await shot(admin, 'composer');
  await form.getByRole('button', { name: 'Enviar prueba' }).click();
  await form.getByRole('status').filter({ hasText: 'Prueba enviada' }).waitFor();
  await form.getByRole('button', { name: 'Enviar', exact: true }).click();
  const sure = form.getByRole('region', { name: '¿Enviar este mensaje?' });
  await sure.getByRole('button', { name: 'Enviar', exact: true }).click();
  await admin.getByText('Envío en marcha').waitFor();
  await admin.getByRole('cell', { name: SUBJECT }).waitFor();
  await shot(admin, 'campaigns');
});

test('the link in the e-mail unsubscribes at once and redirects', async () => {
  const [letter] = await until(
    () => letters(email),
    ([first]) => first?.subject === SUBJECT,
    60_000,
  );
  assert.match(letter.text, /Comunicación comercial/);
  const page = await mailbox();
  await page.goto(linkIn(letter));
  const done = page.getByRole('dialog');
  await done.getByText('Se ha dado de baja. No recibirá más comunicaciones comerciales.').waitFor();
  assert.match(new URL(page.url()).pathname, /^\/marketing\/[0-9a-f]+$/);
  await checkAccessibility(page, 'marketing-unsubscribed');
  await shot(page, 'unsubscribed');
  assert.equal((await (await mine.get('marketing-consent')).json()).allow, 'NO');
  await done.getByRole('button', { name: 'Aceptar' }).click();
  await page.waitForURL(SEARCH);
  await page.context().close();
  await admin.goto(`${server.url}/broadcast?tab=suppressions`);
  await admin.getByRole('cell', { name: email }).waitFor();
});

test('a new consent counts once the mailbox confirms it', async () => {
  await worker.reload();
  const consent = await consentSwitch();
  assert.equal(await consent.isChecked(), false);
  await consent.click();
  await worker.getByText(`Le hemos escrito a ${email}. Confírmelo en ese mensaje.`).waitFor();
  const [letter] = await until(
    () => letters(email),
    ([first]) => first?.subject === 'Confirme que quiere recibir nuestras comunicaciones',
  );
  const page = await mailbox();
  await page.goto(linkIn(letter));
  const thanks = page.getByRole('dialog');
  await thanks.getByText('Gracias. Recibirá nuestras comunicaciones.').waitFor();
  assert.equal((await (await mine.get('marketing-consent')).json()).allow, 'NO', 'opening a link is no answer');
  await shot(page, 'thanks');
  await thanks.getByRole('button', { name: 'Confirmar' }).click();
  await page.waitForURL(BUSINESS);
  assert.equal((await (await mine.get('marketing-consent')).json()).allow, 'YES');
  await page.context().close();
});

test('an invalid link says so', async () => {
  const page = await mailbox();
  await page.goto(`${server.url}/marketing/0123456789abcdef0123456789abcdef`);
  await page.getByRole('alert').waitFor();
  await checkAccessibility(page, 'marketing-invalid');
  await page.context().close();
});
