/**
 * The public verification page: a visitor without an account brings a right, a changed and a foreign file; the browser
 * hashes them and nothing leaves it. Unknown codes, a void certificate, phone and desktop. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { closedWithPicture, session } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

let server, browser, principal, admin, conference, item, bytes, certificate, archive;

const sha256 = (data) => createHash('sha256').update(data).digest('hex');

const { account, errors, shot } = world('verify', async (made) => {
  ({ server, browser } = made);
  principal = await session(server.url, account('customer'));
  admin = await session(server.url, account('administrator'));
  ({ conference, item } = await closedWithPicture(principal));
  bytes = Buffer.from(await (await principal.get(item.url)).arrayBuffer());
  assert.equal(sha256(bytes), item.hash, 'the picture is what its hash says');
  assert.equal((await principal.get(`print-cert/${conference}`)).status, 200);
  certificate = (await (await principal.get(`certificates/${conference}`)).json()).certificates[0];
  archive = Buffer.from(await (await principal.get(`/uploads/${conference}.zip`)).arrayBuffer());
  assert.match(certificate.url, /\/verificar\/[0-9A-Z]{5}(-[0-9A-Z]{5}){3}$/);
});

const path = () => new URL(certificate.url, server.url).pathname;
const file = (name, buffer) => ({ name, mimeType: 'image/jpeg', buffer });

test('a right, a changed and a foreign file, and nothing leaves the browser', async () => {
  const page = await openPage(browser, 'visitor', errors, { permissions: [] });
  await page.goto(server.url + path());
  await page.getByText('Certificado válido').waitFor();
  await page.getByText(certificate.number, { exact: true }).waitFor();
  await page.getByText('Peritaciones Levante').waitFor();
  assert.equal(await page.getByRole('row').filter({ hasText: item.hash.slice(0, 32) }).count(), 1);
  await checkAccessibility(page, 'verification');

  const sent = [];
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const changed = Buffer.from(bytes);
  changed[Math.floor(changed.length / 2)] ^= 1;
  const field = page.getByTestId('verify-file');
  await field.setInputFiles(file('original.jpg', bytes));
  await page.getByText(/Pertenece al certificado: archivo n\.º \d/).waitFor();
  await field.setInputFiles([file('cambiada.jpg', changed), file('ajena.jpg', randomBytes(4_000))]);
  await page.waitForFunction(() => document.body.innerText.split('No coincide con ningún archivo').length === 3);
  await page.getByText(sha256(changed).slice(32)).waitFor();
  // The archive of the case, opened by the page's worker under the page's policy.
  await field.setInputFiles({ name: 'caso.zip', mimeType: 'application/zip', buffer: archive });
  await page.getByText(/^(\d+) de \1 archivos del ZIP pertenecen al certificado$/).waitFor();
  assert.equal(await page.getByText('No está en el ZIP').count(), 0, 'every file of the certificate is in it');
  await shot(page, 'desktop-dark', { fullPage: true });
  await checkAccessibility(page, 'verification with results');
  const uploads = sent.filter((line) => !line.startsWith('GET '));
  assert.deepEqual(uploads, [], 'nothing is uploaded');
  assert.ok(
    sent.every((line) => /^GET \/assets\/[^/]*worker[^/]*\.js$/.test(line)),
    `only the page's own worker is loaded: ${sent}`,
  );
  assert.deepEqual([...page.seen], [server.url], 'no request leaves our own origin');
  assert.equal(await page.evaluate(() => localStorage.getItem('token')), null);
  await page.context().close();
});

test('a large file by dropping it, and a file dropped beside the field replaces nothing', async () => {
  const page = await openPage(browser, 'visitor', errors, { permissions: [] });
  await page.goto(server.url + path());
  await page.getByText('Suelte aquí').waitFor();
  const digest = createHash('sha256');
  for (let part = 0; part < 96; part += 1) digest.update(Buffer.alloc(1_048_576, part));
  const drop = (selector) =>
    page.evaluate((where) => {
      const parts = Array.from({ length: 96 }, (_, part) => new Uint8Array(1_048_576).fill(part));
      const data = new DataTransfer();
      data.items.add(new File(parts, 'grande.mp4', { type: 'video/mp4' }));
      const target = where === 'body' ? document.body : document.querySelector('input[type=file]').parentElement;
      const event = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
      return target.dispatchEvent(event);
    }, selector);
  assert.equal(await drop('body'), false, 'the browser does not open the file');
  assert.equal(await page.getByText('grande.mp4').count(), 0);
  await drop('field');
  await page.getByText(digest.digest('hex').slice(0, 32)).waitFor();
  await page.getByText('No coincide con ningún archivo del certificado').waitFor();
  await page.context().close();
});

test('an unknown code offers to type another one, in any usual way of writing it', async () => {
  const page = await openPage(browser, 'visitor', errors, { size: 'phone', scheme: 'light', permissions: [] });
  await page.addInitScript(() => localStorage.setItem('theme', 'light'));
  for (const code of ['00000-00000-00000-00000', 'nada', '%3Cb%3E']) {
    await page.goto(`${server.url}/verificar/${code}`);
    await page.getByText('No encontrado').waitFor();
  }
  await page.goto(`${server.url}/verificar/00000-00000-00000-00000`);
  await page.getByLabel('Código de verificación').fill('corto');
  await page.getByRole('button', { name: 'Comprobar', exact: true }).click();
  await page.getByText('El código tiene 20 letras y números').waitFor();
  await checkAccessibility(page, 'unknown code');
  await shot(page, 'unknown-phone');
  await page.getByLabel('Código de verificación').fill(certificate.code.toLowerCase().replaceAll('-', ' '));
  await page.getByRole('button', { name: 'Comprobar', exact: true }).click();
  await page.getByText('Certificado válido').waitFor();
  assert.ok(page.url().endsWith(path()), page.url());
  await page.getByTestId('verify-file').setInputFiles(file('original.jpg', bytes));
  await page.getByText(/Pertenece al certificado/).waitFor();
  await checkAccessibility(page, 'verification on a phone');
  await shot(page, 'phone', { fullPage: true });

  await page.getByRole('button', { name: /Idioma/ }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByText('Valid certificate').waitFor();
  await page.getByText(/Belongs to the certificate: file no\. \d/).waitFor();
  await page.context().close();
});

test('a void certificate says so, also beside a file that belongs to it', async () => {
  const answer = await admin.post(`certificate-void/${certificate._id}`, { reason: 'Emitido por error' });
  assert.ok(answer.ok, `${answer.status} ${await answer.clone().text()}`);
  const page = await openPage(browser, 'visitor', errors, { permissions: [] });
  await page.goto(server.url + path());
  await page.getByText('Certificado anulado').waitFor();
  await page.getByTestId('verify-file').setInputFiles(file('original.jpg', bytes));
  await page.getByText('Atención: el certificado está anulado.').waitFor();
  await checkAccessibility(page, 'void certificate');
  await shot(page, 'void-desktop');
  await page.context().close();
});
