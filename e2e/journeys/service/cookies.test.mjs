/**
 * The cookie banner on a first visit: what declining removes, that it is asked once, where it is changed; the policy; the
 * language somebody chooses. Needs ATALAYA_BIN. Screenshots go to e2e/artifacts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { logIn } from '../lib/steps.mjs';
import { SHOTS, world } from '../lib/world.mjs';

const YEAR_S = 31_536_000;
let server, browser, page;

const { account, errors } = world('cookies', async (made) => {
  ({ server, browser } = made);
  page = await openPage(browser, 'visitor', errors, { cookies: true });
});

const banner = (on) => on.getByRole('region', { name: 'Aviso de cookies' });
const cookies = async () => Object.fromEntries((await page.context().cookies()).map((one) => [one.name, one]));
/** What scripts see, by name. */
const visible = () => page.evaluate(() => document.cookie.split('; ').map((part) => part.split('=')[0]).sort());
const lives = ({ expires }) => expires - Date.now() / 1000;
const aYear = (cookie) => Math.abs(lives(cookie) - YEAR_S) < 120;

test('a first visit asks, bottom right, with two buttons of the same weight', async () => {
  await page.goto(`${server.url}/login`);
  await banner(page).waitFor();
  // The form is the last thing to come: nothing moves or is drawn again afterwards.
  await page.getByRole('button', { name: 'Entrar', exact: true }).waitFor();
  assert.deepEqual(Object.keys(await cookies()), ['XSRF-TOKEN'], 'nothing is kept before an answer but what is necessary');
  const box = await banner(page).boundingBox();
  assert.ok(box.x + box.width > 1400 && box.y + box.height > 860, 'bottom right');
  const looks = await banner(page)
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.map((button) => {
        const { width, height } = button.getBoundingClientRect();
        const { backgroundColor, color, fontWeight } = getComputedStyle(button);
        return { width, height, backgroundColor, color, fontWeight };
      }),
    );
  assert.equal(looks.length, 2);
  assert.deepEqual(looks[0], looks[1]);
  await checkAccessibility(page, 'cookie-banner');
  await page.screenshot({ path: `${SHOTS}cookies-banner.png` });
  assert.deepEqual([...page.seen], [server.url], 'nothing was asked of anybody else');
});

test('declining removes every cookie that scripts can read, and is remembered for a year', async () => {
  await page.getByRole('button', { name: /Idioma/ }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.locator('html[lang=en]').waitFor();
  const { lang } = await cookies();
  assert.ok(lang.value === 'en' && aYear(lang), 'for a year, 31536000 s');
  await page.getByRole('region', { name: 'Cookie notice' }).getByRole('button', { name: 'Decline' }).click();
  assert.deepEqual(await visible(), ['cookieconsent_status']);
  const { cookieconsent_status: status } = await cookies();
  assert.ok(status.value === 'deny' && status.sameSite === 'Lax' && aYear(status));
  await page.reload();
  await page.getByRole('button', { name: 'Entrar', exact: true }).waitFor();
  assert.equal(await banner(page).count(), 0);
  const back = (await visible()).filter((name) => !['XSRF-TOKEN', 'cookieconsent_status'].includes(name));
  assert.deepEqual(back, [], 'at most what is necessary comes back');
});

test('the policy lists what is kept and changes the choice', async () => {
  const opening = page.waitForEvent('popup');
  await page.getByRole('link', { name: /Política de cookies/ }).click();
  const policy = await opening;
  await policy.getByRole('heading', { level: 1, name: 'Política de cookies' }).waitFor();
  assert.equal(new URL(policy.url()).pathname, '/cookies');
  for (const name of ['cookieconsent_status', 'lang', 'XSRF-TOKEN', 'atalaya_media', 'hasSeenNewFeautures']) {
    await policy.getByRole('rowheader', { name, exact: true }).waitFor();
  }
  await policy.getByText('Ha rechazado las cookies.').waitFor();
  await checkAccessibility(policy, 'cookies');
  await policy.screenshot({ path: `${SHOTS}cookies-policy.png`, fullPage: true });
  await policy.getByRole('button', { name: 'Cambiar preferencias' }).click();
  await banner(policy).getByRole('button', { name: 'Aceptar' }).click();
  await policy.getByText('Ha aceptado las cookies.').waitFor();
  assert.equal((await cookies()).cookieconsent_status.value, 'allow');
  await policy.close();
});

test('a logged-in user withdraws consent from the sidebar', async () => {
  await logIn(
    page,
    server.url,
    account('worker'),
  );
  await page.getByRole('button', { name: 'Cambiar preferencias' }).click();
  await banner(page).getByRole('button', { name: 'Rechazar' }).click();
  assert.deepEqual(await visible(), ['cookieconsent_status']);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  assert.ok(!new URL(page.url()).pathname.endsWith('/login'), 'the session is not a cookie that goes with it');
});
