/**
 * The ZIP of a case checks itself: the page inside it, opened from a disk without any server, on desktop and phone; and
 * `atalaya verify` says the same. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { checkAccessibility } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { closedWithPicture, session } from '../lib/steps.mjs';
import { SHOTS, world } from '../lib/world.mjs';

let server, browser, folder, archive, files, verifier, keys;

const { account, errors } = world('archive', async (made) => {
  ({ server, browser } = made);
  const principal = await session(server.url, account('customer'));
  const { conference } = await closedWithPicture(principal);
  assert.equal((await principal.get(`print-cert/${conference}`)).status, 200);
  const zip = Buffer.from(await (await principal.get(`/uploads/${conference}.zip`)).arrayBuffer());
  folder = await mkdtemp(join(tmpdir(), 'atalaya-archive-'));
  archive = join(folder, 'caso.zip');
  await writeFile(archive, zip);
  keys = join(folder, 'atalaya-evidence.pem');
  await writeFile(keys, await (await fetch(`${server.url}/.well-known/atalaya-evidence.pem`)).text());
  execFileSync('unzip', ['-q', archive, '-d', join(folder, 'caso')]);
  files = (await readdir(join(folder, 'caso'))).map((name) => join(folder, 'caso', name));
  verifier = pathToFileURL(join(folder, 'caso', 'verificador.html')).href;
});

after(async () => {
  if (folder) await rm(folder, { recursive: true });
});

/** The archive with one byte of its first picture changed. */
async function damaged() {
  const zip = await readFile(archive);
  const picture = await readFile(files.find((name) => name.endsWith('.jpg')));
  const at = zip.indexOf(picture);
  assert.ok(at > 0, 'files are stored as they are');
  zip[at + Math.floor(picture.length / 2)] ^= 1;
  const path = join(folder, 'cambiado.zip');
  await writeFile(path, zip);
  return path;
}

test('the archive, its unpacked files and a changed one, without any connection', async () => {
  const page = await openPage(browser, 'verifier', errors, { permissions: [] });
  await page.context().setOffline(true);
  await page.goto(verifier);
  await checkAccessibility(page, 'verifier');
  const drop = page.locator('#files');
  await drop.setInputFiles(archive);
  await page.getByText('Todo coincide, pero nada lo respalda todavía').waitFor();
  await page.screenshot({ path: `${SHOTS}archive-open.png`, fullPage: true });
  await checkAccessibility(page, 'verifier without a key');
  await page.locator('#trust').setInputFiles(keys);
  await page.getByText('Todo coincide y está respaldado').waitFor();
  await page.screenshot({ path: `${SHOTS}archive-good.png`, fullPage: true });
  await drop.setInputFiles(files);
  await page.getByText('Todo coincide').waitFor();
  await drop.setInputFiles(files.filter((name) => !name.endsWith('.pdf')));
  await page.getByText('Hay diferencias').waitFor();
  await drop.setInputFiles(await damaged());
  await page.getByText('Una comprobación no coincide con lo registrado.').waitFor();
  assert.equal(await page.getByText('No coincide', { exact: true }).count(), 1, 'the one that was changed');
  await checkAccessibility(page, 'verifier with findings');
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByText('There are differences').waitFor();
  await drop.setInputFiles(files.filter((name) => name.endsWith('.jpg')).slice(0, 2));
  await page.getByText('The manifest is missing').waitFor();
  assert.deepEqual([...page.seen].filter((origin) => origin !== 'null' && !origin.startsWith('file:')), [], 'nobody is asked');
  await page.context().close();
});

test('on a phone, in daylight', async () => {
  const page = await openPage(browser, 'verifier', errors, { size: 'phone', scheme: 'light', permissions: [] });
  await page.goto(verifier);
  await page.locator('#files').setInputFiles(archive);
  await page.getByText('Todo coincide').waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing leaves the screen');
  await checkAccessibility(page, 'verifier on a phone');
  await page.screenshot({ path: `${SHOTS}archive-phone-light.png`, fullPage: true });
  await page.context().close();
});

test('the command line says the same', async () => {
  const said = (...path) => spawnSync(process.env.ATALAYA_BIN, ['verify', ...path], { encoding: 'utf8' });
  const good = said(archive, '--key', keys);
  assert.deepEqual([good.status, good.stdout.startsWith('OK ')], [0, true], good.stdout + good.stderr);
  const online = said(archive, '--online', server.url);
  assert.equal(online.status, 0, online.stdout + online.stderr);
  assert.equal(said(archive).status, 3, 'nobody was named');
  const bad = said(await damaged());
  assert.equal(bad.status, 1);
  assert.match(bad.stdout, /^WRONG FILE .+\.jpg$/m);
});
