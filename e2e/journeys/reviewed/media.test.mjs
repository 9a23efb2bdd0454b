/**
 * After the call: looking at the pictures, naming them, two side by side; asking the client for more by SMS and e-mail
 * with every message on the way; what the client sends arrives and is approved or sent back; certificate and zip.
 * Needs ATALAYA_BIN, ffmpeg and pdftotext. Screenshots go to e2e/artifacts.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openBrowser, openPage, openPhoneBrowser } from '../lib/browsers.mjs';
import { startServer } from '../lib/server.mjs';
import { enterAsClient, linkFromOutbox, logIn, openConference, session, until } from '../lib/steps.mjs';

const SHOTS = new URL('../../artifacts/', import.meta.url).pathname;
const EXPEDIENT = 'EXP-REV-1';
const errors = [];
let server, browser, phones, admin, worker, mine, folder, conference, page, link;

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  folder = await mkdtemp(join(tmpdir(), 'atalaya-reviewed-'));
  server = await startServer({ binary: process.env.ATALAYA_BIN });
  const account = (what) => server.accounts.find((a) => a.what === what);
  worker = account('worker');
  admin = await session(server.url, account('administrator'));
  mine = await session(server.url, worker);
  browser = await openBrowser();
  phones = await openPhoneBrowser();
  conference = await aCall();
});

after(async () => {
  const open = browser?.contexts().flatMap((context) => context.pages()) ?? [];
  for (const [index, each] of open.entries()) await each.screenshot({ path: `${SHOTS}media-left-${index}.png` });
  await browser?.close();
  await phones?.close();
  await server?.clean();
  await rm(folder, { recursive: true, force: true });
  assert.deepEqual(errors, [], 'no page threw an error');
});

const shot = (name, where = page) => where.screenshot({ path: `${SHOTS}media-${name}.png` });
const media = async () => (await (await mine.get(`conference-media/${conference}`)).json()).media;
const requests = async () => (await (await mine.get(`client-files/${conference}`)).json()).requests;

/** A call of more than 22 s with two pictures; answers the conference's id. */
async function aCall() {
  const staff = await openPage(browser, 'adjuster', errors);
  await logIn(staff, server.url, worker);
  const id = await openConference(staff, server.url, { expedient: EXPEDIENT });
  const { link: way } = await linkFromOutbox(admin);
  const phone = await openPage(phones, 'client', errors, { size: 'phone' });
  await enterAsClient(phone, way);
  const taken = async () => (await (await mine.get(`conference-media/${id}`)).json()).media;
  for (const count of [1, 2]) {
    await staff.getByRole('button', { name: /Foto HD/ }).click();
    await until(taken, (all) => all.length === count, 60_000);
  }
  const details = async () => (await (await mine.get(`conferences-details/${id}`)).json()).conference;
  const entered = Date.parse((await until(details, (one) => one.rooms.length > 0)).rooms[0].startedAt);
  await staff.waitForTimeout(Math.max(0, entered + 27_000 - Date.now()));
  await staff.getByRole('button', { name: 'Colgar' }).click();
  await staff.getByRole('button', { name: 'Terminar conferencia' }).click();
  await phone.getByText('La videoasistencia ha terminado').waitFor();
  const { duration, mayRequestFiles } = await until(details, (one) => one.closed && one.duration > 22);
  assert.ok(mayRequestFiles, `files may be asked for after ${duration} s`);
  await staff.context().close();
  await phone.context().close();
  return id;
}

/** The picture shown large, and the n-th cell of the grid; what they are called depends on the shot list. */
const large = () => page.getByRole('region', { name: 'Vista previa' }).getByRole('img').first();
const cell = (n) => page.getByRole('region', { name: 'Multimedia' }).locator('button[aria-label]').nth(n);
const scale = (index = 0) =>
  page
    .getByTestId('moved')
    .nth(index)
    .evaluate((one) => new DOMMatrix(getComputedStyle(one).transform).a);

