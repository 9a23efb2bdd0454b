/** Real Chromium with fake camera and microphone, staff windows and a phone. */
import { chromium } from 'playwright-core';

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

/** @param {{ permissions?: boolean }} options `permissions: false` leaves every prompt unanswered or denied. */
export async function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [...FLAGS, '--use-fake-ui-for-media-stream'],
  });
}

/** A browser that denies what it is asked, as a person would who touches "Bloquear". */
export async function openRefusingBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [...FLAGS, '--deny-permission-prompts'],
  });
}

function watch(page, name, log) {
  page.on('pageerror', (error) => log.push(`${name}: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['data:', 'blob:'].includes(url.protocol)) page.seen.add(url.origin.replace(/^ws/, 'http'));
  });
  page.on('websocket', (socket) => page.seen.add(new URL(socket.url()).origin.replace(/^ws/, 'http')));
}

/** Pages that remember their errors and every origin they talked to. */
export async function openPage(browser, name, log, { size = 'desktop', agent, scheme = 'dark', locale = 'es-ES', permissions } = {}) {
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
  });
  const page = await context.newPage();
  page.seen = new Set();
  watch(page, name, log);
  page.setDefaultTimeout(30_000);
  return page;
}
