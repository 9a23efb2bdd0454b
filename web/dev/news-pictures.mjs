// Remakes the pictures and films of the news (src/features/news/pictures) from the app's own screens, on demo data.
//   ATALAYA_BIN=…/atalaya node dev/news-pictures.mjs [slide …]
// Needs ffmpeg with libwebp and libvpx-vp9. The pages come from this source tree by vite, not from the binary.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { openPage } from '../../e2e/journeys/lib/browsers.mjs';
import { freePort, startServer } from '../../e2e/journeys/lib/server.mjs';
import { acceptNotice, linkFromOutbox, logIn, openConference, session } from '../../e2e/journeys/lib/steps.mjs';
import { chromium } from 'playwright-core';

const OUT = new URL('../src/features/news/pictures/', import.meta.url).pathname;
const MEDIA = new URL('../../crates/assistance/src/demo/media/', import.meta.url).pathname;
const SIZE = { width: 1280, height: 720 };
const MAX_BYTES = 60 * 1024;
const only = process.argv.slice(2);
const wanted = (...names) => only.length === 0 || names.some((name) => only.includes(name));

const work = await mkdtemp(join(tmpdir(), 'atalaya-news-'));
await mkdir(OUT, { recursive: true });
const errors = [];

/** A phone's camera that looks at the demo's car and moves a little, as a hand does. */
function camera() {
  const file = join(work, 'camera.mjpeg');
  const sway = "crop=1280:960:'160+40*sin(2*PI*t/8)':'120+24*cos(2*PI*t/8)',scale=1280:960";
  const input = ['-loop', '1', '-t', '8', '-framerate', '15', '-i', `${MEDIA}dano.jpg`];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...input, '-vf', sway, '-pix_fmt', 'yuvj420p', '-q:v', '4', file]);
  return file;
}

/** Somebody at a desk, instead of the browser's test card. */
async function adjuster() {
  const drawing = await launch();
  const page = await drawing.newPage({ viewport: { width: 640, height: 480 } });
  await page.setContent(
    '<style>body{margin:0}</style><svg width="640" height="480"><rect width="640" height="480" fill="#59626b"/><rect x="420" y="60" width="150" height="210" fill="#444b52"/>' +
      '<path d="M110 480c10-130 90-190 210-190s200 60 210 190z" fill="#2c3e4d"/><ellipse cx="320" cy="195" rx="88" ry="105" fill="#d3a07d"/>' +
      '<path d="M228 190c-8-90 40-130 92-130s100 40 92 130c-14-50-40-66-92-66s-78 16-92 66z" fill="#2a211c"/></svg>',
  );
  const still = join(work, 'adjuster.png');
  await page.screenshot({ path: still });
  await drawing.close();
  const file = join(work, 'adjuster.mjpeg');
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-loop', '1', '-t', '2', '-framerate', '10', '-i', still, '-pix_fmt', 'yuvj420p', '-q:v', '4', file]);
  return file;
}

const launch = (...args) =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', ...args],
  });

const theme = (page, scheme) =>
  page.evaluate((name) => document.documentElement.setAttribute('data-mantine-color-scheme', name), scheme);

/** Writes `{name}-dark.webp` and `{name}-light.webp`, of the whole window or of a part with the same proportions. */
async function picture(page, name, clip) {
  await page.mouse.move(2, 400);
  for (const scheme of ['dark', 'light']) {
    await theme(page, scheme);
    await page.waitForTimeout(350);
    const raw = join(work, `${name}-${scheme}.png`);
    await page.screenshot({ path: raw, clip });
    await webp(raw, `${OUT}${name}-${scheme}.webp`);
  }
  await theme(page, 'dark');
  console.log('picture', name);
}

/** As good as it fits. */
async function webp(raw, to) {
  for (const quality of [82, 74, 66, 56, 44, 32]) {
    const scale = `scale=${SIZE.width}:${SIZE.height}:flags=lanczos`;
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', raw, '-vf', scale, '-c:v', 'libwebp', '-preset', 'text', '-quality', String(quality), to]);
    if ((await stat(to)).size <= MAX_BYTES) return;
  }
  throw new Error(`${to} does not fit into ${MAX_BYTES} bytes`);
}

