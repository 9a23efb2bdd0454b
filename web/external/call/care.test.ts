import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { held } from '../devices';
import { Care } from './care';
import { keepAwake, PATIENCE_MS } from './watch';

class Track extends EventTarget {
  muted = false;
  readyState = 'live';
  constructor(
    readonly kind: 'audio' | 'video',
    readonly id: string,
  ) {
    super();
  }
  getSettings = () => ({ deviceId: this.id });
  stop = () => {
    this.readyState = 'ended';
  };
  become(change: 'mute' | 'unmute' | 'ended'): void {
    if (change === 'ended') this.readyState = 'ended';
    else this.muted = change === 'mute';
    this.dispatchEvent(new Event(change));
  }
}

const track = (kind: 'audio' | 'video', id: string = kind) => new Track(kind, id) as Track & MediaStreamTrack;

/** A browser's devices in memory; `refuse` makes them busy. */
class Media extends EventTarget {
  asked: string[] = [];
  refuse = false;
  inputs = ['audio', 'video'];
  getUserMedia = async ({ audio, video }: MediaStreamConstraints) => {
    const tracks: Track[] = [];
    for (const [kind, wanted] of [
      ['audio', audio],
      ['video', video],
    ] as const)
      if (wanted) {
        this.asked.push(kind);
        if (this.refuse) throw Object.assign(new Error('taken'), { name: 'NotReadableError' });
        tracks.push(track(kind, `${kind} again`));
      }
    return { getTracks: () => tracks } as unknown as MediaStream;
  };
  enumerateDevices = async () =>
    this.inputs.map((deviceId) => ({ kind: 'audioinput', deviceId, label: '' }) as MediaDeviceInfo);
}

class AudioSession extends EventTarget {
  type = 'auto';
  state = 'active';
  become(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

let media: Media;
let page: DocumentVisibilityState;
let told: string[];
let shown: Record<string, unknown>;
let proofs: number;
let care: Care;

function show(state: DocumentVisibilityState): void {
  page = state;
  document.dispatchEvent(new Event('visibilitychange'));
}

function begin(): void {
  care = new Care({
    room: {
      send: (message) => void told.push([message.t, message.reason].filter(Boolean).join(' ')),
      prove: () => void proofs++,
      startSound: async () => undefined,
      swapMicrophone: async () => undefined,
      publishMicrophone: async () => undefined,
      publishCamera: async () => undefined,
    },
    camera: { chooseMain: async () => undefined, run: (work) => work() },
    cameraChanged: async () => undefined,
    set: (change) => Object.assign(shown, change),
    failed: () => void told.push('toast'),
    tellCaps: () => undefined,
  });
  care.start();
}

beforeEach(() => {
  vi.useFakeTimers();
  media = new Media();
  page = 'visible';
  told = [];
  shown = {};
  proofs = 0;
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => page);
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { mediaDevices: media }));
  held.camera = track('video');
  held.microphone = track('audio');
});

afterEach(() => {
  care?.stop();
  held.camera = null;
  held.microphone = null;
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const microphone = () => held.microphone as unknown as Track;
const camera = () => held.camera as unknown as Track;

describe('a telephone call in between', () => {
  // CLIENT-18, CLIENT-55
  it('is told and shown, and the call goes on by itself when it ends', async () => {
    begin();
    microphone().become('mute');
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(shown.interrupted).toBe('PHONE_CALL');
    expect(told).toEqual(['problem PHONE_CALL']);
    expect(media.asked, 'what the system holds is not opened anew').toEqual([]);
    microphone().become('unmute');
    expect(shown.interrupted).toBeNull();
    expect(told).toEqual(['problem PHONE_CALL', 'back']);
    expect(proofs).toBe(1);
  });

  // CLIENT-55
  it('that rings for a second interrupts nothing', async () => {
    begin();
    microphone().become('mute');
    await vi.advanceTimersByTimeAsync(1000);
    microphone().become('unmute');
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(told).toEqual([]);
  });
});

describe("Safari's audio session", () => {
  // CLIENT-56
  it('plays and records during the call, and is given back afterwards', () => {
    const session = new AudioSession();
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { mediaDevices: media, audioSession: session }));
    begin();
    expect(session.type).toBe('play-and-record');
    care.stop();
    expect(session.type).toBe('auto');
  });

  // CLIENT-56
  it('says that a telephone call has the sound although both tracks look alive', async () => {
    const session = new AudioSession();
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { mediaDevices: media, audioSession: session }));
    begin();
    session.become('interrupted');
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(shown.interrupted).toBe('PHONE_CALL');
    session.become('active');
    expect(shown.interrupted).toBeNull();
    expect(told).toEqual(['problem PHONE_CALL', 'back']);
  });
});

