/**
 * The main job: an SMS link, a real call, evidence in the gallery. Real Chromium, real server, demo accounts.
 * Needs ATALAYA_BIN. Screenshots go to e2e/artifacts.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cannotCut, cut } from '../engine/cut.mjs';
import { checkAccessibility, settled } from './lib/axe.mjs';
import { openBrowser, openPage, openPhoneBrowser, openRefusingBrowser } from './lib/browsers.mjs';
import { contrasts, fitsFingers } from './lib/looks.mjs';
import { flows, stats } from './lib/media.mjs';
import { startServer } from './lib/server.mjs';
import { acceptNotice, enterAsClient, linkFromOutbox, logIn, openConference, session, until } from './lib/steps.mjs';

const SHOTS = new URL('../artifacts/', import.meta.url).pathname;
let server, browser, phones, admin, worker, principal;
const errors = [];

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  server = await startServer({ binary: process.env.ATALAYA_BIN });
  const account = (what) => server.accounts.find((a) => a.what === what);
  worker = account('worker');
  principal = account('customer');
  assert.ok(worker && principal, `demo accounts are printed: ${server.output()}`);
  admin = await session(server.url, account('administrator'));
  browser = await openBrowser();
  phones = await openPhoneBrowser();
});

after(async () => {
  await browser?.close();
  await phones?.close();
  await server?.clean();
});

const shot = (page, name) => page.screenshot({ path: `${SHOTS}${name}.png` });
const page = (name, options) => openPage(name === 'client' ? phones : browser, name, errors, options);

function onlyOwnOrigin(...pages) {
  for (const each of pages) assert.deepEqual([...each.seen], [server.url], 'no request leaves our own origin');
}

/** Two people in a call; answers their pages and the conference. */
async function inCall(expedient, { staffSize = 'desktop', client = {} } = {}) {
  const staff = await page('adjuster', { size: staffSize });
  await logIn(staff, server.url, worker);
  const id = await openConference(staff, server.url, { expedient });
  const { link } = await linkFromOutbox(admin);
  const phone = await page('client', { size: 'phone' });
  await enterAsClient(phone, link, client);
  return { staff, phone, id, link };
}

/** A client's call held sideways: how much of the screen is picture, and where the way out lies. */
const sideways = (phone) =>
  phone.evaluate(() => {
    const seen = (element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const width = Math.min(right, innerWidth) - Math.max(left, 0);
      const height = Math.min(bottom, innerHeight) - Math.max(top, 0);
      return { width, height, share: (width * height) / (innerWidth * innerHeight) };
    };
    const buttons = [...document.querySelectorAll('.dock button')];
    const out = document.querySelector('.dock .round.bad');
    const { left, top, width, height } = out.getBoundingClientRect();
    return {
      picture: seen(document.querySelector('.stage video')),
      out: seen(out),
      buttons: buttons.length,
      onTop: out.contains(document.elementFromPoint(left + width / 2, top + height / 2)),
    };
  });

test('a phone in landscape shows picture and exit, with and without a recording', async () => {
  const { staff, phone } = await inCall('EXP-SIDE');
  await flows(staff);
  const check = async (state) => {
    for (const [width, height] of [[568, 320], [667, 375], [740, 360], [844, 390], [932, 430]]) {
      await phone.setViewportSize({ width, height });
      await settled(phone);
      const found = await sideways(phone);
      const what = `${state} ${width}x${height}: ${JSON.stringify(found)}`;
      await shot(phone, `client-call-sideways-${state}-${width}`);
      assert.ok(found.picture.share >= 0.5, `the picture is half of the screen, ${what}`);
      assert.ok(found.out.width >= 44 && found.out.height >= 44 && found.onTop, `the way out is in view, ${what}`);
    }
  };
  await check('plain');
  await staff.getByRole('button', { name: 'Grabar' }).click();
  await phone.getByText('Se está grabando').waitFor();
  await check('recording');
  await phone.getByRole('button', { name: 'Salir' }).click();
  await phone.getByRole('dialog').waitFor();
  await shot(phone, 'client-call-sideways-leave');
  // The adjuster's phone, turned as well.
  for (const [width, height] of [[667, 375], [844, 390], [932, 430]]) {
    await staff.setViewportSize({ width, height });
    await settled(staff);
    const found = await staff.evaluate(() => {
      const box = (element) => element.getBoundingClientRect();
      const out = document.querySelector('button[aria-label="Colgar"]');
      const { left, top, width, height } = box(out);
      const stage = box(document.querySelector('video').closest('section'));
      return {
        onTop: out.contains(document.elementFromPoint(left + width / 2, top + height / 2)),
        size: Math.min(width, height),
        picture: (stage.width * stage.height) / (innerWidth * innerHeight),
        lost: document.documentElement.scrollWidth - innerWidth,
      };
    });
    const what = `${width}x${height}: ${JSON.stringify(found)}`;
    await shot(staff, `call-sideways-${width}`);
    assert.ok(found.onTop && found.size >= 44, `"Colgar" is in view, ${what}`);
    assert.ok(found.picture >= 0.35 && found.lost <= 0, `the picture has its room, ${what}`);
  }
  await phone.close();
  await staff.close();
});

