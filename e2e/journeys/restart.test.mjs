/** Time and crashes: an expired link, a server that dies while recording, an orderly stop. Needs ATALAYA_BIN. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openBrowser, openPage, openPhoneBrowser } from './lib/browsers.mjs';
import { flows } from './lib/media.mjs';
import { freeMediaPort, freePort, startServer } from './lib/server.mjs';
import { enterAsClient, linkFromOutbox, logIn, openConference, session, until } from './lib/steps.mjs';

const SHOTS = new URL('../artifacts/', import.meta.url).pathname;
const errors = [];
let browser, phones, folder, port, mediaPort;

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  browser = await openBrowser();
  phones = await openPhoneBrowser();
  folder = await mkdtemp(join(tmpdir(), 'atalaya-restart-'));
  port = await freePort();
  mediaPort = await freeMediaPort();
});

after(async () => {
  await browser?.close();
  await phones?.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (env = {}) => startServer({ binary: process.env.ATALAYA_BIN, dataDir: folder, port, mediaPort, env });

/** libfaketime moves the clock of the process; timers go on as they are. */
const TOMORROW = { LD_PRELOAD: '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1', FAKETIME: '+25h' };

let accounts;
const account = (what) => accounts.find((a) => a.what === what);

/** Two people in a recorded call on this server. */
async function recordedCall(server, expedient, ms) {
  const admin = await session(server.url, account('administrator'));
  const staff = await openPage(browser, 'adjuster', errors);
  await logIn(staff, server.url, account('worker'));
  const id = await openConference(staff, server.url, { expedient });
  const { link } = await linkFromOutbox(admin);
  const phone = await openPage(phones, 'client', errors, { size: 'phone' });
  await enterAsClient(phone, link);
  await flows(staff);
  await staff.getByRole('button', { name: 'Grabar' }).click();
  await phone.getByText('Se está grabando').waitFor();
  await staff.waitForTimeout(ms);
  return { staff, phone, id };
}

// CALL-8, STORE-4
test('a crash keeps what was recorded, and people reconnect by themselves', async () => {
  const server = await start();
  accounts = server.accounts;
  const { staff, phone, id } = await recordedCall(server, 'EXP-CRASH', 7000);
  await server.end('SIGKILL');

  const again = await start();
  const mine = await session(again.url, account('worker'));
  const { media } = await (await mine.get(`conference-media/${id}`)).json();
  const videos = media.filter((m) => m.type === 'VIDEO');
  assert.equal(videos.length, 2, 'both recordings were recovered');
  for (const video of videos) {
    const bytes = Buffer.from(await (await mine.get(video.url)).arrayBuffer());
    const file = join(folder, video.filename);
    await writeFile(file, bytes);
    const seconds = Number(
      execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file], { encoding: 'utf8' }),
    );
    assert.ok(seconds > 4.5, `a recovered recording of ${seconds} s`);
    assert.equal(execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'null', '-'], { encoding: 'utf8' }), '');
  }
  // Without any action the pages reconnect to the server.
  await flows(staff, { timeout: 45_000 });
  await flows(phone, { timeout: 45_000 });
  await staff.context().close();
  await phone.context().close();
  await again.end('SIGTERM');
});

test('an orderly stop notifies the call and exits with 0', async () => {
  const server = await start();
  const { staff, phone, id } = await recordedCall(server, 'EXP-STOP', 4000);
  assert.equal(await server.end('SIGTERM'), 0);
  await phone.getByText(/Volviendo a conectar|Se ha cortado/).first().waitFor();
  await phone.screenshot({ path: `${SHOTS}client-reconnecting-phone.png` });
  await staff.screenshot({ path: `${SHOTS}call-server-gone-desktop.png` });

  const again = await start();
  const mine = await session(again.url, account('worker'));
  const { media } = await until(async () => (await mine.get(`conference-media/${id}`)).json(), (m) => m.media?.length === 2);
  assert.deepEqual(media.map((m) => m.type), ['VIDEO', 'VIDEO'], 'the recordings of the stopped server are whole');
  await staff.context().close();
  await phone.context().close();
  await again.end('SIGTERM');
});

// CASE-10, CLIENT-3
test('a link of yesterday has expired, and says what to do', async () => {
  const server = await start();
  const admin = await session(server.url, account('administrator'));
  const mine = await session(server.url, account('worker'));
  const opened = await mine.post('getToken', { phoneNumber: '600123123', expedientNumber: 'EXP-OLD', type: 1 });
  assert.equal(opened.status, 200);
  const { link } = await linkFromOutbox(admin);
  await server.end('SIGTERM');

  const tomorrow = await start(TOMORROW);
  const phone = await openPage(phones, 'client', errors, { size: 'phone' });
  await phone.goto(link);
  await phone.getByText('Este enlace ha caducado').waitFor();
  await phone.screenshot({ path: `${SHOTS}client-expired-phone.png` });
  await phone.goto(`${tomorrow.url}/c/zzzzzzzzzz`);
  await phone.getByText('Este enlace no existe').waitFor();
  await phone.screenshot({ path: `${SHOTS}client-unknown-phone.png` });
  await phone.context().close();
  await tomorrow.end('SIGTERM');
});
