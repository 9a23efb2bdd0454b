/** Of Chromium only, and in no typing of the platform. */
interface Connection {
  effectiveType?: string;
  type?: string;
  downlink?: number;
  rtt?: number;
  saveData?: boolean;
}

type Facts = Record<string, string | number | boolean>;

/** Without what this browser does not tell. */
const told = (facts: Record<string, string | number | boolean | undefined>): Facts =>
  Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string | number | boolean] => fact[1] != null),
  );

/** What this page knows of its browser, for the diagnostics of an incidence (contract `browser`). */
export function browserFacts(): Facts {
  const { userAgent, language, hardwareConcurrency, onLine, cookieEnabled } = navigator;
  const { width, height } = window.screen;
  return told({
    userAgent,
    language,
    screen: `${width}×${height}`,
    window: `${window.innerWidth}×${window.innerHeight}`,
    pixelRatio: window.devicePixelRatio,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    cores: hardwareConcurrency,
    touch: navigator.maxTouchPoints > 0,
    onLine,
    cookies: cookieEnabled,
    webRtc: typeof window.RTCPeerConnection === 'function',
    camera: typeof navigator.mediaDevices?.getUserMedia === 'function',
  });
}

/** What it knows of its connection (contract `network`). Downlink in Mbit/s, round trip in milliseconds. */
export function networkFacts(): Facts {
  const { connection } = navigator as { connection?: Connection };
  return told({
    onLine: navigator.onLine,
    type: connection?.type,
    effectiveType: connection?.effectiveType,
    downlink: connection?.downlink,
    rtt: connection?.rtt,
    saveData: connection?.saveData,
  });
}
