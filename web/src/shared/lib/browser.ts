import { isDenied } from './consent';

export type BrowserVerdict = 'ok' | 'unsupported' | 'insecure' | 'edge';

export interface BrowserFacts {
  userAgent: string;
  secure: boolean;
  webrtc: boolean;
  webcrypto: boolean;
}

/** What a browser must have, by name. */
export type Need = 'webrtc' | 'webcrypto';

export const browserFacts = (): BrowserFacts => ({
  userAgent: navigator.userAgent,
  secure: window.isSecureContext,
  webrtc: 'RTCPeerConnection' in window && navigator.mediaDevices !== undefined,
  webcrypto: window.crypto?.subtle !== undefined,
});

/**
 * Internet Explorer and Edge before Chromium are refused, anything else by what it lacks; today's Edge works and gets
 * the advice once. A page opened without https lacks both camera and WebCrypto: that is not the browser's fault.
 */
export function browserVerdict(facts: BrowserFacts): BrowserVerdict {
  if (/MSIE |Trident\/|Edge\/\d/.test(facts.userAgent)) return 'unsupported';
  if (!facts.webrtc || !facts.webcrypto) return facts.secure ? 'unsupported' : 'insecure';
  return /Edg\/\d/.test(facts.userAgent) ? 'edge' : 'ok';
}

/** What this browser lacks, so that it can be told; empty when it lacks nothing. */
export const lacking = ({ webrtc, webcrypto }: BrowserFacts): Need[] => [
  ...(webrtc ? [] : ['webrtc' as const]),
  ...(webcrypto ? [] : ['webcrypto' as const]),
];

const ADVICE_COOKIE = 'browser_advice';

/** Whether the advice was dismissed. A cookie, because a logout clears the local storage. */
export const adviceSeen = () => document.cookie.split('; ').includes(`${ADVICE_COOKIE}=seen`);

export function rememberAdvice(): void {
  if (isDenied()) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox ESR and Safari.
  document.cookie = `${ADVICE_COOKIE}=seen; path=/; max-age=31536000; samesite=lax`;
}
