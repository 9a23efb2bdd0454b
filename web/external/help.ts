/**
 * Steps that undo a refused permission, for that browser on that system (CLIENT-14).
 * A table of keys: the words live in `locales/{language}/client.json`.
 */
import type { Browser } from './browser';
import type { Key } from './i18n';
import type { Device, RefusalKind } from './model';

/** What is marked in the picture of the address bar above the steps. */
export type Picture = 'aA' | 'page' | 'tune' | 'lock' | 'camera' | 'settings' | null;

export interface Help {
  picture: Picture;
  /** Where the mark stands in the picture. */
  side: 'left' | 'right';
  steps: Key[];
  /** Said below the steps: where to look when the steps do not help. */
  more: Key | null;
}

const BLOCKED: Record<string, Omit<Help, 'more'> & { more?: Key }> = {
  'safari ios': { picture: 'aA', side: 'left', steps: ['help_safari_ios_1', 'help_safari_ios_2', 'help_site_allow'] },
  // Since iOS 18 a menu stands where "aA" did, and the settings of other apps are one level deeper.
  'safari ios 18': {
    picture: 'page',
    side: 'left',
    steps: ['help_chrome_android_1', 'help_safari_ios18_2', 'help_site_allow'],
  },
  'chrome ios 18': {
    picture: 'settings',
    side: 'left',
    steps: ['help_ios_app_1', 'help_ios18_app_2', 'help_ios_app_3'],
  },
  'chrome ios': { picture: 'settings', side: 'left', steps: ['help_ios_app_1', 'help_ios_app_2', 'help_ios_app_3'] },
  'chrome android': {
    picture: 'tune',
    side: 'left',
    steps: ['help_chrome_android_1', 'help_chrome_android_2', 'help_turn_on'],
    more: 'help_more_android',
  },
  'samsung android': {
    picture: 'lock',
    side: 'left',
    steps: ['help_samsung_1', 'help_samsung_2', 'help_site_allow'],
    more: 'help_more_android',
  },
  'firefox android': {
    picture: 'lock',
    side: 'left',
    steps: ['help_firefox_android_1', 'help_firefox_android_2', 'help_firefox_android_3'],
    more: 'help_more_android',
  },
  'chrome desktop': {
    picture: 'tune',
    side: 'left',
    steps: ['help_chrome_desktop_1', 'help_turn_on', 'help_come_back'],
  },
  'firefox desktop': {
    picture: 'camera',
    side: 'left',
    steps: ['help_firefox_desktop_1', 'help_firefox_desktop_2', 'help_come_back'],
  },
  'safari desktop': {
    picture: null,
    side: 'left',
    steps: ['help_safari_mac_1', 'help_safari_mac_2', 'help_come_back'],
  },
  other: { picture: 'lock', side: 'left', steps: ['help_other_1', 'help_other_2', 'help_come_back'] },
};

const ALIKE: Record<string, string> = {
  'firefox ios': 'chrome ios',
  'edge ios': 'chrome ios',
  'opera ios': 'chrome ios',
  'inapp ios': 'chrome ios',
  'edge android': 'chrome android',
  'opera android': 'chrome android',
  'edge desktop': 'chrome desktop',
  'opera desktop': 'chrome desktop',
};

const NEW_IOS = 18;

function blocked(browser: Browser): Help {
  const system = browser.phone ? browser.os : 'desktop';
  const named = `${browser.name} ${system}`;
  const name = BLOCKED[named] ? named : (ALIKE[named] ?? 'other');
  const found = (browser.iosVersion >= NEW_IOS && BLOCKED[`${name} ${NEW_IOS}`]) || BLOCKED[name] || BLOCKED.other;
  return { picture: null, side: 'left', steps: [], ...found, more: found?.more ?? null };
}

/** The help for one refusal; always at least one step. */
export function helpFor(browser: Browser, permission: Device, kind: Exclude<RefusalKind, 'unanswered'>): Help {
  if (kind === 'blocked') return blocked(browser);
  const plain = (steps: Key[]): Help => ({ picture: null, side: 'left', steps, more: null });
  if (kind === 'busy') return plain(['help_busy_1', 'help_busy_2', 'help_busy_3']);
  return plain(permission === 'camera' ? ['help_no_camera_1', 'help_no_camera_2'] : ['help_no_mic_1', 'help_no_mic_2']);
}
