/**
 * The same product with a LiveKit server carrying the media: tokens, room service, webhooks (CALL-1, CALL-9).
 * It is skipped with a note where `make livekit` has not cached a server. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { ownAddress } from '../engine/lib/args.mjs';
import { PAIR, startLiveKit } from '../engine/servers.mjs';
import { openBrowser, openPage, openPhoneBrowser } from './lib/browsers.mjs';
import { flows } from './lib/media.mjs';
import { freePort, startServer } from './lib/server.mjs';
import { enterAsClient, linkFromOutbox, logIn, openConference, session } from './lib/steps.mjs';

const cached = () => {
  try {
    const script = new URL('../../scripts/livekit.sh', import.meta.url).pathname;
    return execFileSync(script, ['--cached'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
};
const binary = cached();
const skip = binary ? false : 'no LiveKit server is cached here (make livekit builds one where Go is installed)';
const errors = [];
let livekit, server, browser, phones;

async function start() {
  const port = await freePort();
  const address = ownAddress() ?? '127.0.0.1';
  livekit = await startLiveKit({ binary, address, port: await freePort(), webhook: `http://127.0.0.1:${port}/livekit/webhook` });
  server = await startServer({
    binary: process.env.ATALAYA_BIN,
    port,
    env: { ATALAYA_LIVEKIT_URL: livekit.url, ATALAYA_LIVEKIT_API_KEY: PAIR.key, ATALAYA_LIVEKIT_API_SECRET: PAIR.secret },
  });
  browser = await openBrowser();
  phones = await openPhoneBrowser();
}

async function end() {
  await browser?.close();
  await phones?.close();
  await server?.clean();
  await livekit?.close();
}

before(async () => {
  if (!binary) return;
  try {
    await start();
  } catch (error) {
    // Hooks after a failed one do not run: what has started would keep this file from ending.
    await end();
    throw error;
  }
});

after(end);

test('a call over a LiveKit server', { skip }, async () => {
  const account = (what) => server.accounts.find((a) => a.what === what);
  const admin = await session(server.url, account('administrator'));
  const mine = await session(server.url, account('worker'));
  const staff = await openPage(browser, 'adjuster', errors);
  await logIn(staff, server.url, account('worker'));
  const id = await openConference(staff, server.url, { expedient: 'EXP-LIVEKIT' });
  const { link } = await linkFromOutbox(admin);
  const phone = await openPage(phones, 'client', errors, { size: 'phone' });
  await enterAsClient(phone, link);
  await flows(staff);
  await flows(phone);
  assert.equal(await staff.getByRole('button', { name: 'Grabar' }).count(), 0, 'no egress service, no button');
  const refused = await mine.post(`conference-recording/${id}`, { action: 'start' });
  assert.equal(refused.status, 503);
  assert.equal((await refused.json()).code, 'RECORDING_UNAVAILABLE');

  await staff.getByRole('button', { name: /Foto HD/ }).click();
  await staff.getByText('1 foto').first().waitFor();
  await staff.getByLabel('Escriba a').fill('Un poco más cerca, por favor.');
  await staff.keyboard.press('Enter');
  await phone.getByText('Un poco más cerca').waitFor();
  await staff.getByRole('button', { name: 'Colgar' }).click();
  await staff.getByRole('button', { name: 'Terminar conferencia' }).click();
  await phone.getByText('La videoasistencia ha terminado').waitFor();

  const { conference, tracks } = await (await mine.get(`conferences-details/${id}`)).json();
  const connected = tracks.filter((t) => t.type === 'CONNECTED').map((t) => t.actor);
  assert.ok(connected.includes('client') && connected.some((a) => a.startsWith('user:')), 'webhooks tell who came');
  assert.ok(conference.sid.startsWith('RM_'));
  assert.ok(conference.duration > 0, `duration ${conference.duration}`);
  assert.deepEqual(errors, []);
});
