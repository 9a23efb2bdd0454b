/**
 * Case numbers and plates wherever they name something, at 1280 and 390 px: in lists, the queue of requests, the files of a
 * case, the request for files, notices and the finder. Never cut, never under the buttons of their row, nor what became of a
 * conference; and no heading carries a sign of its own. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { logIn, openConference, session } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

/** As long as a case number may be. */
const LONG = `EXP-${'2026-SINIESTRO-'.repeat(3)}0123456789A`;
const PLATE = '4821 LKM';
let browser, server, id;

const { account, errors, shot } = world('whole', async (made) => {
  ({ server, browser } = made);
  assert.equal(LONG.length, 60);
});

/** Runs in the page: what is cut of the texts that must show whole in a part of it, and how many there are. */
function measure(part) {
  const found = [...document.querySelectorAll(`${part} [data-whole]`)].filter((one) => one.checkVisibility());
  const wrong = [];
  for (const one of found) {
    // Out of sight in a list that scrolls.
    one.scrollIntoView({ block: 'center' });
    const rect = one.getBoundingClientRect();
    const text = one.textContent;
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline') wrong.push(`${text}: cut in itself`);
    for (let box = one.parentElement; box && box !== document.body; box = box.parentElement) {
      const around = box.getBoundingClientRect();
      const clips = getComputedStyle(box).overflowX !== 'visible' && getComputedStyle(box).display !== 'contents';
      if (clips && (rect.right > around.right + 1 || rect.left < around.left - 1)) wrong.push(`${text}: cut by ${box.className}`);
    }
    // Buttons of a row stay over what is beside them.
    const at = document.elementFromPoint(rect.right - 2, rect.top + rect.height / 2);
    if (!at || !(one.contains(at) || at.contains(one))) wrong.push(`${text}: under ${at?.className}`);
    if (rect.right > innerWidth || rect.left < 0) wrong.push(`${text}: outside the window`);
  }
  return { texts: found.map((one) => one.textContent), wrong, wide: document.documentElement.scrollWidth > innerWidth };
}

async function check(page, where, expected = [], part = 'body') {
  await settled(page);
  const { texts, wrong, wide } = await page.evaluate(measure, part);
  assert.deepEqual(wrong, [], where);
  assert.equal(wide, false, `${where}: nothing is wider than the window`);
  for (const text of expected) assert.ok(texts.some((one) => one.includes(text)), `${where} shows ${text}: ${texts.join(', ')}`);
  // The arrow of the sorted column is the only sign in a heading.
  const signs = await page.locator('thead th svg').count();
  assert.ok(signs <= 1, `${where}: ${signs} signs in the headings`);
}

const SIZES = [
  ['1280', { width: 1280, height: 800 }],
  ['390', { width: 390, height: 844 }],
];

/** The lists of a person, each with something that is there once it is drawn. */
function listsOf(what, me) {
  const company = me.user.parent;
  const begin = '?begin=2026-01-01';
  const lists = [
    ['conferences of Autos', `/conferences-autos/${what === 'administrator' ? 0 : company}${begin}`, [LONG, PLATE]],
    // What a search finds on other days, because these have nothing.
    ['elsewhere', `/conferences-div/${company}?begin=2020-01-01&end=2020-01-01&search=${LONG}`, [LONG, PLATE]],
    ['incidences', `/incidences/${me.user._id}`, []],
  ];
  const reports = ['messages', 'tracks', 'media'].map((tab) => [`report of ${tab}`, `/reports?tab=${tab}`, []]);
  return what === 'administrator' ? [lists[0], lists[2], ...reports] : lists;
}

test('a case with the longest allowed number', async () => {
  const page = await openPage(browser, 'worker', errors);
  await logIn(page, server.url, account('worker 2'));
  await openConference(page, server.url, { expedient: LONG, plate: PLATE });
  const me = await session(server.url, account('worker 2'));
  const { conferences } = await (await me.post(`conferences-autos-details/${me.user.parent}`, {})).json();
  id = conferences.find((row) => row.expedientNumber === LONG)._id;
  const sent = await me.post('send-incidence', {
    incidence: { type: 1, reason: 2, comments: 'El vídeo se congela', conferenceId: id },
    files: [],
  });
  assert.equal(sent.status, 201);
  // A workshop asks for a call about it.
  const operator = await session(server.url, account('workshop operator'));
  const asked = await operator.post('video-call-request', {
    ...{ region: 'Valencia/València', customerId: me.user.parent, expedient: LONG },
    ...{ type: 1, starterPhone: '600 123 456', plate: PLATE },
  });
  assert.ok(asked.ok, await asked.text());
  await page.context().close();
});

