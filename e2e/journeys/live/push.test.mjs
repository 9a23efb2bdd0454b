/** Notices on a device, the installable app, the page without a network. Needs ATALAYA_BIN. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openOwnBrowser, openPage } from '../lib/browsers.mjs';
import { notices, pushTo, startPushService, SUBSCRIBE_WITH } from '../lib/push.mjs';
import { startServer } from '../lib/server.mjs';
import { logIn, session, until } from '../lib/steps.mjs';

const SHOTS = new URL('../../artifacts/', import.meta.url).pathname;
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const errors = [];
let server, service, worker;
const browsers = [];

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  service = await startPushService();
  server = await startServer({ binary: process.env.ATALAYA_BIN, env: { ATALAYA_PUSH_SERVICES: service.origin } });
  worker = server.accounts.find((one) => one.what === 'worker');
});

after(async () => {
  await Promise.all(browsers.map((browser) => browser.close()));
  await server?.clean();
  await service?.stop();
});

const shot = (page, name) => page.screenshot({ path: `${SHOTS}push-${name}.png` });
const active = (page) =>
  page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration('/'))?.active?.state === 'activated');

/** A browser for each page, because the debugging protocol identifies the workers of one browser only by address. */
async function fresh(name, options) {
  const browser = await openOwnBrowser();
  browsers.push(browser);
  const page = await openPage(browser, name, errors, { worker: true, ...options });
  page.done = () => browser.close();
  return page;
}

async function open({ permissions = ['notifications'], prepare, ...options } = {}) {
  const page = await fresh('worker', { permissions, ...options });
  const light = () => location.protocol.startsWith('http') && localStorage.setItem('theme', 'light');
  if (options.scheme === 'light') await page.addInitScript(light);
  await prepare?.(page);
  await logIn(page, server.url, worker);
  return page;
}
async function openDevices(page) {
  const { user } = await session(server.url, worker);
  await page.goto(`${server.url}/password/${user._id}`);
  const section = page.getByRole('region', { name: 'Avisos en este dispositivo' });
  await section.waitFor();
  return section;
}

test('the app can be installed', async () => {
  const page = await open();
  await active(page);
  const debug = await page.context().newCDPSession(page);
  const { url, errors: wrong, data } = await debug.send('Page.getAppManifest');
  assert.equal(url, `${server.url}/manifest.webmanifest`);
  assert.deepEqual(wrong, []);
  const manifest = JSON.parse(data);
  assert.deepEqual([manifest.display, manifest.start_url, manifest.scope], ['standalone', '/', '/']);
  for (const { src, sizes, type } of manifest.icons.filter((icon) => icon.type === 'image/png')) {
    const answer = await fetch(server.url + src);
    assert.equal(answer.headers.get('content-type'), type, src);
    // Width and height stand in the first chunk of a PNG.
    const png = Buffer.from(await answer.arrayBuffer());
    assert.equal(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, sizes, src);
  }
  assert.deepEqual(
    manifest.icons.map(({ purpose }) => purpose).sort(),
    ['any', 'any', 'any', 'maskable'],
  );
  const { installabilityErrors } = await debug.send('Page.getInstallabilityErrors');
  // A test's window is private, which alone is no obstacle.
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'), []);
  const script = await fetch(`${server.url}/sw.js`);
  assert.match(script.headers.get('content-type'), /^text\/javascript/);
  assert.equal(script.headers.get('cache-control'), 'no-cache');
  await page.done();
});

test('the end client never gets the service worker', async () => {
  const page = await fresh('client', { size: 'phone' });
  await page.goto(`${server.url}/external/0123456789abcdef0123456789abcdef`);
  await page.waitForTimeout(1500);
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
  assert.equal(await page.locator('link[rel=manifest]').count(), 0);
  await page.done();
});