// CALL-5, CASE-13, CLIENT-1, CLIENT-24, CLIENT-25
test('from log-in to the zip', async () => {
  const staff = await page('adjuster');
  await staff.goto(`${server.url}/login`);
  await staff.getByRole('button', { name: 'Entrar', exact: true }).waitFor();
  await shot(staff, 'login-desktop-dark');
  await checkAccessibility(staff, 'login');
  await logIn(staff, server.url, worker);
  assert.ok(staff.url().endsWith('/vp-form'), 'a worker begins at the form');
  await staff.getByLabel('N.º de expediente').waitFor();
  await shot(staff, 'form-desktop-dark');
  await checkAccessibility(staff, 'form');

  const id = await openConference(staff, server.url, { expedient: 'EXP-MAIN-1' });
  await staff.getByText('Esperando al cliente').waitFor();
  await shot(staff, 'waiting-desktop-dark');
  await checkAccessibility(staff, 'waiting');
  const { link, text } = await linkFromOutbox(admin);
  assert.match(text, /^\S.* \(.+\)\. Pulse el enlace para iniciar la videoasistencia: http/, 'it names who calls');
  assert.ok(!text.includes('EXP-MAIN-1'), 'no case number in the SMS');

  // A preview robot reads the link and consumes nothing.
  assert.equal((await fetch(link)).status, 200);
  await staff.waitForTimeout(500);
  const mine = await session(server.url, worker);
  const untouched = await (await mine.get(`conferences-details/${id}`)).json();
  assert.deepEqual(untouched.tracks.filter((t) => t.actor === 'client'), []);

  const phone = await page('client', { size: 'phone' });
  await phone.goto(link);
  await phone.getByRole('button', { name: 'No acepto' }).waitFor();
  await shot(phone, 'client-notice-phone-dark');
  await checkAccessibility(phone, 'client notice');
  const number = phone.locator('header a[href^="tel:"]');
  assert.match(await number.getAttribute('href'), /^tel:\+34\d{9}$/, 'whoever doubts the message calls the company back');
  assert.ok(await number.isVisible());
  // Turned, it has less height than its buttons leave: they go to the end of what is read.
  assert.equal(await phone.locator('.actions.sticky').count(), 1);
  await phone.setViewportSize({ width: 844, height: 390 });
  await phone.locator('.actions:not(.sticky)').waitFor();
  await shot(phone, 'client-notice-sideways-dark');
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.locator('.actions.sticky').waitFor();
  for (const colorScheme of ['light', 'dark']) {
    await phone.emulateMedia({ colorScheme });
    const found = await contrasts(phone, ['.tick input']);
    assert.ok(found.length === 1 && found[0] >= 3, `the empty box, ${colorScheme}: ${found}`);
  }
  await staff.getByText('Enlace abierto').first().waitFor();
  await enterAsClient(phone, link);

  const seen = await flows(staff);
  assert.ok(seen.now.frames > 0);
  await flows(phone);
  await shot(staff, 'call-desktop-dark');
  await shot(phone, 'client-call-phone-dark');
  await checkAccessibility(staff, 'call');
  await checkAccessibility(phone, 'client call');

  await staff.getByLabel('Escriba a').fill('Acérquese a la rozadura, a un palmo.');
  await staff.keyboard.press('Enter');
  await phone.getByText('Acérquese a la rozadura').waitFor();

  const began = Date.now();
  await staff.getByRole('button', { name: 'Grabar' }).click();
  await phone.getByText('Se está grabando').waitFor();
  await staff.getByRole('button', { name: /Foto HD/ }).click();
  const media = await until(async () => (await (await mine.get(`conference-media/${id}`)).json()).media, (m) => m.length === 1);
  assert.ok((await stats(staff)).width < media[0].width, 'the still is larger than the stream');
  await shot(staff, 'call-photo-desktop-dark');
  await staff.waitForTimeout(4000);
  await staff.getByRole('button', { name: 'Pausar la grabación' }).click();
  await phone.getByText('Grabación en pausa').waitFor();
  const paused = Date.now();
  await staff.waitForTimeout(3000);
  const resumed = Date.now();
  await staff.getByRole('button', { name: 'Reanudar la grabación' }).click();
  await staff.waitForTimeout(2500);
  await staff.getByRole('button', { name: 'Colgar' }).click();
  await staff.getByRole('button', { name: 'Terminar conferencia' }).click();
  await phone.getByText('La videoasistencia ha terminado').waitFor();
  const recorded = (paused - began + Date.now() - resumed) / 1000;
  await shot(phone, 'client-end-phone-dark');

  const all = await until(async () => (await (await mine.get(`conference-media/${id}`)).json()).media, (m) => m.length === 3);
  await staff.goto(`${server.url}/conference-media/${id}`);
  await staff.getByText('3 archivos').waitFor();
  await shot(staff, 'media-desktop-dark');
  await checkAccessibility(staff, 'media');
  await checkFiles(mine, id, all, media[0], recorded);

  const details = await (await mine.get(`conferences-details/${id}`)).json();
  assert.equal(details.conference.closed, true);
  assert.ok(details.conference.duration >= 8, `duration ${details.conference.duration}`);
  assert.equal(details.conference.observation, 'correct');
  onlyOwnOrigin(staff, phone);
  await staff.context().close();
  await phone.context().close();
});

