/**
 * What this browser is. Whether it can work is always tested (`getUserMedia`, `RTCPeerConnection`); its name only
 * decides which wording and steps the person is shown (CLIENT-15).
 */
import type { BrowserProblem } from './machine';

export type Os = 'android' | 'ios' | 'mac' | 'windows' | 'other';
export type BrowserName = 'chrome' | 'safari' | 'firefox' | 'samsung' | 'edge' | 'opera' | 'inapp' | 'other';

export interface Browser {
  name: BrowserName;
  os: Os;
  /** An app's own window (WhatsApp, Gmail, Facebook…), by its name where it says one. */
  inApp: string | null;
  phone: boolean;
  model: string | null;
  /** Main number of iOS; 0 elsewhere or when it is not said. */
  iosVersion: number;
}

const IN_APP: readonly [RegExp, string][] = [
  [/FBAN|FBAV|FB_IAB/, 'Facebook'],
  [/Instagram/, 'Instagram'],
  [/WhatsApp/, 'WhatsApp'],
  [/\bLine\//, 'LINE'],
  [/MicroMessenger/, 'WeChat'],
  [/Telegram/i, 'Telegram'],
  [/LinkedInApp/, 'LinkedIn'],
  [/TikTok|musical_ly|BytedanceWebview/, 'TikTok'],
  [/Snapchat/, 'Snapchat'],
  [/\bGSA\//, 'Google'],
];

function osOf(agent: string, touchPoints: number): Os {
  if (/Android/.test(agent)) return 'android';
  if (/iPhone|iPad|iPod/.test(agent)) return 'ios';
  // An iPad with a desktop page says it is a Mac, but no Mac has a touch screen.
  if (/Macintosh/.test(agent)) return touchPoints > 1 ? 'ios' : 'mac';
  return /Windows/.test(agent) ? 'windows' : 'other';
}

function inAppOf(agent: string, os: Os): string | null {
  const known = IN_APP.find(([pattern]) => pattern.test(agent));
  if (known) return known[1];
  if (os === 'android' && /; wv\)/.test(agent)) return '';
  // A web view of an iOS app has no "Safari/" (nor another browser's mark) in its name.
  if (os === 'ios' && !/Safari\/|CriOS|FxiOS|EdgiOS|OPiOS|OPT\//.test(agent)) return '';
  return null;
}

function nameOf(agent: string): BrowserName {
  if (/SamsungBrowser/.test(agent)) return 'samsung';
  if (/Firefox|FxiOS/.test(agent)) return 'firefox';
  if (/Edg(e|A|iOS)?\//.test(agent)) return 'edge';
  if (/OPR\/|OPiOS|OPT\//.test(agent)) return 'opera';
  if (/Chrome|CriOS|Chromium/.test(agent)) return 'chrome';
  return /Safari\//.test(agent) ? 'safari' : 'other';
}

/** Chrome calls every Android phone "K" to give nothing away: no model then. */
function modelOf(agent: string): string | null {
  const model = /Android [\d.]+; ([^;)]+?)(?: Build|[;)])/.exec(agent)?.[1] ?? /iPhone|iPad/.exec(agent)?.[0];
  return model && model !== 'K' ? model : null;
}

/** Safari of iOS 26 and later still names iOS 18 as its system; its own version then says more. */
function iosVersionOf(agent: string, os: Os): number {
  if (os !== 'ios') return 0;
  const numbers = [/ OS (\d+)_/, /Version\/(\d+)/].map((pattern) => Number(pattern.exec(agent)?.[1] ?? 0));
  return Math.max(...numbers);
}

export function detectBrowser(agent: string, touchPoints = 0): Browser {
  const os = osOf(agent, touchPoints);
  const inApp = inAppOf(agent, os);
  const model = modelOf(agent);
  const name = inApp === null ? nameOf(agent) : 'inapp';
  return { name, os, inApp, phone: os === 'android' || os === 'ios', model, iosVersion: iosVersionOf(agent, os) };
}

/** Null when the browser can open a camera and a call; else which of the two explanations fits. */
export function browserProblem(browser: Browser, can: { devices: boolean; calls: boolean }): BrowserProblem | null {
  if (can.devices && can.calls) return null;
  return browser.inApp !== null ? 'inapp' : 'unsupported';
}

/** Android: asks the system to open the page in Chrome; the fallback is the page itself. */
export function intentLink(href: string): string {
  const url = new URL(href);
  const scheme = url.protocol.replace(':', '');
  const fallback = encodeURIComponent(href);
  return `intent://${url.host}${url.pathname}${url.search}#Intent;scheme=${scheme};package=com.android.chrome;S.browser_fallback_url=${fallback};end`;
}

const NAMES: Record<BrowserName, string | null> = {
  chrome: 'Chrome',
  safari: 'Safari',
  firefox: 'Firefox',
  samsung: 'Samsung Internet',
  edge: 'Edge',
  opera: 'Opera',
  inapp: null,
  other: null,
};
const SYSTEMS: Record<Os, string | null> = {
  android: 'Android',
  ios: 'iOS',
  mac: 'macOS',
  windows: 'Windows',
  other: null,
};

/** `iPhone · Safari`: what tells this device from another one; undefined when nothing is known of it. */
export function deviceName(browser: Browser): string | undefined {
  const names = displayNames(browser);
  return [names.model ?? names.os, names.browser].filter(Boolean).join(' · ') || undefined;
}

/** Names as people write them; null when unknown. An app's own window has the app's name. */
export function displayNames(browser: Browser): { browser: string | null; os: string | null; model: string | null } {
  return { browser: NAMES[browser.name] ?? (browser.inApp || null), os: SYSTEMS[browser.os], model: browser.model };
}