test('push is turned on, tested through a push service, shown, and removed at the logout', async () => {
  const subscription = service.subscription('worker');
  const page = await open({ prepare: (page) => page.addInitScript(SUBSCRIBE_WITH, subscription) });
  const section = await openDevices(page);
  await section.getByText('Desactivados aquí').waitFor();
  await shot(page, 'off-desktop-dark');
  await section.getByRole('button', { name: 'Activar avisos' }).click();
  await section.getByText('Activados aquí').waitFor();
  const row = section.getByRole('listitem');
  await row.getByText('Este dispositivo').waitFor();
  await section.getByRole('button', { name: 'Enviar una prueba' }).click();
  await page.getByText('Prueba enviada').waitFor();
  const [test] = service.received;
  assert.equal(test.url, '/worker');
  assert.equal(test.message.kind, 'test');
  assert.match(test.headers.authorization, /^vapid t=.+, ?k=.+/);
  assert.ok(Number(test.headers.ttl) > 0);
  await section.getByText(/Último aviso/).waitFor();
  await checkAccessibility(page, 'devices with notices');
  await shot(page, 'on-desktop-dark');

  // What the push service got is what the browser hands to the worker.
  await pushTo(page, test.text);
  const [shown] = await until(() => notices(page), (all) => all.length === 1);
  assert.equal(shown.title, test.message.title);
  assert.equal(shown.tag, test.message.tag);

  // A page load registers again: still one device.
  await page.reload();
  await section.getByText('Activados aquí').waitFor();
  await row.first().waitFor();
  assert.equal(await row.count(), 1);

  // The call does not reach the server, and the logout completes all the same.
  await page.route('**/api/v1/message-delete-token', (route) => route.abort());
  await page.getByRole('button', { name: 'Cerrar sesión' }).first().click();
  await page.getByLabel('Correo electrónico o teléfono').waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem('test-subscription')), null, 'unsubscribed here');
  const devices = async () => (await (await (await session(server.url, worker)).get('push-devices')).json()).devices;
  await until(devices, (left) => left.length === 0);

  // A user who turned them on here gets them again at the next log-in without being asked.
  await page.unroute('**/api/v1/message-delete-token');
  await logIn(page, server.url, worker);
  await until(devices, (left) => left.length === 1);
  await openDevices(page);
  await section.getByRole('button', { name: 'Desactivar aquí' }).click();
  await section.getByText('Desactivados aquí').waitFor();
  // The page may already know while the server is still being told.
  await until(devices, (left) => left.length === 0);
  await page.done();
});

test('the service worker shows one notice per request and opens only addresses of the app', async () => {
  const page = await open();
  await active(page);
  const send = (message) => pushTo(page, typeof message === 'string' ? message : JSON.stringify(message));
  const request = { title: 'Solicitud de videollamada', tag: 'r1', kind: 'request', url: '/vp-form?from=push' };
  await send({ ...request, body: 'Taller Hermanos Ruiz' });
  await send({ ...request, body: 'Taller Hermanos Ruiz, 2 minutos' });
  const shown = await until(() => notices(page), (all) => all[0]?.body.includes('2 minutos'));
  assert.deepEqual(shown, [
    { title: request.title, body: 'Taller Hermanos Ruiz, 2 minutos', tag: 'r1', data: { url: request.url, kind: 'request' }, requireInteraction: true },
  ]);
  for (const broken of ['', 'not json', '[]', '{"title":7}', 'null']) await send(broken);
  const all = await until(() => notices(page), (now) => now.length >= 2);
  assert.ok(all.some(({ title, body }) => title === 'Atalaya' && body), JSON.stringify(all));

  // A click, as far as a test can make one: the worker's own handler, on the shown notice.
  const sw = page.context().serviceWorkers()[0];
  const clickOn = (tag, url) =>
    sw.evaluate(
      async ([tag, url]) => {
        if (url) await self.registration.showNotification('x', { tag, data: { url } });
        const [notification] = await self.registration.getNotifications({ tag });
        try {
          self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
        } catch {
          // A script-made event cannot be awaited.
        }
      },
      [tag, url],
    );
  await clickOn('r1');
  await page.waitForURL('**/vp-form?from=push');
  assert.equal((await notices(page)).some(({ tag }) => tag === 'r1'), false, 'the notice is gone');
  for (const [n, url] of ['https://evil.example/steal', '//evil.example', 'javascript:alert(1)'].entries()) {
    await page.goto(`${server.url}/vp-form`);
    await active(page);
    await clickOn(`evil${n}`, url);
    await page.waitForTimeout(700);
    assert.equal(new URL(page.url()).origin, server.url, url);
  }
  assert.ok([...page.seen].every((origin) => !origin.includes('evil')), 'nobody was asked');
  assert.equal(page.context().pages().length, 1);
  await page.done();
});

