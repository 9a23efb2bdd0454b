/**
 * The adjuster asks for files, the client sends them from a phone: camera, picker, a bad connection, a closed page.
 * Real Chromium, real server, demo accounts. Needs ATALAYA_BIN. Screenshots go to e2e/artifacts.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { checkAccessibility, settled } from '../lib/axe.mjs';
import { openPage, openPhoneBrowser } from '../lib/browsers.mjs';
import { startServer } from '../lib/server.mjs';
import { linkFromOutbox, session, until } from '../lib/steps.mjs';

const SHOTS = new URL('../../artifacts/', import.meta.url).pathname;
const PHONE = '+34600123987';
const ITEMS = [
  { shot: 'plate', label: 'Matrícula', hint: 'De frente, a dos pasos' },
  { label: 'Póliza', hint: 'El PDF o una foto del papel' },
  { label: 'Foto del golpe' },
];
const NOTE = 'Falta la segunda hoja de la póliza.';
let server, phones, blurry, admin, worker, conference, request, link;
const errors = [];

/** A camera out of focus, as a file that Chromium plays. */
function openBlurredPhone() {
  const camera = join(tmpdir(), 'atalaya-journey-blurred.mjpeg');
  const source = 'testsrc2=size=1280x720:rate=10:duration=1,avgblur=60,avgblur=60';
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-pix_fmt', 'yuvj420p', '-q:v', '4', camera]);
  const flags = ['--no-sandbox', '--disable-gpu', '--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'];
  const args = [...flags, `--use-file-for-fake-video-capture=${camera}`];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args });
}

/** A HEIC as far as anybody can tell who does not decode it (Chromium cannot): its brand, then bytes. */
const heic = (size) =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic', 'latin1'), randomBytes(size - 24)]);
const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
);
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  server = await startServer({ binary: process.env.ATALAYA_BIN });
  const account = (what) => server.accounts.find((a) => a.what === what);
  admin = await session(server.url, account('administrator'));
  // The demo data give this one a call long enough to ask for more.
  worker = await session(server.url, account('worker 2'));
  phones = await openPhoneBrowser();
  blurry = await openBlurredPhone();
});

after(async () => {
  await phones?.close();
  await blurry?.close();
  await server?.clean();
});

const open = (browser = phones, options = {}) => openPage(browser, 'client', errors, { size: 'phone', ...options });

/** Both themes of what is on the screen now. */
async function shots(page, name) {
  for (const scheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({ path: `${SHOTS}upload-${name}-phone-${scheme}.png` });
  }
}

/** The live picture is there and moves on, and what the page shows around it has come to rest. */
async function cameraRuns(page) {
  await page.waitForFunction(() => {
    const video = document.querySelector('video');
    return video?.videoWidth > 0 && video.currentTime > 0;
  });
  await settled(page);
}

const row = (page, label) => page.getByRole('button', { name: new RegExp(`^${label}`) });
const button = (page, name) => page.getByRole('button', { name, exact: true });
const pick = (page, files) => page.locator('#pick').setInputFiles(files);
const requests = async () => (await (await worker.get(`client-files/${conference}`)).json()).requests;
const asked = async () => (await requests()).find(({ _id }) => _id === request._id);
const mediaOf = async () => (await (await worker.get(`conference-media/${conference}`)).json()).media;

async function ask(items, to = PHONE) {
  const answer = await worker.post('client-files/new', {
    contactType: 1,
    contactText: 'Necesitamos unas fotos más. Pulse el enlace:',
    pageShowText: 'Haga las fotos con luz de día y el coche quieto.',
    conferenceId: conference,
    to,
    emailTitle: '',
    items,
    remind: true,
    notify: true,
  });
  const body = await answer.json();
  assert.ok(answer.ok, `files are requested: ${answer.status} ${JSON.stringify(body)}`);
  return body.request;
}

