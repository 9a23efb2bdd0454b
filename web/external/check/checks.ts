/** What can be tried on a phone without a call (docs/DEVICES.md). Nothing names the person or the place. */
import { detectBrowser, displayNames } from '../browser';
import { CAMERA, MICROPHONE } from '../devices';
import { relay } from './relay';

export const CHECKS = [
  'browser',
  'camera',
  'microphone',
  'size',
  'torch',
  'screen',
  'storage',
  'sound',
  'path',
  'relay',
  'server',
] as const;
export type Check = (typeof CHECKS)[number];
export interface Outcome {
  ok: boolean;
  /** As measured: a size, a number of milliseconds, the name of an error. */
  detail: string;
}
export type Outcomes = Partial<Record<Check, Outcome>>;

const LIMIT_MS = 20_000;
const good = (detail = ''): Outcome => ({ ok: true, detail });
const bad = (detail = ''): Outcome => ({ ok: false, detail });

/** The outcome of `work`; an error or too long a wait is an outcome too. */
export async function tried(work: () => Promise<Outcome> | Outcome, limitMs = LIMIT_MS): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve(bad('timeout')), limitMs);
  });
  try {
    return await Promise.race([(async () => work())(), late]);
  } catch (error) {
    return bad(error instanceof Error ? error.name : 'error');
  } finally {
    clearTimeout(timer);
  }
}

async function devices(): Promise<Outcomes> {
  const found: Outcomes = {};
  found.camera = await tried(async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ video: CAMERA });
    const track = stream.getVideoTracks()[0];
    if (!track) return bad();
    const { width = 0, height = 0, frameRate } = track.getSettings();
    const can = (track.getCapabilities?.() ?? {}) as { torch?: boolean };
    found.size = {
      ok: Math.min(width, height) >= 480,
      detail: `${width} × ${height} · ${Math.round(frameRate ?? 0)} Hz`,
    };
    found.torch = can.torch ? good() : bad();
    track.stop();
    return good();
  });
  found.microphone = await tried(async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: MICROPHONE });
    for (const track of stream.getTracks()) track.stop();
    return good();
  });
  return found;
}

async function screenStaysOn(): Promise<Outcome> {
  const lock = await navigator.wakeLock.request('screen');
  await lock.release();
  return good();
}

async function storage(): Promise<Outcome> {
  const opfs = typeof navigator.storage?.getDirectory === 'function' && (await tried(opfsRoot)).ok;
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  const words = [
    opfs ? 'OPFS' : '',
    'indexedDB' in globalThis ? 'IndexedDB' : '',
    `${Math.floor((quota - usage) / 1e6)} MB`,
  ];
  return { ok: opfs || 'indexedDB' in globalThis, detail: words.filter(Boolean).join(' · ') };
}

async function opfsRoot(): Promise<Outcome> {
  await navigator.storage.getDirectory();
  return good();
}

/** Gathers the phone's own addresses; which kinds there are, never the addresses themselves. */
async function path(): Promise<Outcome> {
  const connection = new RTCPeerConnection();
  try {
    const kinds = new Set<string>();
    connection.createDataChannel('check');
    const gathered = new Promise<void>((resolve) => {
      connection.onicecandidate = ({ candidate }) => {
        if (!candidate) return resolve();
        if (candidate.protocol) kinds.add(candidate.protocol);
      };
    });
    await connection.setLocalDescription(await connection.createOffer());
    await gathered;
    return { ok: kinds.size > 0, detail: [...kinds].join(' · ') };
  } finally {
    connection.close();
  }
}

/** Time of an answer, the best of three, and what arrives in a second. */
async function server(): Promise<Outcome> {
  let best = Number.POSITIVE_INFINITY;
  let bits = 0;
  for (let turn = 0; turn < 3; turn++) {
    const from = performance.now();
    const answer = await fetch(location.pathname, { cache: 'no-store', credentials: 'omit' });
    const first = performance.now();
    const { size } = await answer.blob();
    if (!answer.ok) return bad(String(answer.status));
    best = Math.min(best, first - from);
    bits = Math.max(bits, (size * 8) / Math.max(1, performance.now() - from));
  }
  return good(`${Math.round(best)} ms · ≥ ${Math.round(bits)} kbit/s`);
}

const soundOfCalls = (): Outcome => {
  const session = (navigator as { audioSession?: { state?: string } }).audioSession;
  return 'AudioContext' in globalThis ? good(session ? 'audioSession' : '') : bad();
};

/** Runs everything, telling each outcome as it comes. The prompts come first, right after the tap. */
export async function runChecks(told: (outcomes: Outcomes) => void): Promise<Outcomes> {
  const { model, browser, os } = displayNames(detectBrowser(navigator.userAgent, navigator.maxTouchPoints));
  let all: Outcomes = { browser: good([model, browser, os].filter(Boolean).join(' · ')) };
  const add = (more: Outcomes) => {
    all = { ...all, ...more };
    told(all);
  };
  add(await devices());
  add({ screen: await tried(screenStaysOn) });
  add({ storage: await tried(storage) });
  add({ sound: await tried(soundOfCalls) });
  add({ path: await tried(path) });
  add({ relay: await tried(relay) });
  add({ server: await tried(server) });
  return all;
}

/** The result as lines of text, in this order, for whoever asked for it. */
export const report = (outcomes: Outcomes, name: (key: Check | 'yes' | 'no') => string): string =>
  CHECKS.flatMap((check) => {
    const outcome = outcomes[check];
    if (!outcome) return [];
    return `${name(check)}: ${[name(outcome.ok ? 'yes' : 'no'), outcome.detail].filter(Boolean).join(' · ')}`;
  }).join('\n');
