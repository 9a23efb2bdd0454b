// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { alarmSamples, noticeSamples } from './chimes';

/** What a test sees of the browser's sound. */
class FakeAudio extends EventTarget {
  static allowed = false;
  static made: FakeAudio[] = [];
  state = 'suspended';
  sampleRate = 8_000;
  destination = {};
  playing: { loop: boolean }[] = [];
  constructor() {
    super();
    FakeAudio.made.push(this);
    if (FakeAudio.allowed) this.state = 'running';
  }
  // Without permission a browser leaves this unanswered.
  async resume() {
    if (!FakeAudio.allowed) return new Promise(() => {});
    this.state = 'running';
    this.dispatchEvent(new Event('statechange'));
    return undefined;
  }
  createBuffer = () => ({ copyToChannel: () => {} });
  createBufferSource() {
    const source = {
      loop: false,
      connect: () => {},
      disconnect: () => {},
      start: () => void this.playing.push(source),
      stop: () => {
        this.playing = this.playing.filter((one) => one !== source);
      },
    };
    return source;
  }
}

type Sounds = typeof import('./sounds');
/** A tab of its own. */
async function openTab(): Promise<{ sounds: Sounds; heard: () => { loop: boolean }[] }> {
  vi.resetModules();
  const sounds = await import('./sounds');
  const before = FakeAudio.made.length;
  return { sounds, heard: () => FakeAudio.made[before]?.playing ?? [] };
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

beforeEach(() => {
  FakeAudio.allowed = true;
  FakeAudio.made = [];
  window.localStorage.clear();
  vi.stubGlobal('AudioContext', FakeAudio);
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
});

describe('the alarm', () => {
  it('rings on until it is stopped, once however often it is started', async () => {
    const { sounds, heard } = await openTab();
    sounds.startAlarm();
    sounds.startAlarm();
    expect(heard()).toEqual([expect.objectContaining({ loop: true })]);
    sounds.stopAlarm();
    expect(heard()).toEqual([]);
    expect(sounds.alarmState()).toBe('off');
  });

  it('is muted by a click, and started again by the next request', async () => {
    const { sounds, heard } = await openTab();
    sounds.muteAlarm();
    expect(sounds.alarmState()).toBe('off');
    sounds.startAlarm();
    sounds.muteAlarm();
    expect([sounds.alarmState(), heard()]).toEqual(['silent', []]);
    sounds.startAlarm();
    expect(heard()).toHaveLength(1);
    sounds.stopAlarm();
  });

  it('starts as soon as a gesture allows it', async () => {
    FakeAudio.allowed = false;
    const { sounds, heard } = await openTab();
    sounds.startAlarm();
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect([heard(), await sounds.unlockSound()]).toEqual([[], false]);
    FakeAudio.allowed = true;
    window.dispatchEvent(new Event('pointerdown'));
    await vi.waitFor(() => expect(heard()).toHaveLength(1));
    sounds.stopAlarm();
  });

  it('is muted in every tab by one click', async () => {
    const first = await openTab();
    const second = await openTab();
    first.sounds.startAlarm();
    second.sounds.startAlarm();
    first.sounds.muteAlarm();
    await vi.waitFor(() => expect(second.sounds.alarmState()).toBe('silent'));
  });

  it('does not break a browser without sound', async () => {
    vi.stubGlobal('AudioContext', undefined);
    const { sounds } = await openTab();
    sounds.startAlarm();
    await sounds.playNotice();
    expect([sounds.alarmState(), await sounds.unlockSound()]).toEqual(['ringing', false]);
    sounds.stopAlarm();
  });
});

describe('the sound of a notification', () => {
  it('comes once, and not when muted', async () => {
    const { sounds, heard } = await openTab();
    sounds.setNotificationsMuted(true);
    expect(window.localStorage.getItem('muteNotifications')).toBe('true');
    await sounds.playNotice();
    expect(heard()).toEqual([]);
    sounds.setNotificationsMuted(false);
    await sounds.playNotice();
    await soon();
    expect(heard()).toEqual([expect.objectContaining({ loop: false })]);
  });
});

it.each([
  ['alarm', alarmSamples, 0.3],
  ['notice', noticeSamples, 0.15],
] as const)('the %s can be heard, never clips, and ends where it began', (_name, samples, loudest) => {
  const data = samples(8_000);
  const peak = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  expect(peak).toBeGreaterThan(loudest);
  expect(peak).toBeLessThanOrEqual(1);
  expect(Math.abs(data[0] ?? 1)).toBeLessThan(0.01);
  expect(Math.abs(data.at(-1) ?? 1)).toBeLessThan(0.01);
});
