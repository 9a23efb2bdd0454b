/** What this browser can do about notices while Atalaya is not looked at. */
export type Support =
  | 'ok'
  /** An iPhone or iPad in a browser: only an app on the home screen gets notices (iOS 16.4 and later). */
  | 'ios-install'
  /** Opened without https. */
  | 'insecure'
  | 'none';

export interface PushFacts {
  userAgent: string;
  touchPoints: number;
  secure: boolean;
  standalone: boolean;
  worker: boolean;
  push: boolean;
  notification: boolean;
}

export const pushFacts = (): PushFacts => ({
  userAgent: navigator.userAgent,
  touchPoints: navigator.maxTouchPoints ?? 0,
  secure: window.isSecureContext,
  standalone:
    window.matchMedia('(display-mode: standalone)').matches ||
    (navigator as Navigator & { standalone?: boolean }).standalone === true,
  worker: 'serviceWorker' in navigator,
  push: 'PushManager' in window,
  notification: 'Notification' in window,
});

/** An iPad calls itself a Mac, but a Mac has no touch screen. */
export const isIos = ({ userAgent, touchPoints }: Pick<PushFacts, 'userAgent' | 'touchPoints'>): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1);

export function supportOf(facts: PushFacts): Support {
  if (!facts.secure) return 'insecure';
  if (facts.worker && facts.push && facts.notification) return 'ok';
  return isIos(facts) && !facts.standalone ? 'ios-install' : 'none';
}

/** How somebody who said no can change it: the ways differ. */
export type Undo = 'ios' | 'android' | 'safari' | 'firefox' | 'chrome';

export function undoOf(facts: Pick<PushFacts, 'userAgent' | 'touchPoints'>): Undo {
  if (isIos(facts)) return 'ios';
  if (/Android/.test(facts.userAgent)) return 'android';
  if (/Firefox\//.test(facts.userAgent)) return 'firefox';
  if (/Safari\//.test(facts.userAgent) && !/Chrome|Chromium|Edg/.test(facts.userAgent)) return 'safari';
  return 'chrome';
}

/** The bytes of base64url, as the VAPID key comes. */
export function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

export function sameBytes(held: ArrayBuffer | null | undefined, wanted: Uint8Array): boolean {
  if (!held) return false;
  const bytes = new Uint8Array(held);
  return bytes.length === wanted.length && bytes.every((byte, at) => byte === wanted[at]);
}