/** Every file decodes, is what its hash says, and lies in the zip; a film lasts at most the `recorded` seconds. */
async function checkFiles(mine, id, all, picture, recorded) {
  assert.equal(picture.type, 'PICTURE');
  assert.deepEqual([picture.width, picture.height], [1920, 1080], 'the still has the camera’s full size');
  const { zip } = await (await mine.get(`zip/${id}`)).json();
  const answer = await mine.get(zip);
  const archive = join(tmpdir(), `${id}.zip`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.equal(Number(answer.headers.get('content-length')), bytes.length);
  await writeFile(archive, bytes);
  const folder = join(tmpdir(), `${id}-zip`);
  await mkdir(folder, { recursive: true });
  execFileSync('python3', ['-m', 'zipfile', '-e', archive, folder]);
  for (const item of all) {
    const file = join(folder, item.originalFileName);
    const content = await readFile(file);
    assert.equal(createHash('sha256').update(content).digest('hex'), item.hash, item.originalFileName);
    const probe = JSON.parse(
      execFileSync('ffprobe', ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', file], { encoding: 'utf8' }),
    );
    const decoded = execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'null', '-'], { encoding: 'utf8', stdio: 'pipe' });
    assert.equal(decoded, '');
    if (item.type === 'PICTURE') {
      assert.deepEqual([probe.streams[0].width, probe.streams[0].height], [1920, 1080]);
    } else {
      const kinds = probe.streams.map((s) => s.codec_name).sort();
      assert.deepEqual(kinds, ['opus', 'vp8']);
      const seconds = Number(probe.format.duration);
      // At least the waits before and after the pause; the three seconds of the pause are not in the file.
      assert.ok(seconds > 4 && seconds < recorded + 1, `a recording of ${seconds} s in ${recorded} s without the pause`);
    }
  }
}

test('on phones: the adjuster’s screens at 390 pixels, light theme', async () => {
  const staff = await page('adjuster', { size: 'phone', scheme: 'light' });
  await staff.goto(`${server.url}/login`);
  await staff.getByRole('button', { name: 'Entrar', exact: true }).waitFor();
  await shot(staff, 'login-phone');
  await fitsFingers(staff, 'log-in');
  await logIn(staff, server.url, worker);
  await staff.getByLabel('N.º de expediente').waitFor();
  await fitsFingers(staff, 'form');
  await shot(staff, 'form-phone');
  const id = await openConference(staff, server.url, { expedient: 'EXP-PHONE' });
  await staff.getByText('Esperando al cliente').waitFor();
  await shot(staff, 'waiting-phone');
  const { link } = await linkFromOutbox(admin);
  const phone = await page('client', { size: 'phone', scheme: 'light' });
  await enterAsClient(phone, link);
  await flows(staff);
  await shot(staff, 'call-phone');
  await shot(phone, 'client-call-phone-light');
  await staff.goto(`${server.url}/conference-media/${id}`);
  await staff.getByRole('heading', { level: 1 }).first().waitFor();
  await settled(staff);
  await shot(staff, 'media-phone');
  onlyOwnOrigin(staff, phone);
  await staff.context().close();
  await phone.context().close();
});

