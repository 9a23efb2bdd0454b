/** Real browsers with fake devices: Chromium through Playwright, Firefox ESR through Puppeteer (WebDriver BiDi). */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { voiceFile } from './voice.mjs';

const CHROMIUM = process.env.ATALAYA_CHROMIUM ?? '/usr/bin/chromium';
const FIREFOX = process.env.ATALAYA_FIREFOX ?? '/usr/bin/firefox-esr';

const CHROMIUM_FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream=fps=20', '--autoplay-policy=no-user-gesture-required',
  // Several pages call at once: none of them may be slowed down as a background page.
  '--disable-background-timer-throttling', '--disable-renderer-backgrounding', '--disable-backgrounding-occluded-windows',
  // The product's page and engine share an origin; here the page comes from the suite, so its fetch of /validate would need CORS.
  '--disable-web-security',
  // The server under test makes its own certificate.
  '--ignore-certificate-errors',
];

const FIREFOX_PREFS = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.autoplay.default': 0,
  'media.autoplay.blocking_policy': 0,
  'media.gmp-manager.updateEnabled': false,
  'app.update.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
};

/** One page: its functions are called by name and run in the browser. */
export class Peer {
  constructor(page, close) {
    this.page = page;
    this.close = close;
  }

  /** @param {string} name a function of the harness page @param {...any} args JSON values */
  call(name, ...args) {
    return this.page.evaluate(([n, a]) => window.h[n](...a), [name, args]);
  }

  /** Events since a mark, optionally of one name. */
  async events(name, since = 0) {
    const all = (await this.call('events')).slice(since);
    return name ? all.filter((e) => e.name === name) : all;
  }
}

/** @param {string} harness address of the page */
export async function startChromium(harness) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: [...CHROMIUM_FLAGS, `--use-file-for-fake-audio-capture=${voiceFile()}`], handleSIGINT: false });
  return {
    version: browser.version(),
    async open() {
      const context = await browser.newContext({ viewport: { width: 1300, height: 800 } });
      const page = await context.newPage();
      await page.goto(harness);
      await page.waitForFunction(() => Boolean(window.h));
      return new Peer(page, () => context.close());
    },
    close: () => browser.close(),
  };
}

/** Why Firefox cannot be used here, or null. */
export const noFirefox = () => (existsSync(FIREFOX) ? null : `${FIREFOX} is not installed`);

/** @param {string} harness address of the page */
export async function startFirefox(harness) {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true, extraPrefsFirefox: FIREFOX_PREFS, protocolTimeout: 40000 });
  return {
    version: await browser.version(),
    async open() {
      const page = await browser.newPage();
      await page.goto(harness);
      await page.waitForFunction(() => Boolean(window.h));
      return new Peer(page, () => page.close());
    },
    close: () => browser.close(),
  };
}
