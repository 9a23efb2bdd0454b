/**
 * The pages under their policies: no page of staff, client, upload or verification breaks its content security policy or
 * Trusted Types, only pages of calls have camera and microphone, and text cannot become a script. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from '../lib/browsers.mjs';
import { acceptNotice, closedWithPicture, linkFromOutbox, logIn, openConference, session } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

let server, browser, admin, principal;
const PHONE = '+34600123654';

const { account, errors } = world('policy', async (made) => {
  ({ server, browser } = made);
  admin = await session(server.url, account('administrator'));
  principal = await session(server.url, account('customer'));
});

/** Runs in the page, before its own scripts. */
const listen = () =>
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample, sourceFile, lineNumber }) =>
    console.error(`VIOLATION ${violatedDirective} ${blockedURI} ${sample} ${sourceFile}:${lineNumber}`),
  );

/** A page and what it broke. */
async function watched(name, options) {
  const page = await openPage(browser, name, errors, { worker: true, ...options });
  const broken = [];
  page.on('console', (message) => {
    const text = message.text();
    if (/VIOLATION|Content Security Policy|Trusted ?Types|TrustedHTML|TrustedScript|Permissions policy violation/i.test(text)) {
      broken.push(`${new URL(page.url()).pathname}: ${text}`);
    }
  });
  await page.addInitScript(listen);
  return { page, broken };
}

/** What the document may use; Chromium tells. */
const powers = (page) =>
  page.evaluate(() => ['camera', 'microphone', 'geolocation', 'display-capture'].filter((one) => document.featurePolicy.allowsFeature(one)));

const heading = (page) => page.locator('h1').first().waitFor();

test('text becomes no script on any page', async () => {
  for (const path of ['/login', '/verificar', '/external/0123456789abcdef0123456789abcdef', '/offline.html']) {
    const { page, broken } = await watched('attacker', { permissions: [], breaks: true });
    await page.goto(server.url + path);
    const outcomes = await page.evaluate(() => {
      const tried = {
        markup: () => (document.createElement('div').innerHTML = '<img src=x onerror="1">'),
        frame: () => (document.createElement('iframe').srcdoc = '<script>1</script>'),
        script: () => (document.createElement('script').src = '/theme.js'),
        policy: () => window.trustedTypes.createPolicy('mine', { createHTML: (text) => text }),
        again: () => window.trustedTypes.createPolicy('atalaya', { createScriptURL: (text) => text }),
      };
      const outcome = (run) => {
        try {
          run();
          return 'passed';
        } catch (error) {
          return error.name;
        }
      };
      return Object.fromEntries(Object.entries(tried).map(([name, run]) => [name, outcome(run)]));
    });
    const { again, ...others } = outcomes;
    for (const [name, outcome] of Object.entries(others)) assert.equal(outcome, 'TypeError', `${name} on ${path}`);
    if (path === '/login' || path === '/verificar') assert.equal(again, 'TypeError', `the policy's name is taken on ${path}`);
    assert.ok(broken.length >= 4, 'the browser tells of each');
    await page.context().close();
  }
});