// FILES-7
test('the adjuster asks for three things by SMS', async () => {
  const range = { begin: new Date(Date.now() - 20 * 86_400_000).toISOString(), end: new Date().toISOString() };
  const list = async (kind) => {
    const answer = await worker.post(`conferences-${kind}-details/${worker.user.parent}?limit=200`, range);
    return answer.json();
  };
  const lists = await Promise.all(['autos', 'div'].map(list));
  const rows = lists.flatMap((one) => one.conferences ?? []);
  const usable = rows.find((one) => one.mayRequestFiles);
  assert.ok(usable, `a demo conference takes requests: ${JSON.stringify(rows[0] ?? lists)}`);
  conference = usable._id;
  request = await ask(ITEMS);
  assert.deepEqual(
    request.items.map(({ label, state }) => [label, state]),
    ITEMS.map(({ label }) => [label, 'asked']),
  );
  link = (await linkFromOutbox(admin, PHONE)).link;
  assert.match(link, /\/f\/[0-9A-Za-z]{10}$/);
  // A preview robot reads the page and leaves no trace.
  assert.equal((await fetch(link)).status, 200);
  assert.equal((await asked()).openedAt, null);
});

// FILES-25
test('a blurred photo gets "otra vez"', async () => {
  const page = await open(blurry);
  await page.goto(link);
  await page.getByRole('heading', { name: /Faltan 3 archivos/ }).waitFor();
  await until(asked, (one) => one.openedAt !== null);
  await shots(page, 'list');
  await checkAccessibility(page, 'list of files');
  await button(page, 'Hacer la foto').click();
  const shutter = page.getByRole('button', { name: 'Hacer la foto' });
  await page.locator('.shutter').waitFor();
  await cameraRuns(page);
  await shots(page, 'camera');
  await checkAccessibility(page, 'camera');
  await shutter.click();
  await page.getByRole('heading', { name: 'Otra vez, con el móvil quieto' }).waitFor();
  await shots(page, 'again');
  await checkAccessibility(page, 'photo to repeat');
  assert.deepEqual((await asked()).items[0].mediaIds, [], 'nothing was sent yet');
  await button(page, 'Repetir la foto').click();
  await page.locator('.shutter').waitFor();
  await page.getByRole('button', { name: 'Cerrar' }).click();
  await page.context().close();
});

// FILES-15
test('uploads from camera and picker survive a lost connection and a closed page', { timeout: 120_000 }, async () => {
  const page = await open();
  await page.goto(link);
  await button(page, 'Hacer la foto').click();
  await page.locator('.shutter').waitFor();
  await cameraRuns(page);
  await page.locator('.shutter').click();
  await row(page, 'Matrícula').getByText('Enviada').waitFor();
  await row(page, 'Póliza').click();
  await pick(page, [{ name: 'póliza.pdf', mimeType: 'application/pdf', buffer: pdf }]);
  await row(page, 'Póliza').getByText('Enviado').waitFor();
  await page.getByRole('heading', { name: /Falta 1 archivo/ }).waitFor();
  await shots(page, 'one-missing');

  // Slow enough to be cut in the middle.
  // Much larger than one piece: the piece under way when the network goes may still arrive whole.
  const picture = heic(16_000_000);
  const cdp = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 40, downloadThroughput: 1_000_000, uploadThroughput: 600_000 };
  await cdp.send('Network.emulateNetworkConditions', slow);
  await pick(page, [{ name: 'IMG_0042.HEIC', mimeType: 'image/heic', buffer: picture }]);
  await page.getByText('Enviando 1 archivo').waitFor();
  await shots(page, 'sending');
  const token = new URL(page.url()).pathname.split('/').pop();
  const uploads = async () => (await (await fetch(`${server.url}/api/v1/external/files/${token}`)).json()).uploads;
  const begun = (list) => list.find(({ name }) => name === 'IMG_0042.HEIC');
  await until(uploads, (list) => begun(list)?.offset >= 2_000_000);
  await page.context().setOffline(true);
  await page.getByText('Sin conexión').first().waitFor();
  await shots(page, 'offline');
  await checkAccessibility(page, 'offline');
  const half = begun(await uploads());
  assert.ok(half.state === 'running' && half.offset < picture.length, `cut in the middle: ${JSON.stringify(half)}`);
  const context = page.context();
  await page.close();

  await context.setOffline(false);
  const again = await context.newPage();
  const offsets = [];
  again.on('request', (one) => {
    if (one.method() === 'PATCH') offsets.push(Number(one.headers()['upload-offset']));
  });
  await again.goto(link);
  await row(again, 'Foto del golpe').getByText('Enviado').waitFor();
  assert.ok(offsets[0] >= half.offset, `it goes on at ${half.offset}, not from the beginning: ${offsets}`);
  await again.getByRole('heading', { name: /Ya está todo/ }).waitFor();
  await shots(again, 'all-sent');
  const arrived = await until(mediaOf, (list) => list.some(({ hash }) => hash === sha256(picture)));
  assert.ok(arrived.some(({ hash }) => hash === sha256(pdf)), 'the PDF has the same SHA-256');
  assert.equal((await asked()).received, 3);
  await context.close();
});

