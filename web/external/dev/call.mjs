// The call of the client's page against a real LiveKit server (the one `make livekit` caches) with a fake adjuster:
// media both ways, a still at full size, requests from the adjuster, a cut, a reload, the end. The API is answered here.
// Run after a build: node external/dev/call.mjs [folder for pictures]. Needs no Rust server.

import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from './serve.mjs';

const out = process.argv[2] ?? '/tmp/atalaya-client-call';
mkdirSync(out, { recursive: true });
const PORT = 5184;
const LIVEKIT = 8150;
const hash = 'b'.repeat(32);
const KEY = 'devkey';
const SECRET = 'a-secret-long-enough-for-a-development-run';

const b64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
function token(identity, name, grants = {}) {
  const now = Math.floor(Date.now() / 1000);
  const head = `${b64({ alg: 'HS256', typ: 'JWT' })}.${b64({ iss: KEY, sub: identity, name, nbf: now - 5, exp: now + 3600, video: { roomJoin: true, room: 'r', canPublish: true, canSubscribe: true, canPublishData: true, ...grants } })}`;
  return `${head}.${createHmac('sha256', SECRET).update(head).digest('base64url')}`;
}

async function twirp(method, body) {
  const response = await fetch(`http://127.0.0.1:${LIVEKIT}/twirp/livekit.RoomService/${method}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token('api', 'api', { roomAdmin: true })}`,
    },
    body: JSON.stringify({ room: 'r', ...body }),
  });
  if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`);
  return response.json();
}
const fromServer = (message) =>
  twirp('SendData', {
    data: Buffer.from(JSON.stringify(message)).toString('base64'),
    kind: 'RELIABLE',
    topic: 'atalaya',
  });

function startLiveKit() {
  const folder = `${process.env.ATALAYA_CACHE ?? `${homedir()}/.cache/atalaya`}/livekit`;
  const name = readdirSync(folder).find((file) => file.startsWith('livekit-server'));
  const config = `${mkdtempSync(`${tmpdir()}/client-call-`)}/livekit.yaml`;
  writeFileSync(
    config,
    `port: ${LIVEKIT}\nkeys:\n  ${KEY}: ${SECRET}\nrtc:\n  tcp_port: ${LIVEKIT + 1}\n  udp_port: ${LIVEKIT + 2}\n  node_ip: 127.0.0.1\n  use_external_ip: false\n  enable_loopback_candidate: true\n`,
  );
  const child = spawn(`${folder}/${name}`, ['--config', config, '--bind', '127.0.0.1'], { stdio: 'ignore' });
  process.on('exit', () => child.kill('SIGKILL'));
  return child;
}

/** A page with livekit-client and nothing else: the adjuster's side. */
function adjusterPage(port) {
  const library = fileURLToPath(
    new URL('../../node_modules/livekit-client/dist/livekit-client.esm.mjs', import.meta.url),
  );
  const server = createServer((request, response) => {
    if (request.url === '/livekit.mjs') {
      response.setHeader('content-type', 'text/javascript');
      createReadStream(library).pipe(response);
    } else {
      response.setHeader('content-type', 'text/html');
      response.end(
        '<!doctype html><title>adjuster</title><video id="v" muted autoplay playsinline style="width:640px;height:360px"></video><button id="b">x</button>',
      );
    }
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

const adjusterScript = async ({ url, token }) => {
  const { Room, RoomEvent } = await import('/livekit.mjs');
  const room = new Room({ adaptiveStream: false });
  globalThis.got = [];
  globalThis.room = room;
  room.on(
    RoomEvent.DataReceived,
    (bytes, from) => from && globalThis.got.push(JSON.parse(new TextDecoder().decode(bytes))),
  );
  room.on(RoomEvent.TrackSubscribed, (track) =>
    track.attach(track.kind === 'video' ? document.getElementById('v') : undefined),
  );
  await room.connect(url, token);
  await room.localParticipant.setMicrophoneEnabled(true);
  // A drawn face: a second page on the same fake camera would keep it from changing its size for the photo.
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  setInterval(() => {
    context.fillStyle = `hsl(${Date.now() / 20}, 40%, 50%)`;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }, 100);
  await room.localParticipant.publishTrack(canvas.captureStream(10).getVideoTracks()[0], {
    source: 'camera',
    simulcast: false,
  });
  globalThis.say = (message) =>
    room.localParticipant.publishData(new TextEncoder().encode(JSON.stringify(message)), {
      reliable: true,
      topic: 'atalaya',
    });
};

const info = {
  state: 'open',
  company: 'Mutua Tramontana',
  adjuster: 'Nuria Ferrer',
  expedientNumber: '2026-118392',
  type: 1,
  carId: '4821 LKM',
  contactPerson: 'Carmen',
  language: 'es',
  languages: ['es', 'en'],
  expiredAt: null,
  retentionDays: 31,
  legal: { documentId: 'd', version: 1, language: 'es', title: 't', html: '<p>Aviso</p>', sha256: 'f' },
  recording: { state: 'idle' },
  contactPhone: '+34971000000',
};
const world = { closed: false, uploads: [], tracks: [], fail: 0, joins: 0, chat: [] };

async function api(context) {
  await context.route('**/api/v1/external/**', (route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname.split('/').pop();
    const json = (body, status = 200) => route.fulfill({ status, json: body });
    switch (path) {
      case 'track':
        world.tracks.push(request.postDataJSON());
        return route.fulfill({ status: 204 });
      case 'legal':
        return json({ clientKey: 'k' });
      case 'join':
        world.joins++;
        if (world.closed) return json({ code: 'CONFERENCE_CLOSED' }, 410);
        return json({
          url: `ws://127.0.0.1:${LIVEKIT}`,
          token: token('client:0001', 'Carmen'),
          identity: 'client:0001',
          conference: { _id: 'r' },
          recording: { state: 'idle' },
          chat: world.chat,
        });
      case 'chat': {
        const message = {
          _id: `c${world.chat.length}`,
          from: 'client:0001',
          name: 'Carmen',
          kind: 'client',
          text: request.postDataJSON().text,
          at: new Date().toISOString(),
        };
        world.chat.push(message);
        return json({ message });
      }
      case 'media': {
        if (world.fail-- > 0) return json({ code: 'UNAVAILABLE' }, 503);
        const body = request.postDataBuffer();
        const text = body.toString('latin1');
        const meta = JSON.parse(/name="meta"\r\n\r\n(.*?)\r\n/s.exec(text)[1]);
        const start = body.indexOf('\r\n\r\n', body.indexOf('name="file"')) + 4;
        world.uploads.push({ meta, file: body.subarray(start, body.lastIndexOf('\r\n--')) });
        return json({ media: { _id: `m${world.uploads.length}`, hash: 'x' } });
      }
      case 'leave':
        return route.fulfill({ status: 204 });
      default:
        return json({ ...info, state: world.closed ? 'closed' : 'open' });
    }
  });
}

