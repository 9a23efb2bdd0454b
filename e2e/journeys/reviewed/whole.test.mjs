/**
 * Case numbers and plates in every list that shows them, at 1280 and 390 px: never cut, never under the buttons of their
 * row, and no heading carries a sign of its own. Needs ATALAYA_BIN.
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
let browser, server;

const { account, errors, shot } = world('whole', async (made) => {
  ({ server, browser } = made);
  assert.equal(LONG.length, 60);
});

/** Runs in the page: what is cut of the texts that must show whole, and how many there are. */
function measure() {
  const found = [...document.querySelectorAll('[data-whole]')].filter((one) => one.checkVisibility());
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

async function check(page, where, expected = []) {
  await settled(page);
  const { texts, wrong, wide } = await page.evaluate(measure);
  assert.deepEqual(wrong, [], where);
  assert.equal(wide, false, `${where}: nothing is wider than the window`);
  for (const text of expected) assert.ok(texts.includes(text), `${where} shows ${text}: ${texts.join(', ')}`);
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

test('a case with the longest number there may be', async () => {
  const page = await openPage(browser, 'worker', errors);
  await logIn(page, server.url, account('worker 2'));
  await openConference(page, server.url, { expedient: LONG, plate: PLATE });
  const me = await session(server.url, account('worker 2'));
  const { conferences } = await (await me.post(`conferences-autos-details/${me.user.parent}`, {})).json();
  const { _id } = conferences.find((row) => row.expedientNumber === LONG);
  const sent = await me.post('send-incidence', {
    incidence: { type: 1, reason: 2, comments: 'El vídeo se congela', conferenceId: _id },
    files: [],
  });
  assert.equal(sent.status, 201);
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

test('no page failed on the way', () => assert.deepEqual(errors, []));
