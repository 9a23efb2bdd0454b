/**
 * The three main tasks of an adjuster without a pointer: open a video call, hold it (a picture, hanging up), find the case
 * again and save its files. The adjuster uses keys only.
 * Needs ATALAYA_BIN. Screenshots go to e2e/artifacts.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { checkAccessibility, settled } from './lib/axe.mjs';
import { openPage, openPhoneBrowser } from './lib/browsers.mjs';
import { flows, KEEP_CONNECTIONS } from './lib/media.mjs';
import { enterAsClient, linkFromOutbox, session, until } from './lib/steps.mjs';
import { world } from './lib/world.mjs';

const EXPEDIENT = 'EXP-TECLADO-7';
/** A closed call of the demo with files. */
const FILED = '2026-118392';
/** More stops than any page has. */
const STOPS = 120;
let server, browser, admin, phones;

const { account, errors, shot } = world('keyboard', async (made) => {
  ({ server, browser } = made);
  admin = await session(server.url, account('administrator'));
});

// A browser that stays open would keep a failed journey waiting.
after(() => phones?.close());

/** Presses Tab until this has the focus. */
async function tabTo(page, target) {
  await target.waitFor();
  for (let stop = 0; stop < STOPS; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${target}`);
}

async function write(page, label, text) {
  await tabTo(page, page.getByRole('textbox', { name: label }));
  await page.keyboard.type(text);
}

async function press(page, name, within = page) {
  await tabTo(page, within.getByRole('button', { name }));
  await page.keyboard.press('Enter');
}

async function logInByKeys(page, who) {
  const { email, password } = account(who);
  await page.addInitScript(KEEP_CONNECTIONS);
  await page.goto(`${server.url}/login`);
  await write(page, 'Correo electrónico o teléfono', email);
  await write(page, 'Contraseña', password);
  await page.keyboard.press('Enter');
  await page.waitForURL((at) => !at.pathname.endsWith('/login'));
}

test('the three main tasks are done with the keyboard alone', async () => {
  const staff = await openPage(browser, 'adjuster', errors);
  await logInByKeys(staff, 'worker');

  // A call is opened: the worker's home is its form.
  await staff.waitForURL(/\/vp-form/);
  await write(staff, 'N.º de expediente', EXPEDIENT);
  await write(staff, /^Persona de contacto/, 'Carmen Ortega');
  await write(staff, 'Móvil del cliente', '600 123 123');
  await write(staff, /^Matrícula/, '4821 LKM');
  await shot(staff, 'form');
  await press(staff, 'Enviar SMS');
  await staff.waitForURL(/\/conference\/[0-9a-f-]{36}/);
  const id = staff.url().match(/\/conference\/([0-9a-f-]{36})/)[1];

  // The call: Space takes a picture, then hanging up and confirming it.
  phones = await openPhoneBrowser();
  const client = await openPage(phones, 'client', errors, { size: 'phone' });
  await enterAsClient(client, (await linkFromOutbox(admin)).link);
  await flows(staff);
  const mine = await session(server.url, account('worker'));
  await staff.keyboard.press('Space');
  await until(async () => (await (await mine.get(`conference-media/${id}`)).json()).media, (all) => all.length === 1);
  await shot(staff, 'picture');
  await press(staff, 'Colgar');
  await press(staff, 'Terminar conferencia', staff.getByRole('dialog'));
  await client.getByText('La videoasistencia ha terminado').waitFor();
  await phones.close();

  // The case is found from any page, and its files are saved.
  await staff.waitForURL(/\/conference-media\//);
  // The header may have a way back of the same name.
  const menu = staff.getByRole('navigation', { name: 'Principal' });
  await tabTo(staff, menu.getByRole('link', { name: 'Nueva videollamada' }));
  await staff.keyboard.press('Enter');
  await staff.waitForURL(/\/vp-form/);
  await tabTo(staff, staff.getByRole('textbox', { name: 'N.º de expediente' }));
  await staff.keyboard.press('Control+k');
  const finder = staff.getByPlaceholder(/Expediente, matrícula/);
  await finder.waitFor();
  await staff.keyboard.type(EXPEDIENT);
  await staff.getByRole('dialog').getByText(EXPEDIENT).first().waitFor();
  await shot(staff, 'finder');
  await staff.keyboard.press('ArrowDown');
  await staff.keyboard.press('Enter');
  await staff.waitForURL(new RegExp(`open=${id}`));
  const panel = staff.getByRole('dialog').filter({ hasText: EXPEDIENT });
  await panel.getByRole('button', { name: 'ZIP' }).waitFor();
  await shot(staff, 'panel');
  const saved = staff.waitForEvent('download');
  await press(staff, 'ZIP', panel);
  assert.match((await saved).suggestedFilename(), /\.zip$/);
  await staff.close();
});

test('a list is browsed, selected and acted on with its shortcut keys', async () => {
  const staff = await openPage(browser, 'adjuster 2', errors);
  await logInByKeys(staff, 'customer');
  await staff.goto(server.url + (await staff.getByRole('link', { name: /^Autos$/ }).first().getAttribute('href')) + '?begin=2026-01-01');
  const rows = staff.locator('tbody tr[aria-rowindex]');
  await rows.nth(1).waitFor();
  const numbers = await rows.evaluateAll((all) => all.map((row) => row.querySelector('[data-whole]').textContent));
  const chosen = () => staff.evaluate(() => document.activeElement.closest('tr').querySelector('[data-whole]').textContent);
  const { keyboard } = staff;
  await keyboard.press('j');
  assert.equal(await chosen(), numbers[0]);
  await keyboard.press('j');
  await keyboard.press('k');
  assert.equal(await chosen(), numbers[0]);

  // Two are ticked, and what may be done with them appears.
  await keyboard.press('x');
  await keyboard.press('j');
  await keyboard.press('x');
  await staff.getByText('2 elegidas').waitFor();
  await shot(staff, 'ticked');
  await checkAccessibility(staff, 'list with ticked rows');
  await keyboard.press('x');
  await keyboard.press('k');
  await keyboard.press('x');
  await staff.getByText(/^\d elegidas?$/).waitFor({ state: 'hidden' });

  // The case with files: its archive and its certificate.
  for (let steps = numbers.indexOf(FILED); steps > 0; steps -= 1) await keyboard.press('j');
  assert.equal(await chosen(), FILED);
  for (const [letter, name] of [['z', /\.zip$/], ['s', /^certificado-.*\.pdf$/]]) {
    const saved = staff.waitForEvent('download');
    await keyboard.press(letter);
    assert.match((await saved).suggestedFilename(), name);
  }

  // Its panel, and from there to the neighbours with the arrows.
  await keyboard.press('Enter');
  const panel = staff.getByRole('dialog', { name: 'Detalle de la conferencia' });
  await panel.getByText(FILED).first().waitFor();
  const at = numbers.indexOf(FILED);
  const [key, back, neighbour] =
    at + 1 < numbers.length ? ['ArrowRight', 'ArrowLeft', numbers[at + 1]] : ['ArrowLeft', 'ArrowRight', numbers[at - 1]];
  await keyboard.press(key);
  await panel.getByText(neighbour).first().waitFor();
  await keyboard.press(back);
  await panel.getByText(FILED).first().waitFor();
  await keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });

  await keyboard.press('?');
  await staff.getByRole('dialog').getByText('Multimedia').first().waitFor();
  await settled(staff);
  await shot(staff, 'letters');
  await keyboard.press('Escape');
  await staff.getByRole('dialog').waitFor({ state: 'hidden' });
  await keyboard.press('/');
  await keyboard.type(FILED);
  await staff.waitForURL(/search=/);
  await staff.locator('tbody tr[aria-rowindex]').nth(1).waitFor({ state: 'detached' });
  await keyboard.press('Escape');
  await staff.evaluate(() => document.activeElement.blur());
  await keyboard.press('j');
  await keyboard.press('m');
  await staff.waitForURL(/\/conference-media\//);
  await staff.close();
});
