import { useSyncExternalStore } from 'react';
import { alarmSamples, noticeSamples } from './chimes';
import { inOneTab } from './one-tab';

// The sounds of the app, made here rather than loaded: an alarm that has to be fetched first comes late.

/** `blocked`: the browser wants a click or a key first. */
export type SoundState = 'unknown' | 'ready' | 'blocked' | 'unsupported';
/** `silent`: somebody waits, but the alarm was muted. */
export type AlarmState = 'off' | 'ringing' | 'silent';

const ALARM_LOCK = 'atalaya-alarm';
const MUTE_KEY = 'muteNotifications';
/** How long a browser may take to say whether it lets a page sound, milliseconds. */
const ANSWER_MS = 300;
/** Two tabs hear of the same notification within this time, milliseconds. */
const ECHO_MS = 1_500;

let context: AudioContext | null = null;
let sound: SoundState = 'unknown';
let alarm: AlarmState = 'off';
let stopAlarmSound: (() => void) | null = null;
const watchers = new Set<() => void>();
const watch = (onChange: () => void) => {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
};
const tell = () => {
  for (const watcher of [...watchers]) watcher();
};

function setSound(state: SoundState): void {
  if (state === sound) return;
  sound = state;
  tell();
  if (state === 'ready' && alarm === 'ringing') ring();
}

function audio(): AudioContext | null {
  if (context) return context;
  if (typeof window.AudioContext !== 'function') {
    setSound('unsupported');
    return null;
  }
  context = new AudioContext();
  context.addEventListener('statechange', readState);
  return context;
}

const readState = () => {
  // A closed lid or a phone call interrupts it: it comes back with the next sound or the next click.
  if (context) setSound(context.state === 'running' ? 'ready' : 'blocked');
};

/** A gesture anywhere gives the permission; nobody needs to find the button. */
const GESTURES = ['pointerdown', 'keydown'] as const;
function onGesture(): void {
  if (context && context.state !== 'running') void context.resume().then(readState, () => {});
}
let listening = false;
function listenForGestures(): void {
  if (listening) return;
  listening = true;
  for (const gesture of GESTURES) window.addEventListener(gesture, onGesture, { capture: true, passive: true });
}

/** Finds out whether this page may sound, without sounding; the answer is `useSoundState`. */
export function probeSound(): void {
  const found = audio();
  if (!found) return;
  listenForGestures();
  if (found.state === 'running') {
    readState();
    return;
  }
  // A blocked browser leaves this unanswered until a gesture comes.
  void found.resume().then(readState, () => {});
  setTimeout(readState, ANSWER_MS);
}

/** Asks for the permission; call it from a click, which is what gives it. Answers whether it sounds now. */
export async function unlockSound(): Promise<boolean> {
  const found = audio();
  if (!found) return false;
  listenForGestures();
  await Promise.race([found.resume().catch(() => {}), new Promise((resolve) => setTimeout(resolve, ANSWER_MS))]);
  readState();
  return found.state === 'running';
}

function play(samples: (rate: number) => Float32Array<ArrayBuffer>, loop: boolean): () => void {
  const to = context;
  if (!to) return () => {};
  const data = samples(to.sampleRate);
  const buffer = to.createBuffer(1, data.length, to.sampleRate);
  buffer.copyToChannel(data, 0);
  const source = to.createBufferSource();
  source.buffer = buffer;
  // The browser repeats it, so that a hidden tab, whose timers are slowed down, rings as well.
  source.loop = loop;
  source.connect(to.destination);
  source.start();
  return () => {
    source.stop();
    source.disconnect();
  };
}

function ring(): void {
  if (stopAlarmSound || context?.state !== 'running') return;
  // One tab of this browser sounds; when it goes, the next one does.
  stopAlarmSound = inOneTab(ALARM_LOCK, () => play(alarmSamples, true));
}

function setAlarm(state: AlarmState): void {
  if (state === alarm) return;
  alarm = state;
  if (state === 'ringing') ring();
  else {
    stopAlarmSound?.();
    stopAlarmSound = null;
  }
  tell();
}

/** Rings until `stopAlarm` or `muteAlarm`; where the browser blocks sound, as soon as a gesture allows it. */
export function startAlarm(): void {
  if (alarm === 'ringing') return;
  probeSound();
  setAlarm('ringing');
}

/** Nobody waits any more. */
export const stopAlarm = (): void => setAlarm('off');

/** Silence while somebody still waits, in every tab; the next request rings again. */
export function muteAlarm(): void {
  if (alarm !== 'ringing') return;
  setAlarm('silent');
  shareMute();
}

let channel: BroadcastChannel | null = null;
function tabs(): BroadcastChannel | null {
  if (!channel && typeof BroadcastChannel === 'function') {
    channel = new BroadcastChannel('atalaya-alarm-muted');
    channel.onmessage = () => {
      if (alarm === 'ringing') setAlarm('silent');
    };
  }
  return channel;
}
const shareMute = () => tabs()?.postMessage('muted');
tabs();

/** Somebody waits and was already muted, such as before a reload. */
export const startSilent = (): void => setAlarm('silent');

/**
 * For the time of a call: this browser's other tabs are muted as by a click, and none of them can ring. Answers how to
 * end it.
 */
export function holdSilence(): () => void {
  shareMute();
  return inOneTab(ALARM_LOCK, () => () => {});
}

/** The short sound of a live notification, unless muted; in one tab only. */
export async function playNotice(): Promise<void> {
  if (notificationsMuted()) return;
  probeSound();
  if (context?.state !== 'running') return;
  const { locks } = navigator;
  if (!locks) {
    play(noticeSamples, false);
    return;
  }
  await locks.request('atalaya-notice', { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    play(noticeSamples, false);
    await new Promise((resolve) => setTimeout(resolve, ECHO_MS));
  });
}

/** Whether notifications sound: local storage key `muteNotifications`, which a logout keeps. */
export const notificationsMuted = (): boolean => window.localStorage.getItem(MUTE_KEY) === 'true';

export function setNotificationsMuted(muted: boolean): void {
  window.localStorage.setItem(MUTE_KEY, String(muted));
  tell();
}

const watchMute = (onChange: () => void) => {
  const stop = watch(onChange);
  window.addEventListener('storage', onChange);
  return () => {
    stop();
    window.removeEventListener('storage', onChange);
  };
};

/** `notificationsMuted` as React state, over the tabs. */
export const useNotificationsMuted = (): boolean => useSyncExternalStore(watchMute, notificationsMuted);

/** Whether this page may sound. */
export const useSoundState = (): SoundState => useSyncExternalStore(watch, () => sound);

/** Whether the alarm rings, or was muted while somebody waits. */
export const useAlarm = (): AlarmState => useSyncExternalStore(watch, () => alarm);

/** For code that is no component. */
export const alarmState = (): AlarmState => alarm;
