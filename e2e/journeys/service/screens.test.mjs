/**
 * Every main page at four sizes and in both schemes: nothing is wider than the window, no placeholder is cut off, and axe
 * finds nothing grave. A page is loaded once and resized. Needs ATALAYA_BIN. Screenshots go to e2e/artifacts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility, settled } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { linkFromOutbox, logIn, session } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

const SIZES = [
  ['1440', { width: 1440, height: 900 }],
  ['1280', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
  ['sideways', { width: 844, height: 390 }],
];
const SCHEMES = ['dark', 'light'];
/** A closed call of the demo with files. */
const FILED = '2026-118392';
const PHONE = '+34600123988';
let browser, server, admin, customer;

const { account, errors, shot } = world('screens', async (made) => {
  ({ server, browser } = made);
  [admin, customer] = await Promise.all(['administrator', 'customer'].map((what) => session(server.url, account(what))));
});

/** Runs in the page: what is wider than its place. */
function measure() {
  const wrong = [];
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over > 0) {
    const wide = [...document.querySelectorAll('body *')].filter(
      (one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1,
    );
    wrong.push(`${over} px wider than the window: ${wide.slice(0, 3).map((one) => one.className || one.tagName).join(' | ')}`);
  }
  const pen = document.createElement('canvas').getContext('2d');
  for (const field of document.querySelectorAll('input[placeholder]')) {
    if (!field.checkVisibility({ visibilityProperty: true }) || field.value || field.clientWidth < 2) continue;
    const style = getComputedStyle(field);
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    pen.letterSpacing = style.letterSpacing;
    const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    const needed = pen.measureText(field.placeholder).width;
    if (needed > room + 1) wrong.push(`"${field.placeholder}" needs ${Math.ceil(needed)} of ${Math.floor(room)} px`);
  }
  return wrong;
}

/** Loaded: a heading is there, and nothing stands in for what is still to come. */
const ready = (page) =>
  page.waitForFunction(
    () => document.querySelector('h1') && !document.querySelector('[class*="Skeleton"], [aria-busy="true"], .spin'),
  );

/** The clients' pages follow the device, the others what was chosen: as if it had been chosen in another window. */
async function wear(page, colorScheme) {
  await page.emulateMedia({ colorScheme });
  await page.evaluate((theme) => {
    localStorage.setItem('theme', theme);
    dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: theme, storageArea: localStorage }));
  }, colorScheme);
  await settled(page);
}

/** Drawn anew after a change of size. */
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** One page in every scheme and size. */
async function look(page, name) {
  await ready(page);
  assert.equal(await page.getByText(/^No se ha podido/).count(), 0, `${name} has what it shows`);
  const wrong = [];
  for (const scheme of SCHEMES) {
    await wear(page, scheme);
    const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/)[0] > 127);
    assert.equal(light, scheme === 'light', `${name} is ${scheme}`);
    for (const [size, viewport] of SIZES) {
      await page.setViewportSize(viewport);
      await drawn(page);
      for (const what of await page.evaluate(measure)) wrong.push(`${size} ${scheme}: ${what}`);
      await shot(page, `${name}-${size}-${scheme}`, { animations: 'disabled' });
    }
  }
  await page.setViewportSize(SIZES[0][1]);
  await settled(page);
  await checkAccessibility(page, name);
  assert.deepEqual(wrong, [], name);
}

const pagesOf = {
  administrator: () => ({
    setup: '/setup',
    customers: '/customers',
    customer: `/customer/${customer.user.parent}/perfil`,
    fiscal: `/customer/${customer.user.parent}/fiscal`,
    'fiscal-requests': '/fiscal-requests',
    users: `/users/${customer.user.parent}`,
    conferences: '/conferences-autos/0?begin=2026-01-01',
    diversos: '/conferences-div/0?begin=2026-01-01',
    incidences: `/incidences/${admin.user._id}`,
    month: '/invoice-processes',
    invoices: '/invoices/0',
    remittances: '/remittances',
    activity: '/logs',
    agenda: '/agenda/0',
    statistics: `/statistics/${admin.user.parent}`,
  }),
  worker: () => ({ form: '/vp-form' }),
  customer: () => ({
    expedient: `/expedient/${FILED}`,
    texts: `/sms-client-conference/${customer.user._id}`,
  }),
  'workshop operator': () => ({ request: '/videocall-request' }),
};

for (const [what, paths] of Object.entries(pagesOf))
  test(`the pages of the ${what}`, async (t) => {
    const page = await openPage(browser, what, errors);
    await logIn(page, server.url, account(what));
    for (const [name, path] of Object.entries(paths()))
      await t.test(name, async () => {
        await page.goto(server.url + path);
        await look(page, name);
        assert.equal(new URL(page.url()).pathname, path.split('?')[0], 'nobody was led elsewhere');
      });
    await page.close();
  });

test('the page on which a client sends files', async () => {
  const worker = await session(server.url, account('worker 2'));
  const path = `conferences-autos-details/${worker.user.parent}?limit=200`;
  const { conferences } = await (await worker.post(path, { begin: '2026-01-01', end: '2030-01-01' })).json();
  const { _id } = conferences.find(({ mayRequestFiles }) => mayRequestFiles);
  const items = [{ label: 'Póliza', hint: 'El PDF o una foto del papel' }, { label: 'Foto del golpe' }];
  const text = { contactText: 'Necesitamos fotos', pageShowText: 'Haga las fotos con luz de día.' };
  const request = { contactType: 1, conferenceId: _id, to: PHONE, ...text, items, remind: true, notify: true };
  const asked = await worker.post('client-files/new', request);
  assert.ok(asked.ok, await asked.clone().text());
  const page = await openPage(browser, 'client', errors);
  await page.goto((await linkFromOutbox(admin, PHONE)).link);
  await look(page, 'upload');
  await page.close();
});
