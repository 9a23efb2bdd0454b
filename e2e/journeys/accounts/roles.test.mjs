/** Who lands where, and who may open what: each role on every page. Needs ATALAYA_BIN. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openBrowser, openPage } from '../lib/browsers.mjs';
import { ROLES, startWithEveryRole } from '../lib/roles.mjs';
import { logIn } from '../lib/steps.mjs';

const SHOTS = new URL('../../artifacts/', import.meta.url).pathname;
const errors = [];
let browser, world, server, account, people;

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  browser = await openBrowser();
  world = await startWithEveryRole();
  ({ server, account, people } = world);
});

after(async () => {
  await browser?.close();
  await world?.clean();
});

// The home of each role.
const homeOf = (role, { parent }) =>
  ({ 1: '/customers', 2: `/users/${parent}`, 3: '/vp-form', 4: `/users/${parent}`, 5: '/videocall-request', 6: `/users/${parent}`, 7: '/videocall-request', 8: '/vp-form' })[role];

const EVERYBODY = ROLES;
const PRINCIPALS = [1, 2, 4, 6];
/** Customers' people, and the repair side for the calls that its requests became. */
const CALLS_OR_ASKS = [1, 2, 3, 4, 5, 6, 7];
/** Every page: its address, which roles may open it about themselves, which about somebody else. */
const PAGES = [
  ['/videocall-request', [4, 5, 6, 7]],
  ['/active-videocall-request/{parent}', EVERYBODY, [1]],
  ['/general-notification', [1]],
  ['/broadcast', [1]],
  ['/vp-form', [2, 3, 8]],
  ['/customers', [1]],
  ['/repairers', [1]],
  ['/car-reparations', [1]],
  ['/insurance-companies', [1]],
  ['/message-service', [1]],
  ['/setup', [1]],
  ['/logs', PRINCIPALS],
  ['/api', [1, 2]],
  ['/sms-client-conference/{id}', [1, 2], [1, 2]],
  ['/conferences-autos/{parent}', CALLS_OR_ASKS, CALLS_OR_ASKS],
  ['/conferences-div/{parent}', CALLS_OR_ASKS, CALLS_OR_ASKS],
  ['/incidences/{id}', CALLS_OR_ASKS, PRINCIPALS],
  ['/users/{parent}', PRINCIPALS, [1]],
  ['/customer/{parent}/perfil', PRINCIPALS, [1]],
  ['/customer/{parent}/fiscal', PRINCIPALS, [1]],
  ['/fiscal-requests', [1]],
  ['/invoices/{parent}', [1, 2], [1, 2]],
  ['/consumption/{parent}', [1, 2], [1, 2]],
  ['/invoice-processes', [1]],
  ['/remittances', [1]],
  ['/verifactu', [1]],
  ['/prices', [1]],
  ['/legals', [1]],
  ['/declaracion-responsable', EVERYBODY],
  ['/user/{parent}/{id}', EVERYBODY, [1]],
  ['/password/{id}', EVERYBODY, []],
];
const PUBLIC = ['/remember', '/remember-form/x', '/customer-activation/x', '/user-activation/3/x/x', '/admin-enable/2/x/x'];
const UNKNOWN = ['/', '/login', '/nowhere', '/prices/1'];

/** Opens an address; answers where it ended and how often it was redirected. */
async function land(page, address) {
  const seen = [address];
  const follow = (frame) => {
    // The router also writes its state under the same address, which is no redirect.
    const { pathname } = new URL(frame.url());
    if (frame === page.mainFrame() && pathname !== seen.at(-1)) seen.push(pathname);
  };
  page.on('framenavigated', follow);
  await page.goto(server.url + address, { waitUntil: 'domcontentloaded' });
  await page.locator('h1').first().waitFor();
  page.off('framenavigated', follow);
  return { path: new URL(page.url()).pathname, redirects: seen.length - 1 };
}

for (const role of ROLES) {
  test(`role ${role} lands at home, and on every address on a page within two redirects`, async () => {
    const me = people[role].user;
    // Of another company: the workshop's operator belongs to the workshop.
    const other = people[role === 6 || role === 7 ? 4 : 6].user;
    const page = await openPage(browser, `role ${role}`, errors);
    await logIn(page, server.url, account(role));
    const home = homeOf(role, me);
    assert.equal(new URL(page.url()).pathname, home);
    await page.locator('h1').first().waitFor();
    await page.screenshot({ path: `${SHOTS}shell-role-${role}.png` });
    await checkAccessibility(page, `the home of role ${role}`);

    const fill = (pattern, who) => pattern.replace('{parent}', who.parent).replace('{id}', who._id);
    const expected = UNKNOWN.map((address) => [address, home]);
    for (const [pattern, own, foreign] of PAGES) {
      const mine = fill(pattern, me);
      expected.push([mine, own.includes(role) ? mine : home]);
      if (!foreign) continue;
      const theirs = fill(pattern, other);
      expected.push([theirs, foreign.includes(role) ? theirs : home]);
    }
    for (const [address, end] of expected) {
      const { path, redirects } = await land(page, address);
      assert.equal(path, end, `${address} for role ${role}`);
      assert.ok(redirects <= 2, `${address} took ${redirects} redirects`);
    }
    await page.context().close();
  });
}

test('without a session every page but the public ones redirects to the log-in', async () => {
  const page = await openPage(browser, 'nobody', errors);
  for (const address of ['/customers', '/vp-form', `/users/${people[2].user.parent}`, '/nowhere', '/']) {
    const { path, redirects } = await land(page, address);
    assert.ok(['/', '/login'].includes(path), `${address} ends on ${path}`);
    assert.ok(redirects <= 2);
    await page.getByLabel('Correo electrónico o teléfono').waitFor();
  }
  const { path } = await land(page, PUBLIC[0]);
  assert.equal(path, PUBLIC[0]);
  // For health checks: an empty page without a log-in.
  for (const address of ['/alive', '/ext-api/']) {
    await page.goto(server.url + address, { waitUntil: 'networkidle' });
    const empty = page.locator('#root');
    assert.equal((await empty.innerText()).trim(), '', address);
    assert.equal(await empty.locator('input, h1').count(), 0, address);
    assert.equal(new URL(page.url()).pathname.replace(/\/$/, ''), address.replace(/\/$/, ''));
  }
  await page.context().close();
});

test('no page threw an error', () => {
  assert.deepEqual(errors, []);
});