test('pictures: zoom, turn, side by side, name and note', async () => {
  page = await openPage(browser, 'adjuster', errors);
  await logIn(page, server.url, worker);
  await page.goto(`${server.url}/conference-media/${conference}`);
  await page.getByText('2 archivos').waitFor();
  await page.getByRole('button', { name: 'Solicitar archivos' }).waitFor();
  const before = await media();

  // Wheel, keys and double press.
  const picture = large();
  await picture.hover();
  await page.mouse.wheel(0, -200);
  assert.ok((await scale()) > 1.1, 'the wheel zooms');
  await page.keyboard.press('0');
  assert.equal(await scale(), 1);
  await picture.dblclick();
  assert.ok((await scale()) > 2);
  await page.keyboard.press('-');
  await page.keyboard.press('0');
  await page.keyboard.press('r');
  assert.equal(await picture.getAttribute('data-turn'), '90');
  await shot('turned-desktop-dark');
  for (let n = 0; n < 3; n += 1) await page.keyboard.press('R');
  assert.equal(await picture.getAttribute('data-turn'), null);

  await page.getByLabel('Nombre').fill('Paragolpes, de lejos');
  await page.getByLabel('Nota').fill('Comparar con el parte.');
  await page.getByLabel('Nota').blur();
  await page.getByText('Guardado').nth(1).waitFor();
  await page.getByRole('button', { name: 'Paragolpes, de lejos' }).waitFor();

  // A save that fails says so and keeps the words; another try saves them.
  await page.route('**/api/v1/media/*', (route) => route.abort());
  await page.getByLabel('Nota').fill('Comparar con el parte y con el taller.');
  await page.getByLabel('Nota').blur();
  await page.getByText('No se ha guardado.').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.getByLabel('Nota').inputValue(), 'Comparar con el parte y con el taller.');
  await page.unroute('**/api/v1/media/*');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await until(media, (all) => all.some((one) => one.note === 'Comparar con el parte y con el taller.'));

  await page.getByRole('button', { name: 'Comparar con otra foto' }).click();
  await page.getByRole('list', { name: 'Fotos para comparar' }).getByRole('button').click();
  await page.getByRole('region', { name: 'Vista previa' }).getByRole('img').nth(1).waitFor();
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await until(() => scale(0), (now) => now > 2);
  assert.equal(await scale(0), await scale(1), 'one zoom for both');
  await shot('side-by-side-desktop-dark');
  await checkAccessibility(page, 'media, side by side');
  await page.getByRole('button', { name: 'Dejar de comparar' }).click();

  // Full window, the next one, and back.
  await page.getByRole('button', { name: 'Ver en grande' }).click();
  const preview = page.getByRole('dialog', { name: 'Vista previa' });
  await preview.getByText('1 de 2').waitFor();
  await page.keyboard.press('ArrowRight');
  await preview.getByText('2 de 2').waitFor();
  await shot('preview-desktop-dark');
  await checkAccessibility(page, 'preview');
  await page.keyboard.press('Escape');
  await preview.waitFor({ state: 'hidden' });

  // None of this changed the originals.
  assert.deepEqual(
    (await media()).map((one) => one.hash),
    before.map((one) => one.hash),
  );
});

const field = (label) => page.getByRole('dialog').getByLabel(label, { exact: true });
const send = (channel) => page.getByRole('button', { name: channel === 'sms' ? 'Enviar SMS' : 'Enviar correo' });
const channel = (name) => page.getByRole('dialog').locator('label').filter({ hasText: name }).first().click();

