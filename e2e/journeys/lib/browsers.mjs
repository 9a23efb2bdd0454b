/** Real Chromium with fake camera and microphone, staff windows and a phone. */
import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { remember, tellFailures } from './pages.mjs';

// Not in the runner, which launches browsers, too.
if (process.env.NODE_TEST_CONTEXT) tellFailures();

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--use-fake-device-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
];

export const SIZES = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
};

const PHONE_AGENT =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

const OPTIONS = { executablePath, args: [...FLAGS, '--use-fake-ui-for-media-stream'] };

/** One Chromium for the journeys of a lane (`run.mjs`). */
export const launchShared = () => chromium.launchServer(OPTIONS);

/** A browser that shares nothing with others, neither service workers nor notices. */
export const openOwnBrowser = () => chromium.launch(OPTIONS);

/** The lane's browser, or one of its own for a journey that is run by hand. Closing it closes what was opened here. */
export function openBrowser() {
  const shared = process.env.ATALAYA_JOURNEY_BROWSER;
  return shared ? chromium.connect(shared) : openOwnBrowser();
}

/**
 * A phone's browser: its camera has 1920 × 1080 pixels and a picture with detail, while the stream carries less. Where
 * several phones are in a call at once, a smaller camera leaves this machine's processors to them.
 * Chromium's own fake camera has one size for all pages of a process, so people in one call have browsers of their own.
 */
export function openPhoneBrowser({ camera = '1920x1080' } = {}) {
  const file = join(tmpdir(), `atalaya-journey-camera-${camera}.mjpeg`);
  if (!existsSync(file)) {
    const source = `testsrc2=size=${camera}:rate=20:duration=2`;
    // Renamed when complete, because another journey may be looking for it.
    const made = join(tmpdir(), `atalaya-journey-camera-${process.pid}.mjpeg`);
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-pix_fmt', 'yuvj420p', '-q:v', '6', made]);
    renameSync(made, file);
  }
  const args = [...FLAGS, '--use-fake-ui-for-media-stream', `--use-file-for-fake-video-capture=${file}`];
  return chromium.launch({ executablePath, args });
}

/** A browser that denies every permission, like a person who taps "Bloquear". */
export async function openRefusingBrowser() {
  return chromium.launch({ executablePath, args: [...FLAGS, '--deny-permission-prompts'] });
}

/** How a page says that something broke its policy. */
const BROKEN = 'POLICY BROKEN:';

/** Runs in every document, before its own scripts. */
const tellBroken = (mark) =>
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample, sourceFile, lineNumber }) =>
    console.error(`${mark} ${effectiveDirective} ${blockedURI} ${sample} ${sourceFile}:${lineNumber} on ${location.pathname}`),
  );

function watch(page, name, log, breaks) {
  remember(page, name);
  page.on('pageerror', (error) => log.push(`${name}: ${error.message}`));
  page.on('console', (message) => {
    if (!breaks && message.text().startsWith(BROKEN)) log.push(`${name}: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['data:', 'blob:'].includes(url.protocol)) page.seen.add(url.origin.replace(/^ws/, 'http'));
  });
  page.on('websocket', (socket) => page.seen.add(new URL(socket.url()).origin.replace(/^ws/, 'http')));
}

/**
 * Pages that record their errors, what breaks their policy included, and every origin they talked to. `breaks`: somebody tries to
 * break it, and is not recorded. `news`: a first visit, at which the news open by
 * themselves. `cookies`: with the cookie banner. `worker`: with the service worker, which is off by default because it
 * would show its offline page where a journey cuts the network. `script: false`: a browser that runs no scripts.
 */
export async function openPage(browser, name, log, options = {}) {
  const { size = 'desktop', agent, scheme = 'dark', locale = 'es-ES', permissions } = options;
  const { news = false, cookies = false, worker = false, script = true, breaks = false } = options;
  const context = await browser.newContext({
    viewport: SIZES[size],
    locale,
    colorScheme: scheme,
    geolocation: { latitude: 39.6767, longitude: -0.2772, accuracy: 12 },
    permissions: permissions ?? ['geolocation', 'camera', 'microphone'],
    userAgent: agent ?? (size === 'phone' ? PHONE_AGENT : undefined),
    isMobile: size === 'phone',
    hasTouch: size === 'phone',
    acceptDownloads: true,
    javaScriptEnabled: script,
    serviceWorkers: worker ? 'allow' : 'block',
  });
  await context.addInitScript(tellBroken, BROKEN);
  // The browser's own error pages have no storage.
  const seen = () => location.protocol.startsWith('http') && localStorage.setItem('hasSeenNewFeautures', 'true');
  if (!news) await context.addInitScript(seen);
  const answered = () => {
    if (location.protocol.startsWith('http')) document.cookie = 'cookieconsent_status=allow; path=/; samesite=lax';
  };
  if (!cookies) await context.addInitScript(answered);
  // The staff's pages are dark unless somebody has chosen otherwise; the device's scheme is that of the clients' pages.
  const chosen = (theme) => {
    if (location.protocol.startsWith('http') && !localStorage.getItem('theme')) localStorage.setItem('theme', theme);
  };
  if (scheme === 'light') await context.addInitScript(chosen, scheme);
  const page = await context.newPage();
  page.seen = new Set();
  watch(page, name, log, breaks);
  page.setDefaultTimeout(60_000);
  return page;
}

/** The file of a download, saved again because a shared browser keeps its own in an unreadable place. */
export async function fileOf(download) {
  const file = join(await mkdtemp(join(tmpdir(), 'atalaya-download-')), download.suggestedFilename());
  await download.saveAs(file);
  return file;
}
