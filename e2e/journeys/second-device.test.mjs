/**
 * Two browsers with the same link: the second waits at the door, and the adjuster admits it, lets it replace the first, or
 * refuses it. Beside it what both sides read when nobody can be heard or seen. Real Chromium, real server.
 * Needs ATALAYA_BIN. Screenshots go to e2e/artifacts.
 */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, afterEach, before, test } from 'node:test';
import { checkAccessibility } from './lib/axe.mjs';
import { openBrowser, openPage, openPhoneBrowser, openRefusingBrowser } from './lib/browsers.mjs';
import { flows, stats } from './lib/media.mjs';
import { closePages } from './lib/pages.mjs';
import { startServer } from './lib/server.mjs';
import { acceptNotice, enterAsClient, linkFromOutbox, logIn, openConference, session, until } from './lib/steps.mjs';

const SHOTS = new URL('../artifacts/', import.meta.url).pathname;
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.7 Mobile/15E148 Safari/604.1';
const AT_DOOR = 'La videollamada ya está abierta en otro dispositivo';
let server, browser, phones, admin, worker;
const errors = [];

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

const shot = (page, name) => page.screenshot({ path: `${SHOTS}${name}.png` });
const phone = (options = {}) => openPage(phones, 'client', errors, { size: 'phone', scheme: 'light', ...options });

async function staffWaiting(expedient) {
  const staff = await openPage(browser, 'adjuster', errors);
  await logIn(staff, server.url, worker);
  const id = await openConference(staff, server.url, { expedient });
  const mine = await session(server.url, worker);
  const pictures = async () => (await (await mine.get(`conference-media/${id}`)).json()).media;
  return { staff, pictures, link: (await linkFromOutbox(admin)).link };
}

// CLIENT-40, CLIENT-41, CLIENT-42, CALL-42
test('a second device waits at the door until the adjuster decides', async () => {
  const { staff, link, pictures } = await staffWaiting('EXP-DOOR');
  const first = await phone();
  await enterAsClient(first, link);
  await flows(staff);

  const second = await phone({ agent: IPHONE });
  // Done when it is let in.
  const entering = enterAsClient(second, link);
  await second.getByRole('heading', { name: AT_DOOR }).waitFor();
  const notice = staff.getByRole('alert').filter({ hasText: 'Otro dispositivo quiere entrar' });
  await notice.getByText('iPhone · Safari').waitFor();
  await shot(staff, 'door-desktop-dark');
  await shot(second, 'door-phone-light');
  await checkAccessibility(staff, 'door of the call');
  await checkAccessibility(second, 'at the door');
  assert.equal(await second.evaluate(() => window.__connections?.length ?? 0), 0, 'it has no connection to the call');
  await staff.getByRole('tab', { name: 'Caso' }).click();
  await staff.getByRole('button', { name: 'Silenciar a Carmen Ortega' }).waitFor();
  assert.equal(await staff.getByRole('button', { name: 'Silenciar a Carmen Ortega' }).count(), 1, 'one participant');

  // A reload of the first is the same device: it does not end up behind the second.
  await first.reload();
  await first.getByRole('button', { name: 'Continuar la videollamada' }).click();
  await first.getByRole('toolbar').waitFor();
  // In the media room again, and so before the second.
  await until(() => stats(first), (now) => now.sent > 5);

  await notice.getByRole('button', { name: 'Admitir a los dos' }).click();
  await entering;
  await notice.waitFor({ state: 'hidden' });
  await until(() => stats(second), (now) => now.sent > 5);
  await staff.getByRole('button', { name: 'Ver y usar iPhone · Safari' }).waitFor();
  await shot(staff, 'two-devices-desktop-dark');

  // "Foto HD" fires on the device on the stage only.
  await staff.getByRole('button', { name: /Foto HD/ }).click();
  await until(pictures, (all) => all.length > 0);
  await staff.getByRole('button', { name: 'Ver y usar iPhone · Safari' }).click();
  await staff.getByRole('button', { name: 'Ver y usar Pixel 9 · Chrome' }).waitFor();
  await staff.getByRole('button', { name: /Foto HD/ }).click();
  const both = await until(pictures, (all) => all.length > 1);
  assert.equal(both.length, 2, 'each press took one picture');
  assert.equal(new Set(both.map(({ participant }) => participant)).size, 2, 'of the device that was asked');

  const third = await phone();
  const replacing = enterAsClient(third, link);
  await third.getByRole('heading', { name: AT_DOOR }).waitFor();
  await staff.getByRole('button', { name: 'Cambiar a este' }).click();
  await replacing;
  await first.getByRole('heading', { name: 'Se ha cerrado su llamada' }).waitFor();
  await second.getByRole('heading', { name: 'Se ha cerrado su llamada' }).waitFor();

  const fourth = await phone();
  enterAsClient(fourth, link).catch(() => undefined);
  await fourth.getByRole('heading', { name: AT_DOOR }).waitFor();
  await staff.getByRole('button', { name: 'No dejar entrar' }).click();
  await fourth.getByRole('heading', { name: 'Este dispositivo no ha entrado' }).waitFor();
  await shot(fourth, 'door-refused-phone-light');

  // The client hangs up: nobody says that the connection was lost, and the refused device may enter now.
  await third.getByRole('button', { name: 'Salir' }).click();
  await third.getByRole('dialog').getByRole('button', { name: 'Salir' }).click();
  await staff.getByText('Carmen ha salido de la llamada').waitFor();
  await shot(staff, 'client-left-desktop-dark');
  await fourth.getByRole('button', { name: 'Volver a pedirlo' }).click();
  await fourth.getByRole('toolbar').waitFor();
});