test('no page takes styles that stand in text', async () => {
  for (const path of ['/login', '/verificar', '/external/0123456789abcdef0123456789abcdef', '/offline.html']) {
    const { page, broken } = await watched('stylist', { permissions: [], breaks: true });
    const answer = await page.goto(server.url + path);
    const policy = answer.headers()['content-security-policy'];
    assert.ok(!policy.includes('unsafe-inline'), `${path}: ${policy}`);
    assert.ok(policy.includes("style-src-attr 'none'"), `${path}: ${policy}`);
    const shown = await page.evaluate(() => {
      const sheet = document.createElement('style');
      sheet.textContent = 'body { outline: 7px solid red }';
      document.head.append(sheet);
      document.documentElement.setAttribute('style', 'outline: 8px solid red');
      return [document.body, document.documentElement].map((one) => getComputedStyle(one).outlineWidth);
    });
    assert.ok(!shown.includes('7px') && !shown.includes('8px'), `${path}: ${shown}`);
    assert.equal(new Set(broken.flatMap((one) => one.match(/directive '(style-src\S*) /)?.[1] ?? [])).size, 2, `${path}: ${broken}`);
    if (path === '/login') {
      await page.getByRole('textbox', { name: 'Contraseña' }).waitFor();
      const nonces = await page.evaluate(() => [...document.querySelectorAll('style')].map(({ nonce }) => nonce));
      const own = /'nonce-([^']+)'/.exec(policy)[1];
      assert.ok(nonces.filter((nonce) => nonce === own).length >= 2, 'what the components write carries the nonce');
      const again = (await page.goto(server.url + path)).headers()['content-security-policy'];
      assert.ok(!again.includes(own), 'each answer has its own');
    }
    await page.context().close();
  }
});

test('the administrator walks through the pages and breaks nothing', async () => {
  const { page, broken } = await watched('administrator', { permissions: [] });
  await logIn(page, server.url, account('administrator'));
  const { parent, _id } = admin.user;
  const pages = [
    '/logs',
    '/customers',
    '/repairers',
    '/car-reparations',
    '/insurance-companies',
    `/users/${principal.user.parent}`,
    `/user/${parent}/${_id}`,
    `/customer/${principal.user.parent}/perfil`,
    `/customer/${principal.user.parent}/fiscal`,
    '/fiscal-requests',
    `/invoices/${principal.user.parent}`,
    `/consumption/${principal.user.parent}`,
    '/invoice-processes',
    '/remittances',
    '/verifactu',
    '/prices',
    '/legals',
    '/message-service',
    '/setup',
    `/agenda/${principal.user.parent}`,
    `/statistics/${principal.user.parent}`,
    '/conference-reports',
    '/broadcast',
    '/incidences/0',
    '/conferences-autos/0',
    '/conferences-div/0',
    '/api',
    `/password/${_id}`,
    '/cookies',
  ];
  for (const path of pages) {
    await page.goto(server.url + path);
    await heading(page);
    if (new URL(page.url()).pathname === path) assert.deepEqual(await powers(page), [], `nothing is given to ${path}`);
  }
  await page.goto(`${server.url}/logs`);
  await page.getByText(/El registro está íntegro/).waitFor();
  // The editor of formatted text, filled, typed in and pasted into.
  await page.goto(`${server.url}/legals`);
  await page.getByRole('button', { name: 'Nueva versión' }).click();
  const area = page.getByRole('textbox', { name: 'Texto' });
  await area.getByRole('heading').first().waitFor();
  await area.click();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', 'Uno\n\n<p>dos <img src="/mark.svg" alt=""></p>');
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  // In the middle of a paragraph, which it divides.
  await page.waitForFunction(() => /Uno\s*<\/p>\s*<p>dos/.test(document.activeElement.innerHTML));
  assert.equal(await area.locator('img').count(), 0, 'nothing but words comes in');
  assert.deepEqual(broken, []);
  await page.context().close();
});

test('an adjuster comes from a list to a call, which loads anew and has camera and microphone', async () => {
  const { page, broken } = await watched('adjuster');
  await logIn(page, server.url, account('worker'));
  assert.deepEqual(await powers(page), ['camera', 'microphone', 'display-capture'], 'the log-in leads to the form');
  const id = await openConference(page, server.url, { expedient: 'POL-1', phone: '600 123 654' });
  const link = (await linkFromOutbox(admin, PHONE)).link;
  const { user } = await session(server.url, account('worker'));
  await page.goto(`${server.url}/conferences-autos/${user.parent}`);
  await heading(page);
  assert.deepEqual(await powers(page), [], 'no list has a camera');
  await page.evaluate(() => {
    window.sameDocument = true;
  });
  // As a link of the app goes: no document is loaded for it but by the guard.
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/conference/${id}`);
  await page.waitForFunction(() => window.sameDocument === undefined);
  await page.waitForURL(`**/conference/${id}`);
  await heading(page);
  assert.deepEqual(await powers(page), ['camera', 'microphone', 'display-capture']);
  assert.deepEqual(broken, []);

  const client = await watched('client', { size: 'phone' });
  await client.page.goto(link);
  await acceptNotice(client.page);
  assert.deepEqual(await powers(client.page), ['camera', 'microphone', 'geolocation']);
  await client.page.getByRole('button', { name: 'Permitir cámara y micrófono' }).click();
  await client.page.getByRole('toolbar').waitFor();
  assert.deepEqual(client.broken, []);
  await client.page.context().close();
  await page.context().close();
});

test('the upload page and the verification, with its worker, break nothing', async () => {
  const worker = await session(server.url, account('worker 2'));
  const range = { begin: new Date(Date.now() - 20 * 86_400_000).toISOString(), end: new Date().toISOString() };
  const lists = await Promise.all(
    ['autos', 'div'].map(async (kind) => (await worker.post(`conferences-${kind}-details/${worker.user.parent}?limit=200`, range)).json()),
  );
  const own = lists.flatMap(({ conferences }) => conferences).find(({ closed }) => closed);
  const answer = await worker.post('client-files/new', {
    contactType: 1,
    contactText: 'Necesitamos unas fotos más. Pulse el enlace:',
    pageShowText: 'Con luz de día.',
    conferenceId: own._id,
    to: PHONE,
    emailTitle: '',
    items: [{ label: 'Póliza' }],
    remind: false,
    notify: false,
  });
  assert.ok(answer.ok, `files are requested: ${answer.status} ${await answer.clone().text()}`);
  const { link } = await linkFromOutbox(admin, PHONE);
  const upload = await watched('uploader', { size: 'phone' });
  await upload.page.goto(link);
  await heading(upload.page);
  assert.deepEqual(await powers(upload.page), ['camera']);
  assert.deepEqual(upload.broken, []);
  await upload.page.context().close();

  const { conference, item } = await closedWithPicture(principal);
  const bytes = Buffer.from(await (await principal.get(item.url)).arrayBuffer());
  assert.equal((await principal.get(`print-cert/${conference}`)).status, 200);
  const { certificates } = await (await principal.get(`certificates/${conference}`)).json();
  const visitor = await watched('visitor', { permissions: [] });
  await visitor.page.goto(server.url + new URL(certificates[0].url, server.url).pathname);
  await visitor.page.getByTestId('verify-file').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: bytes });
  await visitor.page.getByText(/Pertenece al certificado: archivo n\.º \d/).waitFor();
  assert.deepEqual(await powers(visitor.page), []);
  assert.deepEqual(visitor.broken, []);
  await visitor.page.context().close();
});