for (const [name, viewport] of SIZES)
  for (const what of ['worker 2', 'customer', 'administrator'])
    test(`${what} at ${name} px`, async () => {
      const me = await session(server.url, account(what));
      const page = await openPage(browser, `${what} ${name}`, errors, name === '390' ? { size: 'phone' } : {});
      await page.setViewportSize(viewport);
      await logIn(page, server.url, account(what));
      for (const [where, path, expected] of listsOf(what, me)) {
        await page.goto(server.url + path);
        await page.locator('tbody tr, main li a, [data-whole]').first().waitFor();
        if (expected.length > 0) await page.getByText(LONG).first().waitFor();
        await check(page, `${where}, ${what} at ${name} px`, expected);
        await shot(page, `${where.replaceAll(' ', '-')}-${what.replace(' ', '')}-${name}`);
      }
      await page.context().close();
    });

/** The list says that the client was there for a while, so that files may be asked for. */
const asHeld = (page) =>
  page.route('**/api/v1/conferences-autos-details/*', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    for (const row of body.conferences) if (row.expedientNumber === LONG) Object.assign(row, { duration: 284, mayRequestFiles: true });
    await route.fulfill({ response: answer, json: body });
  });

/** The newest notice is about the case, as one about its files would be. */
const asAboutIt = (page) =>
  page.route('**/api/v1/notifications/get-by-user*', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    Object.assign(body.notificationsByUser.personalNotifications[0], { expedientNumber: LONG });
    await route.fulfill({ response: answer, json: body });
  });

/** Other places that name a case, each opened by what a person does. */
const PLACES = [
  ['queue', ['worker 2', 'customer', 'administrator'], async (page, me) => {
    await page.goto(`${server.url}/active-videocall-request/${me.company}`);
    await page.getByText(LONG).first().waitFor();
    return [LONG, PLATE];
  }],
  ['files of a case', ['worker 2', 'administrator'], async (page) => {
    await page.goto(`${server.url}/conference-media/${id}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('main').getByText(LONG).waitFor();
    return [LONG, PLATE];
  }],
  ['request for files', ['worker 2'], async (page, me) => {
    await asHeld(page);
    await page.goto(`${server.url}/conferences-autos/${me.company}?begin=2026-01-01`);
    await page.getByRole('button', { name: `Más acciones: ${LONG}` }).click();
    await page.getByRole('menuitem', { name: 'Solicitar archivos' }).click();
    await page.getByRole('dialog').getByText(LONG).first().waitFor();
    return [LONG];
  }, '[role="dialog"]'],
  ['notices', ['worker 2', 'administrator'], async (page, me) => {
    await asAboutIt(page);
    await page.goto(`${server.url}/incidences/${me.user}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (me.narrow) await page.getByRole('button', { name: 'Abrir menú' }).click();
    await page.getByRole('button', { name: /^Notificaciones/ }).filter({ visible: true }).first().click();
    await page.getByRole('dialog').getByText(LONG).first().waitFor();
    return [LONG];
  }, '[role="dialog"]'],
  ['finder', ['worker 2', 'administrator'], async (page, me) => {
    await page.goto(`${server.url}/incidences/${me.user}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Buscador' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill(LONG);
    await page.getByRole('dialog').getByText(LONG).first().waitFor();
    return [LONG, PLATE];
  }, '[role="dialog"]'],
];

for (const [name, viewport] of SIZES)
  for (const what of ['worker 2', 'customer', 'administrator'])
    test(`where ${what} reads of a case at ${name} px`, async () => {
      const { user } = await session(server.url, account(what));
      // The administrator looks at the queue of a customer.
      const company = what === 'administrator' ? (await session(server.url, account('customer'))).user.parent : user.parent;
      const page = await openPage(browser, `${what} ${name}`, errors, name === '390' ? { size: 'phone' } : {});
      await page.setViewportSize(viewport);
      await logIn(page, server.url, account(what));
      for (const [where, people, open, part] of PLACES) {
        if (!people.includes(what)) continue;
        const expected = await open(page, { company, user: user._id, narrow: name === '390' });
        await check(page, `${where}, ${what} at ${name} px`, expected, part);
        await shot(page, `${where.replaceAll(' ', '-')}-${what.replace(' ', '')}-${name}`);
      }
      await page.context().close();
    });

test('a page on a phone has one title, which is not cut', async () => {
  const page = await openPage(browser, 'customer', errors, { size: 'phone' });
  await logIn(page, server.url, account('customer'));
  const { user } = await session(server.url, account('customer'));
  for (const path of [`/incidences/${user._id}`, `/conferences-autos/${user.parent}`, `/sms-client-conference/${user._id}`, '/api']) {
    await page.goto(server.url + path);
    const heading = page.locator('main h1').first();
    await heading.waitFor();
    const text = await heading.textContent();
    await settled(page);
    const shown = await page.getByText(text, { exact: true }).filter({ visible: true }).count();
    const cut = await heading.evaluate((one) => one.scrollWidth > one.clientWidth + 1);
    assert.deepEqual([shown, cut], [1, false], `${text} at ${path}`);
    await shot(page, `title${path.split('/')[1]}`);
  }
  await page.context().close();
});

test('no page threw an error', () => assert.deepEqual(errors, []));