let failures = 0;
async function check(name, work, ms = 15_000) {
  const end = Date.now() + ms;
  let last;
  do {
    try {
      const value = await work();
      if (value) {
        console.log(
          `ok   ${name}${value === true ? '' : `: ${typeof value === 'object' ? JSON.stringify(value) : value}`}`,
        );
        return value;
      }
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  } while (Date.now() < end);
  failures++;
  console.log(`FAIL ${name}${last ? `: ${last.message.split('\n')[0]}` : ''}`);
  return null;
}

const livekit = startLiveKit();
const servers = [
  await serve(PORT, { connect: `ws://127.0.0.1:${LIVEKIT} http://127.0.0.1:${LIVEKIT}` }),
  await adjusterPage(PORT + 1),
];
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream=device-count=2',
    '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding',
    '--autoplay-policy=no-user-gesture-required',
  ],
});
try {
  await check('LiveKit answers', async () => (await fetch(`http://127.0.0.1:${LIVEKIT}`)).ok);
  const staff = await (await browser.newContext({ permissions: ['camera', 'microphone'] })).newPage();
  await staff.goto(`http://127.0.0.1:${PORT + 1}`);
  await staff.evaluate(adjusterScript, { url: `ws://127.0.0.1:${LIVEKIT}`, token: token('user:1', 'Nuria Ferrer') });
  const got = (t, test = () => true) =>
    staff.evaluate(([t]) => globalThis.got.filter((m) => m.t === t), [t]).then((all) => all.filter(test));
  const say = (message) => staff.evaluate((m) => globalThis.say(m), message);
  const frames = () => staff.evaluate(() => document.getElementById('v').getVideoPlaybackQuality().totalVideoFrames);
  const moving = async () => {
    const before = await frames();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return (await frames()) - before > 5;
  };
  const heard = () =>
    staff.evaluate(async () => {
      let energy = 0;
      for (const p of globalThis.room.remoteParticipants.values())
        for (const pub of p.audioTrackPublications.values())
          for (const report of (await pub.track.receiver.getStats()).values())
            if (report.type === 'inbound-rtp') energy += report.totalAudioEnergy ?? 0;
      return energy;
    });

  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'es-ES',
    permissions: ['camera', 'microphone', 'geolocation'],
    geolocation: { latitude: 39.57, longitude: 2.65, accuracy: 8 },
  });
  await api(context);
  const page = await context.newPage();
  page.on('pageerror', (error) => console.log('page error:', error.message));
  if (process.env.LOG) page.on('console', (message) => console.log('page:', message.text()));
  await page.goto(`http://127.0.0.1:${PORT}/external/${hash}`);
  await page.locator('.tick').click();
  const shot = (name) => page.screenshot({ path: `${out}/${name}.png` });
  for (let i = 0; i < 4; i++) {
    await page.locator('.actions .b.main').first().click();
    await page.waitForTimeout(400);
  }
  const joined = Date.now();
  await check('the adjuster gets frames', moving);
  console.log(`     ${Date.now() - joined} ms after the last tap`);
  await check('and sound', async () => (await heard()) > 0);
  await check(
    'steps were told',
    async () =>
      ['LINK_OPENED', 'LEGAL_SHOWN', 'GEO_FIX'].every((type) => world.tracks.some((track) => track.type === type)) &&
      world.tracks.filter(({ type }) => type === 'PERMISSION_GRANTED').length === 3,
  );
  await check('capabilities are published', async () => (await got('caps', ({ cameras }) => cameras === 2))[0]);
  await check('position is published', async () => (await got('position'))[0]);
  await check('three layers are sent', () =>
    staff.evaluate(
      () =>
        [...globalThis.room.remoteParticipants.values()][0].getTrackPublication('camera').trackInfo.layers?.length ===
        3,
    ),
  );
  await check('the adjuster is seen small', async () =>
    page.locator('video.face').evaluate((v) => v.videoWidth > 0 && v.clientWidth < 100),
  );
  await page.waitForTimeout(1500);
  await shot('call');

  world.fail = 1;
  await say({ t: 'still', id: 's1', by: 'Nuria' });
  await check(
    'a still at full size arrives, after one failure',
    async () => world.uploads[0]?.meta.width >= 1920 && world.uploads[0].meta,
    25_000,
  );
  await check(
    'its progress was told',
    async () => (await got('still-progress', ({ state, id }) => state === 'done' && id === 's1'))[0],
  );
  writeFileSync(`${out}/still.jpg`, world.uploads[0]?.file ?? '');
  await check('frames go on after the still', moving);
  await check('the stream is back at 720p', async () =>
    page.locator('video.own').evaluate((v) => `${v.videoWidth}x${v.videoHeight}`),
  );

  const before = await page.locator('video.own').evaluate((v) => v.srcObject.getTracks()[0].getSettings().deviceId);
  await say({ t: 'camera', facing: 'next' });
  await check(
    'the other lens opens',
    async () =>
      (await page.locator('video.own').evaluate((v) => v.srcObject.getTracks()[0].getSettings().deviceId)) !== before,
  );
  // Chromium's second fake camera gives a WebRTC sender no frame, so its stream is not looked at.
  await say({ t: 'camera', facing: 'next' });
  await check(
    'and the first one again',
    async () =>
      (await page.locator('video.own').evaluate((v) => v.srcObject.getTracks()[0].getSettings().deviceId)) === before,
  );
  await check('frames go on after the switches', moving, 30_000);
  await say({ t: 'torch', on: true });
  await say({ t: 'zoom', value: 2 });

  await fromServer({ t: 'recording', state: 'recording', elapsedMs: 65_000, recordingId: 'x' });
  await check('the red bar is shown', async () =>
    (await page.locator('.recording.recording').textContent())?.includes('01:0'),
  );
  await fromServer({
    t: 'chat',
    message: {
      _id: 'p1',
      from: 'user:1',
      name: 'Nuria Ferrer',
      kind: 'staff',
      text: 'Acérquese a la rozadura, a un palmo.',
      at: new Date().toISOString(),
    },
  });
  await check('the last words are large', async () =>
    (await page.locator('.said').textContent())?.includes('rozadura'),
  );
  await shot('recording');
  await page.locator('.write').click();
  await page.locator('.chat-form input').fill('Voy');
  await page.locator('.chat-form button').click();
  await check('chat is sent', async () => world.chat.length === 1 && (await page.locator('.mine').count()) === 1);
  await page.locator('.chat-head button').click();

  await page.locator('.round').nth(0).click();
  await check('mute reaches the room', () =>
    staff.evaluate(() => [...globalThis.room.remoteParticipants.values()][0].getTrackPublication('microphone').isMuted),
  );
  await page.locator('.round').nth(0).click();
  await check('unmute too', () =>
    staff.evaluate(
      () => ![...globalThis.room.remoteParticipants.values()][0].getTrackPublication('microphone').isMuted,
    ),
  );
  await page.locator('.round').nth(1).click();
  await check('pausing the picture is told', async () => (await got('pause-video', ({ on }) => on))[0]);
  await shot('paused');
  await say({ t: 'still', id: 's2', by: 'Nuria' });
  await check('a photo is offered by the camera app', () => page.locator('dialog.sheet input[type=file]').count());
  await shot('ask-photo');
  await page.locator('input[type=file]').setInputFiles(`${out}/still.jpg`);
  await check(
    'and arrives as a file',
    async () => world.uploads.find(({ meta }) => meta.captureId === 's2')?.meta.method === 'file',
  );
  await page.locator('.round').nth(1).click();
  await check('resumed frames', moving);

  const sid = await staff.evaluate(
    () => [...globalThis.room.remoteParticipants.values()][0].getTrackPublication('microphone').trackSid,
  );
  await twirp('MutePublishedTrack', { identity: 'client:0001', trackSid: sid, muted: true });
  await check('a mute by staff is said', async () =>
    (await page.locator('.status').textContent())?.includes('silenciado'),
  );
  await page.locator('.round').nth(0).click();

  await page.evaluate(() => globalThis.dispatchEvent(new Event('offline')));
  await page.reload();
  await check('a reload comes back to one tap', () => page.locator('text=Continuar la videollamada').count());
  await page.locator('.actions .b.main').click();
  await check('frames after the reload', moving);
  await check(
    'without the notice again',
    async () => world.tracks.filter(({ type }) => type === 'LEGAL_SHOWN').length === 1,
  );

  await page.evaluate(() => {
    for (const track of document.querySelector('video.own').srcObject.getTracks()) {
      Object.defineProperty(track, 'muted', { value: true, configurable: true });
      track.dispatchEvent(new Event('mute'));
    }
  });
  await check('a phone call asks to continue', () => page.locator('h1:has-text("en pausa")').count());
  await check(
    'and the adjuster knows why',
    async () => (await got('problem', ({ reason }) => reason === 'CAMERA_LOST'))[0],
  );
  await shot('interrupted');
  await page.locator('.actions .b.main').click();
  await check('frames after the phone call', moving);

  const other = await context.newPage();
  await other.goto(`http://127.0.0.1:${PORT}/external/${hash}`);
  await other.locator('.actions .b.main').click();
  await check('a second window takes the call over', () => page.locator('h1:has-text("otro sitio")').count());
  await shot('elsewhere');
  await other.close();
  await page.locator('.actions .b.main').click();
  await check('and it can be taken back', moving);

  await page.locator('.round.bad').click();
  await page.locator('dialog .b.bad').click();
  await check('hanging up leaves the room', () => staff.evaluate(() => globalThis.room.remoteParticipants.size === 0));
  await shot('left');
  await page.locator('.actions .b.main').first().click();
  await page.locator('.actions .b.main').first().click();
  await check('coming back works', moving);
  world.closed = true;
  await fromServer({ t: 'closed' });
  await check('the end is thanked for', () => page.locator('h1:has-text("Gracias")').count());
  await check('the camera is off', async () => page.evaluate(() => document.querySelectorAll('video').length === 0));
  await shot('ended');
} finally {
  await browser.close();
  for (const server of servers) server.close();
  livekit.kill('SIGTERM');
}
console.log(failures ? `${failures} failed` : `all passed; pictures in ${out}`);
process.exit(failures ? 1 : 0);