/** Runs in the page: how many messages float, and over what of the way out and the chat they lie. */
function covered() {
  const box = (one) => one.getBoundingClientRect();
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const place = box(document.querySelector('.mantine-Notifications-root[data-position="bottom-right"]'));
  const messages = [...document.querySelectorAll('.mantine-Notification-root')].map((one) => {
    const { left, top, right, bottom } = box(one);
    // What is beyond its place is scrolled away.
    return { left, right, top: Math.max(top, place.top), bottom: Math.min(bottom, place.bottom) };
  });
  const kept = [...document.querySelectorAll('button[aria-label="Colgar"], section[aria-label="Chat"]')].filter((one) => one.checkVisibility());
  const names = kept.map((one) => one.ariaLabel);
  const under = kept.filter((one) => messages.some((message) => meet(message, box(one)))).map((one) => one.ariaLabel);
  return { count: messages.length, names, under, inView: messages.some(({ top, bottom }) => bottom - top > 40 && top < innerHeight) };
}

// CALL-45
test('toasts cover neither "Colgar" nor the chat', async () => {
  const { staff, phone } = await inCall('EXP-FLOAT');
  await flows(staff);
  await staff.route('**/api/v1/conference-chat/*', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, json: { code: 'DATABASE_UNAVAILABLE' } }) : route.continue(),
  );
  // As many as show at once; failures stay until they are closed.
  for (const count of [1, 2, 3, 4]) {
    await staff.getByLabel('Escriba a').fill(`Mensaje ${count}`);
    await staff.keyboard.press('Enter');
    await until(() => staff.locator('.mantine-Notification-root').count(), (shown) => shown === count);
  }
  for (const [width, height] of [[1440, 900], [1280, 720], [1000, 760], [800, 1100], [390, 844], [375, 667], [844, 390]]) {
    await staff.setViewportSize({ width, height });
    const tab = staff.getByRole('tab', { name: /^Chat/ });
    if ((await tab.count()) > 0 && (await tab.getAttribute('aria-selected')) !== 'true') await tab.click({ force: true });
    await settled(staff);
    const { count, names, under, inView } = await staff.evaluate(covered);
    const where = `${width} × ${height}`;
    await shot(staff, `call-messages-${width}`);
    assert.equal(count, 4, where);
    assert.deepEqual(names.toSorted(), ['Chat', 'Colgar'], `both show, ${where}`);
    assert.deepEqual(under, [], `nothing lies over them, ${where}`);
    assert.ok(inView, `the messages can be read, ${where}`);
  }
  await phone.context().close();
  await staff.context().close();
});

test('three people in one call', async () => {
  const { staff, phone, id } = await inCall('EXP-THREE');
  const third = await page('principal');
  await logIn(third, server.url, principal);
  await third.goto(`${server.url}/conference/${id}`);
  await flows(third, { frames: 20 });
  await flows(staff);
  await flows(phone);
  const mine = await session(server.url, worker);
  const { participants } = await (await mine.get(`conferences-details/${id}`)).json();
  assert.equal(participants.filter((p) => p.connected).length, 3);
  await shot(staff, 'call-three-desktop');
  for (const each of [staff, phone, third]) await each.context().close();
});

// CLIENT-10
test('the client reloads in the middle', async () => {
  const { staff, phone, id } = await inCall('EXP-RELOAD');
  await flows(staff);
  await phone.reload();
  await phone.getByRole('button', { name: 'Continuar la videollamada' }).click();
  await phone.getByRole('toolbar').waitFor();
  await flows(staff);
  await flows(phone);
  const mine = await session(server.url, worker);
  const { tracks, participants } = await (await mine.get(`conferences-details/${id}`)).json();
  assert.equal(tracks.filter((t) => t.type === 'LEGAL_ACCEPTED').length, 1, 'the notice is not asked again');
  assert.equal(participants.filter((p) => p.kind === 'client' && p.connected).length, 1, 'no ghost');
  await staff.context().close();
  await phone.context().close();
});

