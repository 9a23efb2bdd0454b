/** The news: eleven slides, which open once by themselves and whenever asked for. Needs ATALAYA_BIN. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility, settled } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { logIn } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

let browser, server;

const { account, errors, shot } = world('news', async (made) => {
  ({ server, browser } = made);
});

const news = (page) => page.getByRole('dialog', { name: 'Novedades' });
const stored = (page, key) => page.evaluate((name) => localStorage.getItem(name), key);

async function open(what, options = {}) {
  const page = await openPage(browser, what, errors, { permissions: [], news: true, ...options });
  if (options.scheme === 'light') await page.addInitScript(() => localStorage.setItem('theme', 'light'));
  await logIn(page, server.url, account(what));
  return page;
}
/** The picture in view is there and has a size. */
const drawn = (page) =>
  page.waitForFunction(() => {
    const shown = document.querySelector('[aria-roledescription=carousel] img, [aria-roledescription=carousel] video');
    return (shown?.naturalWidth || shown?.videoWidth) > 0;
  });

test('the news open once by themselves, and only the last slide has the close button', async () => {
  const page = await openPage(browser, 'worker', errors, { permissions: [], news: true });
  const from = Date.now();
  await logIn(page, server.url, account('worker'));
  await news(page).waitFor();
  assert.ok(Date.now() - from >= 2000, 'not before two seconds');
  assert.equal(await stored(page, 'hasSeenNewFeautures'), 'true');
  assert.equal(await stored(page, 'clickedOnNews'), null);
  const dialog = news(page);
  const titles = new Set();
  for (let at = 1; at <= 11; at += 1) {
    await dialog.getByText(`${at} de 11`, { exact: true }).waitFor();
    await drawn(page);
    titles.add(await dialog.getByRole('heading', { level: 3 }).innerText());
    assert.equal(await dialog.getByRole('button', { name: 'Cerrar' }).count(), at === 11 ? 2 : 1, `slide ${at}`);
    if (at === 1) await checkAccessibility(page, 'first slide');
    await settled(page);
    await shot(page, `${String(at).padStart(2, '0')}-desktop-dark`);
    // The backdrop is static.
    if (at === 3) await page.mouse.click(10, 450);
    if (at < 11) await dialog.getByRole('button', { name: 'Siguiente' }).click();
  }
  assert.equal(titles.size, 11);
  await checkAccessibility(page, 'last slide');
  await dialog.getByRole('button', { name: 'Cerrar' }).last().click();
  await dialog.waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByRole('button', { name: 'Novedades' }).waitFor();
  await page.waitForTimeout(3000);
  assert.equal(await dialog.count(), 0, 'not again');

  // A logout forgets neither.
  await page.getByRole('button', { name: 'Novedades' }).click();
  await dialog.waitFor();
  assert.equal(await stored(page, 'clickedOnNews'), 'true');
  await dialog.getByRole('button', { name: 'Cerrar' }).click();
  await page.getByRole('button', { name: 'Cerrar sesión' }).first().click();
  await page.getByLabel('Correo electrónico o teléfono').waitFor();
  assert.deepEqual([await stored(page, 'hasSeenNewFeautures'), await stored(page, 'clickedOnNews')], ['true', 'true']);
  await page.context().close();
});

test('the news are operated by keyboard and closed by the cross', async () => {
  const page = await open('customer', { scheme: 'light' });
  const dialog = news(page);
  await dialog.waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await dialog.getByText('3 de 11', { exact: true }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await dialog.getByText('2 de 11', { exact: true }).waitFor();
  // The film: without sound, once, and it can be seen again.
  const film = dialog.locator('video');
  await film.waitFor();
  assert.equal(await film.evaluate((video) => video.muted && !video.loop), true);
  await dialog.getByRole('button', { name: 'Ver otra vez' }).waitFor();
  await shot(page, '02-desktop-light');
  for (let n = 0; n < 20; n += 1) await page.keyboard.press('ArrowRight');
  await dialog.getByText('11 de 11', { exact: true }).waitFor();
  await drawn(page);
  await checkAccessibility(page, 'last slide, light');
  await shot(page, '11-desktop-light');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.context().close();
});

test('the news on a phone, with reduced motion', async () => {
  const page = await openPage(browser, 'worker', errors, { size: 'phone', scheme: 'light', permissions: [], news: true });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.addInitScript(() => localStorage.setItem('theme', 'light'));
  await logIn(page, server.url, account('worker'));
  const dialog = news(page);
  await dialog.waitFor();
  for (let at = 1; at <= 11; at += 1) {
    await dialog.getByText(`${at} de 11`, { exact: true }).waitFor();
    await drawn(page);
    assert.equal(await dialog.locator('video').count(), 0, 'nothing moves');
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(sideways, false, `slide ${at} fits`);
    const go = dialog.getByRole('button', { name: at < 11 ? 'Siguiente' : 'Cerrar' }).last();
    const box = await go.boundingBox();
    assert.ok(box && box.y + box.height <= 844, `the button of slide ${at} is in view`);
    if ([1, 2, 8, 11].includes(at)) await shot(page, `${String(at).padStart(2, '0')}-phone-light`);
    await go.click();
  }
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Abrir menú' }).click();
  await page.getByRole('button', { name: 'Novedades' }).click();
  await dialog.waitFor();
  await dialog.getByText('1 de 11', { exact: true }).waitFor();
  await page.context().close();
});

test('no page threw an error', () => assert.deepEqual(errors, []));
