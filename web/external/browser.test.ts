import { describe, expect, it } from 'vitest';
import { browserProblem, detectBrowser, deviceName, displayNames, intentLink } from './browser';
import { helpFor } from './help';
import { translate } from './i18n';
import { DEVICES } from './model';

const A = (rest: string, android = 'Android 15; Pixel 8') =>
  `Mozilla/5.0 (Linux; ${android}) AppleWebKit/537.36 (KHTML, like Gecko) ${rest}`;
const I = (rest: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`;

const AGENTS = {
  chromeAndroid: A('Chrome/142.0.0.0 Mobile Safari/537.36'),
  samsung: A('SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36', 'Android 14; SM-A546B'),
  firefoxAndroid: 'Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0',
  whatsapp: A('Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36 WhatsApp/2.24', 'Android 14; SM-A546B Build/UP1A; wv'),
  webview: A('Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36', 'Android 14; Pixel 8 Build/UP1A; wv'),
  safari: I('Version/18.5 Mobile/15E148 Safari/604.1'),
  safariOld: I('Version/17.4 Mobile/15E148 Safari/604.1').replace('18_5', '17_4'),
  safari26: I('Version/26.1 Mobile/15E148 Safari/604.1').replace('18_5', '18_6'),
  chromeIos: I('CriOS/142.0 Mobile/15E148 Safari/604.1'),
  firefoxIos: I('FxiOS/144.0 Mobile/15E148 Safari/605.1.15'),
  instagram: I('Mobile/15E148 Instagram 350.0'),
  gmailIos: I('Mobile/15E148'),
  ipad: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  chromeDesktop:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  firefoxDesktop: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
} as const;

describe('the browser', () => {
  it.each([
    ['chromeAndroid', 'chrome', 'android', null],
    ['samsung', 'samsung', 'android', null],
    ['firefoxAndroid', 'firefox', 'android', null],
    ['whatsapp', 'inapp', 'android', 'WhatsApp'],
    ['webview', 'inapp', 'android', ''],
    ['safari', 'safari', 'ios', null],
    ['chromeIos', 'chrome', 'ios', null],
    ['firefoxIos', 'firefox', 'ios', null],
    ['instagram', 'inapp', 'ios', 'Instagram'],
    ['gmailIos', 'inapp', 'ios', ''],
    ['chromeDesktop', 'chrome', 'windows', null],
    ['edge', 'edge', 'windows', null],
    ['firefoxDesktop', 'firefox', 'other', null],
  ] as const)('%s', (agent, name, os, inApp) => {
    expect(detectBrowser(AGENTS[agent])).toMatchObject({ name, os, inApp });
  });

  it('knows an iPad that says it is a Mac by its touch screen', () => {
    expect(detectBrowser(AGENTS.ipad, 5).os).toBe('ios');
    expect(detectBrowser(AGENTS.ipad, 0).os).toBe('mac');
  });

  // CLIENT-15
  it('is judged by what it can do, not by its name', () => {
    const whatsapp = detectBrowser(AGENTS.whatsapp);
    expect(browserProblem(whatsapp, { devices: true, calls: true })).toBeNull();
    expect(browserProblem(whatsapp, { devices: false, calls: true })).toBe('inapp');
    expect(browserProblem(detectBrowser(AGENTS.chromeAndroid), { devices: false, calls: true })).toBe('unsupported');
    expect(browserProblem(detectBrowser(AGENTS.safari), { devices: true, calls: false })).toBe('unsupported');
  });

  it('is told to the adjuster as people write it', () => {
    expect(displayNames(detectBrowser(AGENTS.samsung))).toEqual({
      browser: 'Samsung Internet',
      os: 'Android',
      model: 'SM-A546B',
    });
    const reduced = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
    expect(deviceName(detectBrowser(reduced))).toBe('Android · Chrome');
    expect(deviceName(detectBrowser(AGENTS.safari))).toBe('iPhone · Safari');
    expect(displayNames(detectBrowser(AGENTS.safari))).toEqual({ browser: 'Safari', os: 'iOS', model: 'iPhone' });
    expect(displayNames(detectBrowser(AGENTS.whatsapp)).browser).toBe('WhatsApp');
    expect(displayNames(detectBrowser(AGENTS.firefoxDesktop))).toEqual({ browser: 'Firefox', os: null, model: null });
  });

  it('opens Chrome on Android with the same page and a fallback', () => {
    const link = intentLink('https://a.example/external/abc?x=1');
    expect(link).toMatch(
      /^intent:\/\/a\.example\/external\/abc\?x=1#Intent;scheme=https;package=com\.android\.chrome;/,
    );
    expect(link).toContain(`S.browser_fallback_url=${encodeURIComponent('https://a.example/external/abc?x=1')};end`);
  });
});

// CLIENT-14
describe('the help after a refusal', () => {
  it.each([
    ['safariOld', 'help_safari_ios_1'],
    ['chromeIos', 'help_ios_app_1'],
    ['firefoxIos', 'help_ios_app_1'],
    ['chromeAndroid', 'help_chrome_android_1'],
    ['samsung', 'help_samsung_1'],
    ['firefoxAndroid', 'help_firefox_android_1'],
    ['chromeDesktop', 'help_chrome_desktop_1'],
    ['edge', 'help_chrome_desktop_1'],
    ['firefoxDesktop', 'help_firefox_desktop_1'],
    ['webview', 'help_other_1'],
  ] as const)('%s has its own first step', (agent, first) => {
    expect(helpFor(detectBrowser(AGENTS[agent]), 'camera', 'blocked').steps[0]).toBe(first);
  });

  it.each(['safari', 'safari26', 'ipad'] as const)('on %s is that of iOS 18 and later', (agent) => {
    const help = helpFor(detectBrowser(AGENTS[agent], 5), 'camera', 'blocked');
    expect([help.picture, help.steps[1]]).toEqual(['page', 'help_safari_ios18_2']);
  });

  it('knows where iOS 18 keeps the settings of apps', () => {
    expect(helpFor(detectBrowser(AGENTS.chromeIos), 'camera', 'blocked').steps[1]).toBe('help_ios18_app_2');
    expect(detectBrowser(AGENTS.safariOld).iosVersion).toBe(17);
    expect(detectBrowser(AGENTS.safari26).iosVersion).toBe(26);
    expect(detectBrowser(AGENTS.chromeAndroid).iosVersion).toBe(0);
  });

  it('is never empty, and every step is a text in both languages', () => {
    for (const agent of Object.values(AGENTS)) {
      for (const permission of DEVICES) {
        for (const kind of ['blocked', 'missing', 'busy'] as const) {
          const help = helpFor(detectBrowser(agent), permission, kind);
          expect(help.steps.length).toBeGreaterThan(1);
          for (const key of [...help.steps, ...(help.more ? [help.more] : [])]) {
            expect(translate('es', key)).not.toBe(key);
            expect(translate('en', key)).not.toBe(key);
          }
        }
      }
    }
  });
});