// CALL-41, CALL-43, CALL-44
test('the space bar takes a picture; a muted client and a frozen picture are shown as such', async () => {
  const { staff, link, pictures } = await staffWaiting('EXP-TRUTH');
  const client = await phone();
  await enterAsClient(client, link);
  await flows(staff);

  const microphone = staff.getByRole('button', { name: 'Micrófono', exact: true });
  await microphone.click();
  await until(() => microphone.getAttribute('aria-pressed'), (pressed) => pressed === 'false');
  await staff.keyboard.press('Space');
  await until(pictures, (all) => all.length === 1);
  assert.equal(await microphone.getAttribute('aria-pressed'), 'false', 'the space did not press the button again');

  await client.getByRole('button', { name: 'Silenciar' }).click();
  await staff.getByText('Carmen tiene el micrófono silenciado').waitFor();
  await shot(staff, 'client-muted-desktop-dark');

  // The sender stops encoding while the connection stays fine. The 3 s of the rule are tested with a clock of its own
  // (health.test.ts); on this machine's clock, which others slow down, it must come by itself and soon.
  await client.evaluate(() => {
    for (const connection of window.__connections)
      for (const sender of connection.getSenders()) if (sender.track?.kind === 'video') void sender.replaceTrack(null);
  });
  await staff.getByText('La imagen de Carmen está parada.').waitFor({ timeout: 10_000 });
  assert.equal(await staff.getByRole('button', { name: /Calidad de red: .*buena/ }).count(), 0);
  await shot(staff, 'frames-stopped-desktop-dark');
});

// CALL-41, CASE-41
test('when a client refuses camera and microphone, the waiting room offers photos, and both sides see the state', async () => {
  const { staff, link } = await staffWaiting('EXP-REFUSED');
  const refusing = await openRefusingBrowser();
  const client = await openPage(refusing, 'client', errors, { size: 'phone', scheme: 'light', permissions: [] });
  await client.goto(link);
  await acceptNotice(client);
  await client.getByRole('button', { name: /Permitir/ }).first().click();
  await staff.getByRole('button', { name: 'Pedir fotos' }).waitFor();
  await shot(staff, 'waiting-refused-desktop-dark');
  await checkAccessibility(staff, 'waiting room, camera refused');
  await staff.getByRole('button', { name: 'Pedir fotos' }).click();
  await staff.getByRole('dialog').waitFor();
  await shot(staff, 'waiting-ask-photos-desktop-dark');
  await staff.keyboard.press('Escape');
  // Onward without any device, whatever order the questions have.
  while ((await client.getByRole('toolbar').count()) === 0) {
    const onward = client.getByRole('button', { name: /^Seguir|^Entrar sin|Permitir/ }).last();
    await onward.click({ timeout: 5_000 }).catch(() => undefined);
    await client.waitForTimeout(300);
  }
  await client.getByText('Está en la llamada sin cámara ni micrófono').waitFor();
  await shot(client, 'no-devices-phone-light');
  await staff.getByText('Carmen está sin cámara ni micrófono').waitFor();
  await shot(staff, 'no-devices-desktop-dark');
  await refusing.close();
});