/** Films what `act` does, in one scheme, without sound. */
async function film(page, name, scheme, act) {
  await theme(page, scheme);
  const frames = [];
  const debug = await page.context().newCDPSession(page);
  debug.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    frames.push({ data, at: metadata.timestamp });
    void debug.send('Page.screencastFrameAck', { sessionId });
  });
  await debug.send('Page.startScreencast', { format: 'jpeg', quality: 92, maxWidth: SIZE.width, maxHeight: SIZE.height });
  await act();
  await debug.send('Page.stopScreencast');
  const list = [];
  for (const [n, { data, at }] of frames.entries()) {
    const file = join(work, `${name}-${scheme}-${n}.jpg`);
    await writeFile(file, Buffer.from(data, 'base64'));
    list.push(`file '${file}'`, `duration ${Math.max(0.01, (frames[n + 1]?.at ?? at + 0.5) - at).toFixed(3)}`);
  }
  const concat = join(work, `${name}-${scheme}.txt`);
  await writeFile(concat, list.join('\n'));
  const codec = ['-c:v', 'libvpx-vp9', '-crf', '40', '-b:v', '0', '-row-mt', '1', '-deadline', 'good', '-cpu-used', '4'];
  const shape = ['-vf', 'fps=12,scale=960:540:flags=lanczos', '-an', '-pix_fmt', 'yuv420p'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', concat, ...shape, ...codec, `${OUT}${name}-${scheme}.webm`]);
  await debug.detach();
  console.log('film', name, scheme, frames.length, 'frames');
}

const port = await freePort();
const address = `http://localhost:${port}`;
const server = await startServer({ binary: process.env.ATALAYA_BIN, env: { ATALAYA_PUBLIC_URL: address } });
process.env.ATALAYA_DEV_SERVER = server.url.replace('localhost', '127.0.0.1');
const root = new URL('..', import.meta.url).pathname;
const outDir = join(work, 'dist');
await build({ root, build: { outDir, emptyOutDir: true }, logLevel: 'error' });
const vite = await preview({ root, build: { outDir }, preview: { port, strictPort: true, host: 'localhost' }, logLevel: 'silent' });
const account = (what) => server.accounts.find((one) => one.what === what);
const admin = await session(server.url, account('administrator'));
const browser = await launch(`--use-file-for-fake-video-capture=${await adjuster()}`);

async function staff(what, options = {}) {
  const page = await openPage(browser, what, errors, options);
  await page.setViewportSize(SIZE);
  await page.addInitScript(() => localStorage.setItem('clickedOnNews', 'true'));
  await logIn(page, address, account(what));
  return page;
}
/** The sidebar folded away: the page is the subject. */
const fold = (page) => page.getByRole('button', { name: 'Contraer menú' }).click();
/** What says that this browser was just opened is not what the picture is about. */
async function tidy(page) {
  const sound = page.getByRole('button', { name: 'Activar sonido' });
  if (await sound.isVisible().catch(() => false)) await sound.click();
  await page.addStyleTag({ content: '.mantine-Notifications-root { display: none }' }).catch(() => {});
}

async function call() {
  const page = await staff('worker 2');
  await openConference(page, address, { expedient: '2026-118431' });
  const phones = await launch(`--use-file-for-fake-video-capture=${camera()}`);
  const phone = await openPage(phones, 'client', errors, { size: 'phone' });
  // The fake camera is called after its file.
  await phone.addInitScript(() => {
    Object.defineProperty(MediaStreamTrack.prototype, 'label', { get: () => 'camera2 0, facing back' });
  });
  const { link } = await linkFromOutbox(admin);
  await phone.goto(link.replace(address, server.url));
  await acceptNotice(phone);
  await phone.getByRole('button', { name: 'Permitir la cámara' }).waitFor();
  await page.waitForTimeout(1500);
  if (wanted('wait')) await picture(page, 'wait');
  await phone.getByRole('button', { name: 'Permitir la cámara' }).click();
  await phone.getByRole('button', { name: 'Permitir el micrófono' }).click();
  await phone.getByRole('button', { name: 'Permitir la ubicación' }).click();
  await phone.getByRole('toolbar').waitFor();
  const photo = page.getByRole('button', { name: /Foto HD/ });
  await photo.waitFor();
  await page.waitForTimeout(15_000);
  for (let n = 0; n < 3; n += 1) {
    await photo.click();
    await page.waitForTimeout(2500);
  }
  const box = page.getByPlaceholder(/^Escriba/).first();
  await box.fill('Acérquese a la rozadura, a un palmo.');
  await box.press('Enter');
  await page.waitForTimeout(800);
  if (wanted('call')) await picture(page, 'call');
  if (wanted('shots')) await picture(page, 'shots', { x: 640, y: 44, width: 640, height: 360 });
  if (wanted('photo')) {
    for (const scheme of ['dark', 'light']) {
      await film(page, 'photo', scheme, async () => {
        await page.waitForTimeout(600);
        await photo.hover();
        await page.waitForTimeout(300);
        await photo.click();
        await page.waitForTimeout(3200);
      });
    }
    await picture(page, 'photo');
  }
  await page.context().close();
  await phones.close();
}

