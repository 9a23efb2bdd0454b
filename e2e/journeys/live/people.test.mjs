/**
 * The people of a call: everybody else is muted by a key, as the engine makes it. Real Chromium, real server.
 * Needs ATALAYA_BIN. Screenshots go to e2e/artifacts.
 */
import { after, test } from 'node:test';
import { openPage, openPhoneBrowser } from '../lib/browsers.mjs';
import { flows } from '../lib/media.mjs';
import { enterAsClient, linkFromOutbox, logIn, openConference, session } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

let url, browser, phones, admin, worker;

const { errors, shot, account } = world('people', async (own) => {
  url = own.server.url;
  browser = own.browser;
  phones = await openPhoneBrowser();
  worker = account('worker');
  admin = await session(url, account('administrator'));
});
after(() => phones?.close());

// CALL-61, CALL-41, CALL-49
test('everybody else is muted by S, and the keys of the call name it', async () => {
  const staff = await openPage(browser, 'adjuster', errors);
  await logIn(staff, url, worker);
  await openConference(staff, url, { expedient: 'PEOPLE-1' });
  const { link } = await linkFromOutbox(admin);
  const phone = await openPage(phones, 'client', errors, { size: 'phone' });
  await enterAsClient(phone, link);
  await flows(staff);

  await staff.keyboard.press('?');
  const keys = staff.getByRole('dialog', { name: 'Teclas de la llamada' });
  await keys.getByText('Silenciar a todos').waitFor();
  await staff.keyboard.press('Escape');
  await keys.waitFor({ state: 'hidden' });

  await staff.keyboard.press('s');
  await staff.getByText('Todos los demás están en silencio').waitFor();
  await staff.getByText('tiene el micrófono silenciado').waitFor();
  await shot(staff, 'people-muted');
});
