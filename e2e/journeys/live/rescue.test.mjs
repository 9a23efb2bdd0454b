/**
 * Nobody is lost: a call opened without a message, an appointment that both sides agree, and pictures where no video passes.
 * Needs ATALAYA_BIN. Screenshots go to e2e/artifacts.
 */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkAccessibility } from '../lib/axe.mjs';
import { openBrowser, openPage, openPhoneBrowser } from '../lib/browsers.mjs';
import { closePages } from '../lib/pages.mjs';
import { startServer } from '../lib/server.mjs';
import { acceptNotice, allowDevices, linkFromOutbox, logIn, openConference, session, until } from '../lib/steps.mjs';

const SHOTS = new URL('../../artifacts/', import.meta.url).pathname;
const PICTURE = fileURLToPath(new URL('../../../crates/assistance/src/demo/media/dano.jpg', import.meta.url));
const errors = [];
let server, browser, phones, admin, worker;

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  server = await startServer({ binary: process.env.ATALAYA_BIN });
  worker = server.accounts.find((one) => one.what === 'worker');
  admin = await session(server.url, server.accounts.find((one) => one.what === 'administrator'));
  browser = await openBrowser();
  phones = await openPhoneBrowser({ camera: '640x360' });
});

afterEach(closePages);

after(async () => {
  await browser?.close();
  await phones?.close();
  await server?.clean();
});

const shot = (page, name) => page.screenshot({ path: `${SHOTS}rescue-${name}.png` });
const phone = (options = {}) => openPage(phones, 'client', errors, { size: 'phone', scheme: 'light', ...options });

async function adjuster() {
  const staff = await openPage(browser, 'adjuster', errors);
  await logIn(staff, server.url, worker);
  return staff;
}

// CASE-50, CASE-53, CLIENT-11
test('a call is opened without a message: QR and code at once, and a landline is no obstacle', async () => {
  const staff = await adjuster();
  await staff.goto(`${server.url}/vp-form`);
  await staff.getByLabel('N.º de expediente').fill('EXP-AT-ONCE');
  await staff.getByLabel('Móvil del cliente').fill('912 345 678');
  await staff.getByText('A un teléfono fijo no llega ningún SMS.').waitFor();
  await shot(staff, 'landline');
  await staff.getByRole('radio', { name: 'Sin enviar' }).focus();
  await staff.keyboard.press('Space');
  await staff.getByRole('button', { name: 'Abrir con QR y código' }).click();
  const block = staff.getByRole('region', { name: 'El cliente entra con el QR o con el código' });
  const code = (await block.locator('output').textContent()).replaceAll(' ', '');
  assert.match(code, /^\d{12}$/);
  await shot(staff, 'at-once-dark');
  await checkAccessibility(staff, 'QR and code at once');

  const client = await phone();
  await client.goto(`${server.url}/codigo`);
  await client.getByRole('textbox').fill(code);
  await client.keyboard.press('Enter');
  await client.getByRole('checkbox', { name: 'He leído la información' }).waitFor();
  await block.waitFor({ state: 'hidden' });
});

// VISIT-2, VISIT-4, VISIT-7, VISIT-8
test('both sides agree on an appointment, and the same link opens then', async () => {
  const staff = await adjuster();
  await openConference(staff, server.url, { expedient: 'EXP-VISIT' });
  const { link } = await linkFromOutbox(admin);
  await staff.getByRole('button', { name: 'Dar cita' }).click();
  const dialog = staff.getByRole('dialog', { name: 'Cita para la videollamada' });
  await shot(staff, 'visit-dialog');
  await checkAccessibility(staff, 'dialog of an appointment');
  await dialog.getByRole('button', { name: 'Proponer' }).click();
  await staff.getByText(/Cita propuesta para el/).waitFor();

  const client = await phone();
  await client.goto(link);
  await client.getByRole('heading', { name: /le propone una cita/ }).waitFor();
  await shot(client, 'visit-proposed-phone');
  await checkAccessibility(client, 'a proposed appointment');
  await client.getByRole('button', { name: 'Acepto' }).click();
  await client.getByRole('heading', { name: 'Tiene una cita' }).waitFor();
  await shot(client, 'visit-agreed-phone');
  const calendar = await client.getByRole('link', { name: 'Guardar en el calendario' }).getAttribute('href');
  const file = await (await fetch(server.url + calendar)).text();
  assert.match(file, /BEGIN:VEVENT[\s\S]*STATUS:CONFIRMED/);
  assert.ok(file.replaceAll('\r\n ', '').includes('/c/'), 'the same link');

  await staff.getByText(/Cita acordada:/).waitFor();
  await shot(staff, 'visit-agreed-dark');
  await staff.getByRole('link', { name: 'Agenda' }).click();
  await staff.getByRole('link', { name: 'EXP-VISIT' }).waitFor();
  await staff.getByText('Acordada', { exact: true }).waitFor();
  await shot(staff, 'agenda-dark');
  await checkAccessibility(staff, 'agenda');

  // Whoever is early comes in all the same.
  await client.getByRole('button', { name: 'Entrar ahora' }).click();
  await client.getByRole('checkbox', { name: 'He leído la información' }).waitFor();
});

// RESCUE-3, REPORT-9
test('where no media passes, pictures are taken on the same link within 40 s, and the adjuster reads why', async () => {
  const staff = await adjuster();
  const id = await openConference(staff, server.url, { expedient: 'EXP-PICTURES' });
  const { link } = await linkFromOutbox(admin);
  const client = await phone();
  // The API answers; the call's own connection never comes about.
  await client.routeWebSocket(/\/rtc/, (socket) => socket.close());
  await client.goto(link);
  await acceptNotice(client);
  await allowDevices(client);
  const began = Date.now();
  await client.getByRole('heading', { name: 'Hagamos fotos' }).waitFor({ timeout: 40_000 });
  assert.ok(Date.now() - began < 40_000, 'within 40 s');
  // In the call as in the waiting room, in the words of each.
  await staff.getByText(/red (de Carmen )?no deja pasar el vídeo/).first().waitFor();
  await shot(staff, 'no-media-dark');
  await client.setInputFiles('input[type=file]', PICTURE);
  await client.getByText('Enviada').waitFor();
  await shot(client, 'pictures-phone');
  await checkAccessibility(client, 'guided pictures');
  const mine = await session(server.url, worker);
  const media = await until(
    async () => (await (await mine.get(`conference-media/${id}`)).json()).media,
    (all) => all.length === 1,
  );
  assert.equal(media[0].type, 'PICTURE');
  const usable = await (await admin.get('usable/0?weeks=1')).json();
  assert.ok(usable.causes.some(({ cause }) => cause === 'ladder'), JSON.stringify(usable.causes));
  // Another day is offered too.
  await client.getByRole('button', { name: 'Elegir otro momento' }).click();
  await client.getByRole('heading', { name: 'Elija otro momento' }).waitFor();
  await shot(client, 'choose-phone');
  await checkAccessibility(client, 'another time');
});

test('no page failed', () => {
  assert.deepEqual(errors, []);
});