// FILES-21
test('an unusable file is reported with its reason', async () => {
  const page = await open();
  await page.goto(link);
  await row(page, 'Foto del golpe').click();
  await pick(page, [
    { name: 'notas.txt', mimeType: 'text/plain', buffer: Buffer.from('hola') },
    { name: 'falsa.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('esto no es una foto') },
  ]);
  await page.getByText('notas.txt').waitFor();
  await page.getByText('falsa.jpg').waitFor();
  assert.equal(await page.locator('.refused').getByText('Ese tipo de archivo no vale').count(), 2);
  await shots(page, 'refused-files');
  await checkAccessibility(page, 'refused files');
  await page.getByRole('button', { name: 'Entendido' }).first().click();
  await page.getByText('notas.txt').waitFor({ state: 'detached' });
  await page.context().close();
});

// FILES-12
test('a file that the adjuster rejects is shown with the reason', async () => {
  const page = await open();
  await page.goto(link);
  const item = (await asked()).items[1];
  const answer = await worker.post(`media-review/${item.mediaIds[0]}`, { approve: false, note: NOTE });
  assert.ok(answer.ok, `reviewed: ${answer.status}`);
  await worker.post(`media-review/${(await asked()).items[0].mediaIds[0]}`, { approve: true });
  await page.reload();
  await row(page, 'Póliza').getByText(`Otra vez: ${NOTE}`).waitFor();
  await row(page, 'Matrícula').getByText('Aceptada').waitFor();
  await shots(page, 'sent-back');
  await checkAccessibility(page, 'sent back');
  await pick(page, [{ name: 'hoja2.pdf', mimeType: 'application/pdf', buffer: Buffer.concat([pdf, Buffer.from('%2\n')]) }]);
  await page.getByRole('heading', { name: /Ya está todo/ }).waitFor();
  await button(page, 'He terminado').click();
  await page.getByRole('heading', { name: 'Archivos enviados. Gracias' }).waitFor();
  await shots(page, 'thanks');
  await checkAccessibility(page, 'thanks');
  await until(asked, (one) => one.finishedAt !== null);
  await page.reload();
  await page.getByRole('heading', { name: 'Archivos enviados. Gracias' }).waitFor();
  await page.context().close();
});

test('the page works by keyboard, in English and with large text', async () => {
  request = await ask([{ shot: 'damage_near', label: 'Daño, de cerca' }, { label: 'Otros papeles' }], '+34600123988');
  const page = await open(phones, { locale: 'en-GB', scheme: 'light' });
  await page.goto((await linkFromOutbox(admin, '+34600123988')).link);
  await page.getByRole('heading', { name: /2 files to go/ }).waitFor();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('es');
  await page.getByRole('heading', { name: /Faltan 2 archivos/ }).waitFor();
  for (let i = 0; i < 10; i++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(() => document.activeElement?.textContent)) === 'Hacer la foto') break;
  }
  await page.keyboard.press('Enter');
  await page.locator('.shutter').waitFor();
  await cameraRuns(page);
  await shots(page, 'camera-near');
  await page.getByRole('button', { name: 'Cerrar' }).press('Enter');
  await button(page, 'Hacer la foto').waitFor();
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, 'nothing to the side');
  await page.screenshot({ path: `${SHOTS}upload-list-200-phone.png`, fullPage: true });
  await page.context().close();
});