// FILES-3, FILES-5
test('a request by SMS: warning, every error message, no input lost', async () => {
  await page.getByRole('button', { name: 'Solicitar archivos' }).click();
  await page.getByText('Se enviará un mensaje al cliente con un enlace para subir archivos.').waitFor();
  await shot('request-warning-desktop-dark');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await send('sms').waitFor();
  await shot('request-sms-desktop-dark');
  await checkAccessibility(page, 'request by SMS');

  // A press beside it does not close it.
  await page.mouse.click(20, 450);
  assert.ok(await send('sms').isVisible());

  const text = 'x'.repeat(100);
  for (const [label, value, message] of [
    ['Mensaje', `${text}x`, 'El SMS es demasiado largo'],
    ['Mensaje', ' ', 'Escriba el texto'],
    ['Destinatario', '612345', 'El teléfono no es válido. Escriba todas sus cifras; si no es de España, con el prefijo.'],
    ['Destinatario', '+34 6 1 2 3 4 5 6 78', 'El teléfono es demasiado largo'],
    ['Texto que verá el cliente', 'x'.repeat(251), 'El texto es demasiado largo'],
  ]) {
    const was = await field(label).inputValue();
    await field(label).fill(value);
    await send('sms').click();
    await page.getByText('Revise los datos').waitFor();
    await page.getByText(message, { exact: true }).waitFor();
    await field(label).fill(was);
  }
  await field('Mensaje').fill(text);
  await page.getByText('100 / 100 · 1 SMS').waitFor();

  // Closed by its cross and opened again, it keeps what was typed and shows no warning.
  await page.getByRole('dialog').getByRole('button', { name: 'Cerrar' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Solicitar archivos' }).click();
  assert.equal(await field('Mensaje').inputValue(), text);

  // An error without a code, then one with a code.
  await page.route('**/client-files/new', (route) => route.fulfill({ status: 502, body: 'bad gateway' }));
  await send('sms').click();
  await page.getByText('Si el error persiste, contacte con soporte').waitFor();
  await page.unroute('**/client-files/new');
  const problem = { status: 409, code: 'FILE_REQUEST_EXPIRED', detail: 'El plazo terminó.' };
  await page.route('**/client-files/new', (route) =>
    route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  );
  await send('sms').click();
  const { file_request_expired: mapped } = JSON.parse(
    await readFile(new URL('../../../locales/es/errors.json', import.meta.url), 'utf8'),
  );
  await page.getByText(mapped).waitFor();
  await page.unroute('**/client-files/new');
  assert.equal(await field('Mensaje').inputValue(), text);

  // Everything of the list unticked: nothing to ask for.
  const boxes = page.getByRole('dialog').getByRole('checkbox');
  for (let n = 0; n < (await boxes.count()); n += 1) await boxes.nth(n).uncheck();
  await send('sms').click();
  await page.getByText('Marque al menos una cosa').waitFor();
  await page.getByRole('checkbox', { name: 'Matrícula' }).check();
  await page.getByRole('button', { name: 'Añadir otra cosa' }).click();
  await page.getByLabel('Qué necesita').fill('Etiqueta del neumático');
  await page.getByRole('button', { name: 'Añadir', exact: true }).click();
  await page.getByRole('dialog').locator('label').filter({ hasText: 'Así lo verá' }).click();
  await page.getByRole('dialog').getByText('Etiqueta del neumático').waitFor();
  await shot('request-preview-desktop-dark');
  await send('sms').click();
  await page.getByText(/^Solicitud (enviada|guardada)/).waitFor();
  await shot('request-sent-desktop-dark');
  await page.getByRole('button', { name: 'Aceptar' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  const [request] = await requests();
  assert.deepEqual(
    request.items.map((one) => one.label),
    ['Matrícula', 'Etiqueta del neumático'],
  );
  const sms = await linkFromOutbox(admin);
  assert.ok(sms.text.startsWith(text), 'the words come first, the link after them');
  link = sms.link;
});

// FILES-4, FILES-8
test('a request by e-mail, without the text of the page the second time', async () => {
  await page.getByRole('button', { name: 'Solicitar archivos' }).click();
  await page.getByRole('button', { name: 'Continuar' }).click();
  await channel('Correo electrónico');
  assert.equal(await field('Texto que verá el cliente').count(), 0);
  for (const [label, value, message] of [
    ['Destinatario', '', 'Escriba el correo electrónico'],
    ['Destinatario', 'carmen@correo', 'El correo electrónico no está completo'],
    ['Asunto', '', 'El asunto es obligatorio'],
    ['Asunto', 'x'.repeat(71), 'El asunto es demasiado largo'],
    ['Mensaje', 'x'.repeat(401), 'El mensaje es demasiado largo'],
  ]) {
    await field('Destinatario').fill('carmen@correo.example');
    const was = await field(label).inputValue();
    await field(label).fill(value);
    await send('email').click();
    await page.getByText(message, { exact: true }).waitFor();
    if (value === 'carmen@correo') await shot('request-email-desktop-dark');
    await field(label).fill(was);
  }
  assert.equal(await field('Destinatario').getAttribute('maxlength'), '100');
  await checkAccessibility(page, 'request by e-mail');
  const boxes = page.getByRole('dialog').getByRole('checkbox');
  for (let n = 0; n < (await boxes.count()); n += 1) await boxes.nth(n).uncheck();
  await page.getByRole('checkbox', { name: 'Parte amistoso' }).check();
  await send('email').click();
  await page.getByText(/^Solicitud (enviada|guardada)/).waitFor();
  await page.getByRole('button', { name: 'Aceptar' }).click();
  assert.equal((await requests()).length, 2);

  // After cancelling, its link no longer opens, and the list says so.
  await page.getByRole('button', { name: 'Solicitudes hechas' }).click();
  const card = page.getByRole('article').first();
  await card.getByText('Parte amistoso').waitFor();
  await checkAccessibility(page, 'requests made');
  await card.getByRole('button', { name: 'Anular' }).click();
  await card.getByRole('button', { name: 'Anular' }).click();
  await card.getByText('Anulada').waitFor();
  await page.getByRole('article').nth(1).getByRole('button', { name: 'Volver a enviar' }).click();
  await page.getByText('Enlace enviado otra vez').waitFor();
  await shot('requests-desktop-dark');
  await page.getByRole('dialog').getByRole('button', { name: 'Cerrar' }).click();
});

/** Sends a file as the client's page does: the public calls, resumable. */
async function upload(token, item, name, bytes) {
  const base = `${server.url}/api/v1/external/files/${token}/uploads`;
  const text = (value) => Buffer.from(value).toString('base64');
  const metadata = { filename: name, filetype: 'image/jpeg', item, uploadKey: `key-${name}` };
  const created = await fetch(base, {
    method: 'POST',
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': String(bytes.length),
      'Upload-Metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${text(value)}`)
        .join(','),
    },
  });
  assert.equal(created.status, 201, await created.text());
  const sent = await fetch(new URL(created.headers.get('location'), server.url), {
    method: 'PATCH',
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
    },
    body: bytes,
  });
  assert.equal(sent.status, 204, await sent.text());
  return sent.headers.get('upload-media');
}

async function picture(name, source) {
  const path = join(folder, name);
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', `${source}=size=1600x1200`, '-frames:v', '1', path]);
  return readFile(path);
}

// FILES-12
test('files from the client appear and are reviewed', async () => {
  const answer = await fetch(link, { redirect: 'manual' });
  const token = new URL(answer.headers.get('location'), server.url).pathname.split('/').pop();
  const { items } = await (await fetch(`${server.url}/api/v1/external/files/${token}`)).json();
  assert.equal(items.length, 2);
  const plate = await picture('plate.jpg', 'testsrc2');
  const tyre = await picture('tyre.jpg', 'smptehdbars');
  const ids = [
    await upload(token, items[0]._id, 'plate.jpg', plate),
    await upload(token, items[1]._id, 'tyre.jpg', tyre),
  ];
  // The open page updates by itself.
  await page.getByText('4 archivos').waitFor();
  const all = await media();
  const sha = (bytes) => createHash('sha256').update(bytes).digest('hex');
  assert.equal(all.find((one) => one._id === ids[0]).hash, sha(plate));

  const waiting = page.getByRole('button', { name: /Pendiente de revisar/ });
  assert.equal(await waiting.count(), 2);
  await waiting.first().click();
  await page.getByText('plate.jpg').waitFor();
  await shot('requested-desktop-dark');
  await page.getByRole('button', { name: 'Aprobar' }).click();
  await page.getByText('Aprobado', { exact: true }).waitFor();
  await waiting.first().click();
  await page.getByText('tyre.jpg').waitFor();
  await page.getByRole('heading', { name: 'Etiqueta del neumático' }).waitFor();
  await page.getByRole('button', { name: 'Rechazar' }).click();
  await page.getByRole('button', { name: 'Rechazar y pedir otra' }).click();
  await page.getByText('Escriba el motivo').waitFor();
  await page.getByLabel('Motivo para el cliente').fill('No se lee la medida; acérquese más.');
  await page.getByRole('button', { name: 'Rechazar y pedir otra' }).click();
  await page.getByText('Rechazado', { exact: true }).waitFor();
  await shot('verdicts-desktop-dark');
  await checkAccessibility(page, 'verdicts');
  const again = await (await fetch(`${server.url}/api/v1/external/files/${token}`)).json();
  assert.equal(again.items[1].state, 'rejected');
  assert.match(again.items[1].note, /acérquese más/);
});

async function downloaded(button) {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

test('certificate and zip are downloaded', async () => {
  const certificate = await downloaded(page.getByRole('button', { name: 'Certificado' }));
  const text = execFileSync('pdftotext', ['-layout', certificate, '-'], { encoding: 'utf8' });
  assert.match(text, /Certificado de evidencias electrónicas/i);
  assert.ok(text.includes(EXPEDIENT), 'the case number is in it');
  const { certificates } = await (await mine.get(`certificates/${conference}`)).json();
  assert.ok(text.includes(certificates[0].number), `its number ${certificates[0].number} is in it`);
  await page.getByText(certificates[0].number).waitFor();
  await shot('certificate-desktop-dark');
  await checkAccessibility(page, 'certificate issued');
  const way = page.getByRole('link', { name: 'Página de verificación' });
  assert.match(await way.getAttribute('href'), /^\/verificar\//);

  const zip = await downloaded(page.getByRole('button', { name: /Descargar todo/ }));
  const listing = execFileSync('python3', ['-m', 'zipfile', '-l', zip], { encoding: 'utf8' });
  assert.equal(listing.match(/\.(jpg|png) /g)?.length, 4, listing);
  for (const name of ['manifest.json', 'verificador.html', 'certificado.pdf']) assert.ok(listing.includes(name), name);
  await page.context().close();
});

test('the gallery works on a phone', async () => {
  page = await openPage(browser, 'adjuster on a phone', errors, { size: 'phone', scheme: 'light' });
  await page.addInitScript(() => localStorage.setItem('theme', 'light'));
  await logIn(page, server.url, worker);
  await page.goto(`${server.url}/conference-media/${conference}`);
  await page.getByText('4 archivos').waitFor();
  await shot('phone-light');
  await checkAccessibility(page, 'media on a phone');
  await cell(1).tap();
  const preview = page.getByRole('dialog', { name: 'Vista previa' });
  await preview.getByText('2 de 4').waitFor();
  const box = await preview.getByRole('img').boundingBox();
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.touchscreen.tap(middle.x, middle.y);
  await page.touchscreen.tap(middle.x, middle.y);
  await until(() => scale(), (now) => now > 2);
  await shot('phone-zoomed-light');
  await preview.getByRole('button', { name: 'Comparar con otra foto' }).tap();
  await page.getByRole('list', { name: 'Fotos para comparar' }).getByRole('button').first().tap();
  await shot('phone-side-by-side-light');
  await checkAccessibility(page, 'side by side on a phone');
  await preview.getByRole('button', { name: 'Cerrar' }).tap();
  await preview.waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Solicitar archivos' }).tap();
  await page.getByRole('button', { name: 'Continuar' }).tap();
  await send('sms').waitFor();
  await shot('phone-request-light');
  await checkAccessibility(page, 'request on a phone');
  const wide = await page.evaluate(() => document.scrollingElement.scrollWidth <= window.innerWidth);
  assert.ok(wide, 'nothing sticks out sideways');
  await page.context().close();
});