async function archive() {
  const page = await staff('customer');
  const who = await session(server.url, account('customer'));
  const { parent } = who.user;
  const { conferences } = await (await who.post(`conferences-autos-details/${parent}`, { begin: '2026-10-01' })).json();
  const rich = conferences.filter((one) => one.mayRequestFiles && one.files > 3).sort((a, b) => b.files - a.files)[0];
  const visit = async (path) => {
    await page.goto(address + path);
    await page.waitForTimeout(3000);
    if (!path.startsWith('/verificar')) await fold(page);
    await tidy(page);
    await page.waitForTimeout(500);
  };
  if (wanted('lists')) {
    await visit(`/conferences-autos/${parent}?begin=2026-10-01`);
    await picture(page, 'lists');
  }
  if (wanted('case')) {
    await visit(`/expedient/${encodeURIComponent(rich.expedientNumber)}`);
    await picture(page, 'case');
  }
  if (wanted('media', 'files')) {
    await visit(`/conference-media/${rich._id}`);
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(900);
    if (wanted('media')) await picture(page, 'media');
  }
  if (wanted('files')) {
    await page.getByRole('button', { name: /Solicitar archivos/ }).first().click();
    await page.getByRole('dialog').waitFor();
    await page.waitForTimeout(600);
    const goOn = page.getByRole('dialog').getByRole('button', { name: 'Continuar' });
    if (await goOn.isVisible().catch(() => false)) await goOn.click();
    await page.waitForTimeout(900);
    await picture(page, 'files');
  }
  if (wanted('proof')) {
    await who.get(`print-cert/${rich._id}`);
    const { certificates } = await (await who.get(`certificates/${rich._id}`)).json();
    await visit(new URL(certificates[0].url, address).pathname);
    await page.locator('input[type=file]').first().setInputFiles(`${MEDIA}lateral.jpg`);
    await page.waitForTimeout(1500);
    await picture(page, 'proof');
  }
  await page.context().close();
}

/** Two wait and one has an hour agreed. */
async function requests() {
  const { user } = await session(server.url, account('customer'));
  for (const [what, expedient, type, region, callback] of [
    ['repairer operator', '2026-118440', 1, 'Valencia'],
    ['workshop operator', '2026-118443', 2, 'Castellón'],
    ['workshop', '2026-118377', 1, 'Alicante', true],
  ]) {
    const who = await session(server.url, account(what));
    const { insuranceCompanies } = await (await who.get('insuranceCompanies')).json();
    const callbackAt = callback ? new Date(Date.now() + 3 * 3_600_000).toISOString() : undefined;
    const body = { region, customerId: user.parent, starterPhone: '600123123', expedient, type, insuranceCompanyId: insuranceCompanies[0]._id, callbackAt };
    const answer = await who.post('video-call-request', body);
    if (!answer.ok) console.warn('request', what, answer.status, await answer.text());
  }
  const page = await staff('worker 2');
  await page.goto(`${address}/active-videocall-request/${user.parent}`);
  await page.waitForTimeout(3000);
  await fold(page);
  await tidy(page);
  if (wanted('request')) await picture(page, 'request');
  if (wanted('notice')) {
    await page.getByRole('button', { name: /^Notificaciones/ }).first().click();
    await page.waitForTimeout(1500);
    await picture(page, 'notice');
  }
  await page.context().close();
}

try {
  for (const [part, names] of [
    [archive, ['lists', 'case', 'media', 'files', 'proof']],
    [call, ['call', 'photo', 'shots', 'wait']],
    [requests, ['request', 'notice']],
  ]) {
    if (wanted(...names)) await part().catch((error) => console.error(part.name, error.message));
  }
} finally {
  await browser.close();
  await vite.close();
  await server.clean();
  await rm(work, { recursive: true, force: true });
}
if (errors.length) console.error(errors.join('\n'));
process.exit();