// CLIENT-12, CLIENT-14
test('the adjuster is notified of a refused camera, and the voice continues', async () => {
  const refusing = await openRefusingBrowser();
  const staff = await page('adjuster');
  await logIn(staff, server.url, worker);
  await openConference(staff, server.url, { expedient: 'EXP-REFUSED' });
  const { link } = await linkFromOutbox(admin);
  const phone = await openPage(refusing, 'client', errors, { size: 'phone', permissions: [] });
  await phone.goto(link);
  await acceptNotice(phone);
  await phone.getByRole('button', { name: 'Permitir cámara y micrófono' }).click();
  await phone.getByText('La cámara está bloqueada').waitFor();
  await shot(phone, 'client-refused-phone');
  await checkAccessibility(phone, 'client refused');
  await staff.getByText(/no ha permitido la cámara|Cámara bloqueada|ha bloqueado la cámara/i).first().waitFor();
  await shot(staff, 'waiting-refused-desktop');
  await phone.getByRole('button', { name: 'Seguir solo con voz' }).waitFor();
  await refusing.close();
  await staff.context().close();
});

// CLIENT-27, CLIENT-29
test('without scripts the page shows a text and the company’s number, in the client’s language', async () => {
  const staff = await page('adjuster');
  await logIn(staff, server.url, worker);
  await openConference(staff, server.url, { expedient: 'EXP-NO-SCRIPT' });
  const { link } = await linkFromOutbox(admin);
  // Scripts run here, but none of them arrives.
  const cut = await page('client', { size: 'phone', scheme: 'light' });
  await cut.route(/\/external-assets\/[^?]+\.js/, (route) => route.abort());
  await cut.goto(link);
  const phone = await page('client', { size: 'phone', script: false });
  await phone.goto(link);
  await phone.getByRole('heading', { name: 'La página no se abre' }).first().waitFor();
  assert.match(await phone.locator('noscript a[href^="tel:"]').first().textContent(), /\d{3}/);
  await shot(phone, 'client-no-script-phone');
  const { pathname } = new URL(phone.url());
  const arabic = await (await fetch(server.url + pathname, { headers: { 'accept-language': 'ar' } })).text();
  assert.match(arabic, /<div lang="ar" dir="rtl"><h1>[^<]+<\/h1>/);
  const code = await page('client', { size: 'phone' });
  await code.goto(`${server.url}/codigo`);
  await code.getByRole('heading', { name: 'Escriba el código' }).waitFor();
  const late = cut.locator('#app');
  await late.getByRole('heading', { name: 'La página no se abre' }).waitFor({ timeout: 15_000 });
  assert.match(await late.locator('a[href^="tel:"]').first().textContent(), /\d{3}/);
  await cut.locator('.spin').waitFor({ state: 'hidden' });
  await shot(cut, 'client-script-cut-phone-light');
  await checkAccessibility(cut, 'client without its script');
  for (const each of [staff, phone, code, cut]) await each.context().close();
});

// CLIENT-7
test('declining the notice is handled politely and can be undone', async () => {
  const staff = await page('adjuster');
  await logIn(staff, server.url, worker);
  await openConference(staff, server.url, { expedient: 'EXP-DECLINED' });
  const { link } = await linkFromOutbox(admin);
  const phone = await page('client', { size: 'phone' });
  await phone.goto(link);
  await phone.getByRole('button', { name: 'No acepto' }).click();
  await phone.getByText('No se ha iniciado la videoasistencia').waitFor();
  await shot(phone, 'client-declined-phone');
  await phone.getByRole('button', { name: 'He cambiado de opinión' }).click();
  await acceptNotice(phone);
  await phone.getByRole('button', { name: 'Permitir cámara y micrófono' }).waitFor();
  await staff.context().close();
  await phone.context().close();
});

// ENGINE-10
test('the media port is dead for ten seconds', { skip: cannotCut() ?? false }, async () => {
  const { staff, phone } = await inCall('EXP-CUT');
  await flows(staff);
  await flows(phone);
  const heal = cut({ udp: [server.media], tcp: [server.media] });
  try {
    await staff.waitForTimeout(2000);
    const start = await stats(staff);
    await staff.waitForTimeout(8000);
    const end = await stats(staff);
    assert.equal(end.frames, start.frames, 'no frame for eight of the ten seconds');
  } finally {
    heal();
  }
  await flows(staff);
  await flows(phone);
  await staff.context().close();
  await phone.context().close();
});

test('no page threw an error', () => {
  assert.deepEqual(errors, []);
});