test('a refused camera offers other ways', async () => {
  const page = await open(phones, { permissions: [] });
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await page.goto((await linkFromOutbox(admin, '+34600123988')).link);
  await button(page, 'Hacer la foto').click();
  await page.getByRole('heading', { name: 'Permita el uso de la cámara' }).waitFor();
  await shots(page, 'camera-ask');
  await button(page, 'Permitir la cámara').click();
  await page.getByRole('heading', { name: 'La cámara está bloqueada' }).waitFor();
  await shots(page, 'camera-blocked');
  await checkAccessibility(page, 'camera blocked');
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Usar la aplicación de cámara').click();
  await chooser;
  await page.locator('#shoot').setInputFiles(await picture());
  await row(page, 'Daño, de cerca').getByText('Enviada').waitFor();
  await page.context().close();
});

// FILES-41, FILES-42
test('several chosen files go to the chosen items, and a PDF is no photo', async () => {
  const page = await open();
  await page.goto((await linkFromOutbox(admin, '+34600123988')).link);
  await button(page, 'No puedo enviar todo').waitFor();
  const paper = Buffer.concat([pdf, Buffer.from('%3\n')]);
  await pick(page, [await picture(), { name: 'factura.pdf', mimeType: 'application/pdf', buffer: paper }]);
  await page.getByRole('heading', { name: '¿Qué es cada archivo?' }).waitFor();
  const places = page.getByRole('combobox', { name: 'Qué es factura.pdf' });
  assert.deepEqual(await places.locator('option').allTextContents(), ['Elija…', 'Otros papeles', 'No enviar']);
  await button(page, 'Enviar').click();
  await page.getByText('Diga qué es cada archivo').waitFor();
  await shots(page, 'places');
  await checkAccessibility(page, 'places of files');
  await page.getByRole('combobox', { name: 'Qué es golpe.jpg' }).selectOption('No enviar');
  await places.selectOption('Otros papeles');
  await button(page, 'Enviar').click();
  await row(page, 'Otros papeles').getByText('Enviado').waitFor();
  assert.equal(await row(page, 'Daño, de cerca').getByText('Enviada').count(), 1, 'what was not to be sent was not');
  await page.context().close();
});

async function picture() {
  const file = join(tmpdir(), 'atalaya-journey-photo.jpg');
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'mandelbrot=size=1600x1200', '-frames:v', '1', file]);
  return { name: 'golpe.jpg', mimeType: 'image/jpeg', buffer: await readFile(file) };
}

// FILES-8
test('links that accept no files say what to do', async () => {
  const cancelled = await worker.post(`client-files-cancel/${request._id}`, {});
  assert.ok(cancelled.ok, `cancelled: ${cancelled.status}`);
  const page = await open();
  await page.goto((await linkFromOutbox(admin, '+34600123988')).link);
  await page.getByRole('heading', { name: 'Ya no hace falta que envíe nada' }).waitFor();
  await shots(page, 'cancelled');
  await checkAccessibility(page, 'cancelled');
  await page.goto(`${server.url}/external/files/${'0'.repeat(32)}`);
  await page.getByRole('heading', { name: 'Este enlace no existe' }).waitFor();
  await shots(page, 'unknown');
  await checkAccessibility(page, 'unknown');
  assert.deepEqual([...page.seen], [server.url], 'no request leaves our own origin');
  await page.context().close();
  assert.deepEqual(errors, [], 'no page had an error');
});