test('without a network a page says so, and no data is cached', async () => {
  for (const [size, scheme] of [['desktop', 'dark'], ['phone', 'light']]) {
    const page = await open({ size, scheme });
    await active(page);
    // On a busy machine the first reload may come before the worker has taken the page.
    const controlled = () => page.evaluate(() => navigator.serviceWorker.controller !== null);
    for (let turn = 0; turn < 5 && !(await controlled()); turn++) {
      await page.reload();
      await page.getByLabel('N.º de expediente').waitFor();
    }
    assert.ok(await controlled(), 'the worker answers for the page');
    await page.context().setOffline(true);
    await page.goto(`${server.url}/vp-form`);
    await page.getByRole('heading', { name: 'Sin conexión' }).waitFor();
    await page.getByRole('heading', { name: 'No connection' }).waitFor();
    await checkAccessibility(page, `offline page, ${scheme}`);
    await shot(page, `offline-${size}-${scheme}`);
    const kept = await page.evaluate(async () => {
      const paths = [];
      for (const name of await caches.keys()) {
        for (const request of await (await caches.open(name)).keys()) paths.push(new URL(request.url).pathname);
      }
      return paths.sort();
    });
    assert.deepEqual(kept, ['/mark.svg', '/offline.html', '/offline.js', '/theme.js']);
    // The worker ignores an end client's link.
    await assert.rejects(page.goto(`${server.url}/external/0123456789abcdef0123456789abcdef`), /ERR_INTERNET_DISCONNECTED/);
    await page.goto(`${server.url}/vp-form`).catch(() => {});
    await page.getByRole('heading', { name: 'Sin conexión' }).waitFor();
    await page.context().setOffline(false);
    await page.getByLabel('N.º de expediente').waitFor({ timeout: 30_000 });
    await page.done();
  }
});

test('an iPhone is advised to use the home screen, and after a refusal how to undo it', async () => {
  const phone = await open({
    size: 'phone',
    scheme: 'light',
    agent: IPHONE,
    prepare: (page) =>
      page.addInitScript(() => {
        delete window.PushManager;
        delete window.Notification;
      }),
  });
  let section = await openDevices(phone);
  await section.getByText('Elija «Añadir a pantalla de inicio» y confirme.').waitFor();
  assert.equal(await section.getByRole('button', { name: 'Activar avisos' }).count(), 0);
  await section.scrollIntoViewIfNeeded();
  await checkAccessibility(phone, 'devices on an iPhone');
  await shot(phone, 'iphone-light');
  await phone.done();

  const denied = (page) =>
    page.addInitScript(() => {
      let answer = 'default';
      Object.defineProperty(Notification, 'permission', { get: () => answer });
      Notification.requestPermission = async () => {
        answer = 'denied';
        return answer;
      };
    });
  const page = await open({ size: 'phone', permissions: [], prepare: denied });
  section = await openDevices(page);
  await section.getByRole('button', { name: 'Activar avisos' }).click();
  await section.getByText('El navegador tiene bloqueados los avisos de Atalaya').waitFor();
  await section.getByText(/Permisos › Notificaciones › Permitir/).waitFor();
  await section.scrollIntoViewIfNeeded();
  await shot(page, 'denied-phone-dark');
  await page.done();
});

test('no page threw an error', () => assert.deepEqual(errors, []));