describe('a camera that another application takes', () => {
  // CLIENT-55
  it('is opened again without a tap', async () => {
    begin();
    camera().become('ended');
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(media.asked).toEqual(['video']);
    expect(camera().id).toBe('video again');
    expect(told).toEqual(['back']);
    expect(proofs).toBe(1);
  });

  // CLIENT-18, CLIENT-55
  it('is named when it cannot be opened, and tried again by a tap', async () => {
    begin();
    media.refuse = true;
    camera().become('ended');
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(shown.interrupted).toBe('CAMERA_LOST');
    expect(told).toEqual(['problem CAMERA_LOST']);
    media.refuse = false;
    await care.resume();
    expect(shown.interrupted).toBeNull();
    expect(media.asked).toEqual(['video', 'audio', 'video']);
    expect(told.at(-1)).toBe('back');
  });
});

describe('a headset', () => {
  // CLIENT-55
  it('that takes its microphone away is replaced by what is left', async () => {
    begin();
    media.inputs = ['speakerphone'];
    for (let times = 0; times < 3; times++) media.dispatchEvent(new Event('devicechange'));
    await vi.advanceTimersByTimeAsync(600);
    expect(media.asked, 'once, however often the plug was reported').toEqual(['audio']);
    expect(microphone().id).toBe('audio again');
    expect(proofs).toBe(1);
  });

  // CLIENT-54
  it('that comes changes no track, and the voice must still flow', async () => {
    begin();
    media.inputs = ['audio', 'bluetooth'];
    media.dispatchEvent(new Event('devicechange'));
    await vi.advanceTimersByTimeAsync(600);
    expect(media.asked).toEqual([]);
    expect(proofs).toBe(1);
  });

  it('of a browser that hides its ids says nothing', async () => {
    begin();
    media.inputs = [''];
    media.dispatchEvent(new Event('devicechange'));
    await vi.advanceTimersByTimeAsync(600);
    expect(media.asked).toEqual([]);
  });
});

describe('the lock screen', () => {
  // CLIENT-55
  it('is told, and unlocking brings the call back', async () => {
    begin();
    show('hidden');
    camera().become('mute');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual(['problem HIDDEN']);
    expect(shown.interrupted, 'nobody reads a page that is hidden').toBeUndefined();
    camera().become('unmute');
    show('visible');
    expect(told).toEqual(['problem HIDDEN', 'back']);
    expect(proofs).toBe(1);
  });

  // CLIENT-55
  it('that took the camera for good has it opened again', async () => {
    begin();
    show('hidden');
    camera().become('ended');
    show('visible');
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(media.asked).toEqual(['video']);
    expect(told).toEqual(['problem HIDDEN', 'back']);
  });
});

describe('a phone that is turned', () => {
  // CLIENT-54
  it('must still send', () => {
    const orientation = new EventTarget();
    vi.stubGlobal('screen', { orientation });
    begin();
    orientation.dispatchEvent(new Event('change'));
    expect(proofs).toBe(1);
  });
});

describe('the wake lock', () => {
  // CLIENT-57
  it('is renewed when the system takes it, and when the page is shown again', async () => {
    const locks: (EventTarget & { released: boolean })[] = [];
    const wakeLock = {
      request: async () => {
        const lock = Object.assign(new EventTarget(), { released: false, release: async () => undefined });
        locks.push(lock);
        return lock;
      },
    };
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { wakeLock }));
    const drop = () => {
      const lock = locks.at(-1);
      if (lock) lock.released = true;
      lock?.dispatchEvent(new Event('release'));
    };
    const refused = vi.fn();
    const stop = keepAwake(refused);
    await vi.advanceTimersByTimeAsync(0);
    drop();
    expect(locks, 'not at once').toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(locks).toHaveLength(2);
    page = 'hidden';
    drop();
    await vi.advanceTimersByTimeAsync(5000);
    expect(locks, 'a hidden page asks for nothing').toHaveLength(2);
    show('visible');
    await vi.advanceTimersByTimeAsync(0);
    expect(locks).toHaveLength(3);
    stop();
    drop();
    await vi.advanceTimersByTimeAsync(5000);
    expect(locks).toHaveLength(3);
    expect(refused).not.toHaveBeenCalled();
  });

  // CLIENT-57
  it('that Safari does not know is said once', async () => {
    const refused = vi.fn();
    const stop = keepAwake(refused);
    await vi.advanceTimersByTimeAsync(0);
    show('visible');
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toHaveBeenCalledTimes(1);
    stop();
  });
});
