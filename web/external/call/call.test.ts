import { describe, expect, it } from 'vitest';
import { iceAction } from '../../src/rtc/path/ice';
import type { ChatMessage } from '../model';
import { isBlack, sharpness } from './frames';
import { betterThan, facingOf, type Lens, nextLens, rankRear } from './lens';
import { encodeMessage, parseMessage } from './messages';
import { clockText, lastWords, mergeChat, recordedMs, withoutPicture } from './view';
import { interruptionOf, metres, worthKeeping } from './watch';

const lens = (label: string, extra: Partial<Lens> = {}): Lens => ({
  deviceId: label,
  label,
  facing: facingOf(label),
  torch: null,
  ...extra,
});

// CLIENT-16
describe('the choice of the lens', () => {
  it.each<[string, string[], string]>([
    [
      'iPhone with three rear lenses',
      ['Front Camera', 'Back Ultra Wide Camera', 'Back Telephoto Camera', 'Back Camera'],
      'Back Camera',
    ],
    ['iPhone in Spanish', ['Cámara frontal', 'Cámara ultra gran angular trasera', 'Cámara trasera'], 'Cámara trasera'],
    [
      'Android: the lowest number',
      ['camera2 1, facing front', 'camera2 2, facing back', 'camera2 0, facing back'],
      'camera2 0, facing back',
    ],
    ['a triple lens is not an ultra-wide one', ['Back Ultra Wide Camera', 'Back Triple Camera'], 'Back Triple Camera'],
    ['a laptop', ['Integrated Webcam'], 'Integrated Webcam'],
    ['nothing says where it looks: the first', ['Camera A', 'Camera B'], 'Camera A'],
  ])('%s', (_name, labels, best) => expect(rankRear(labels.map((label) => lens(label)))[0]?.label).toBe(best));

  it('a torch tells the main lens whatever the names say', () => {
    const ranked = rankRear([lens('camera2 0, facing back'), lens('camera2 3, facing back', { torch: true })]);
    expect(ranked[0]?.torch).toBe(true);
  });

  it('an open lens is left only for a better one', () => {
    const main = lens('Back Camera');
    const wide = lens('Back Ultra Wide Camera');
    expect(betterThan(wide, rankRear([main, wide]))).toBe(main);
    expect(betterThan(main, rankRear([main, wide]))).toBeNull();
    expect(betterThan({ ...wide, torch: true }, rankRear([main, wide]))).toBeNull();
    expect(betterThan(lens('Front Camera'), rankRear([wide]))).toBe(wide);
  });

  it('the next lens goes round', () => {
    const all = [lens('a'), lens('b')];
    expect(nextLens('a', all)?.label).toBe('b');
    expect(nextLens('b', all)?.label).toBe('a');
    expect(nextLens('gone', all)?.label).toBe('a');
    expect(nextLens('a', all.slice(0, 1))).toBeNull();
  });

  it('believes the browser before the label', () => {
    expect(facingOf('Front', ['environment'])).toBe('environment');
    expect(facingOf('camera 1', ['user'])).toBe('user');
    expect(facingOf('HD Webcam')).toBeNull();
  });
});

// CLIENT-26
describe('data messages', () => {
  const parse = (message: object, sender?: string, topic: string | undefined = 'atalaya') =>
    parseMessage(encodeMessage(message as never), sender, topic);

  it.each<[object, object | null]>([
    [
      { t: 'still', id: 's1', by: 'Nuria' },
      { t: 'still', id: 's1', by: 'Nuria' },
    ],
    [{ t: 'still' }, null],
    [{ t: 'still', id: 'x'.repeat(101) }, null],
    [
      { t: 'camera', facing: 'next' },
      { t: 'camera', facing: 'next' },
    ],
    [{ t: 'camera', facing: 'up' }, null],
    [
      { t: 'torch', on: true },
      { t: 'torch', on: true },
    ],
    [{ t: 'torch', on: 'yes' }, null],
    [
      { t: 'zoom', value: 2 },
      { t: 'zoom', value: 2 },
    ],
    [{ t: 'zoom', value: null }, null],
    [{ t: 'format' }, null],
  ])('from staff: %j', (message, expected) => expect(parse(message, 'user:1')).toEqual(expected));

  it('commands from anyone else are ignored, and staff cannot speak for the server', () => {
    expect(parse({ t: 'still', id: 's' }, 'client:2')).toBeNull();
    expect(parse({ t: 'still', id: 's' }, undefined)).toBeNull();
    expect(parse({ t: 'closed' }, 'user:1')).toBeNull();
    expect(parse({ t: 'recording', state: 'recording' }, 'client:2')).toBeNull();
  });

  it('the server has no identity', () => {
    expect(parse({ t: 'closed' })).toEqual({ t: 'closed' });
    expect(parse({ t: 'recording', state: 'paused', elapsedMs: 5 })).toMatchObject({ state: 'paused' });
    expect(parse({ t: 'recording', state: 'loud' })).toBeNull();
    expect(parse({ t: 'chat', message: { _id: '1', text: 'a' } })).toMatchObject({ t: 'chat' });
    expect(parse({ t: 'chat', message: 'a' })).toBeNull();
  });

  it('garbage and other topics are nothing', () => {
    expect(parseMessage(new Uint8Array([1, 2, 3]), 'user:1', 'atalaya')).toBeNull();
    expect(parseMessage(new TextEncoder().encode('[]'), 'user:1', 'atalaya')).toBeNull();
    expect(parse({ t: 'torch', on: true }, 'user:1', 'other')).toBeNull();
  });
});

describe('frames', () => {
  const flat = new Uint8Array(100).fill(90);
  const edge = Uint8Array.from({ length: 100 }, (_, i) => (i % 10 < 5 ? 0 : 255));
  const soft = Uint8Array.from({ length: 100 }, (_, i) => (i % 10) * 25);

  it('an edge is sharper than a ramp, a ramp than nothing', () => {
    expect(sharpness(flat, 10, 10)).toBe(0);
    expect(sharpness(edge, 10, 10)).toBeGreaterThan(sharpness(soft, 10, 10));
  });

  it('black is black', () => {
    expect(isBlack(new Uint8Array(9))).toBe(true);
    expect(isBlack(Uint8Array.of(0, 0, 60))).toBe(false);
  });
});

// CLIENT-18
describe('what a phone does', () => {
  const live = { muted: false, ended: false };
  const muted = { muted: true, ended: false };
  const ended = { muted: false, ended: true };
  it.each([
    ['nothing', live, live, null],
    ['a phone call', muted, muted, 'PHONE_CALL'],
    ['a phone call silences the microphone only', live, muted, 'PHONE_CALL'],
    ['another app took the camera', ended, live, 'CAMERA_LOST'],
    ['the headset was pulled out', live, ended, 'MICROPHONE_LOST'],
    ['voice only', null, live, null],
    ['no devices at all', null, null, null],
  ] as const)('%s', (_name, camera, microphone, why) => {
    expect(interruptionOf({ camera, microphone, visible: true })).toBe(why);
  });

  const fix = (latitude: number, longitude: number, accuracy: number) => ({ latitude, longitude, accuracy, at: '' });
  // CLIENT-20
  it('a position is kept when it is better or elsewhere', () => {
    expect(worthKeeping(null, fix(39.57, 2.65, 900))).toBe(true);
    expect(worthKeeping(fix(39.57, 2.65, 900), fix(39.57, 2.65, 12))).toBe(true);
    expect(worthKeeping(fix(39.57, 2.65, 12), fix(39.5701, 2.65, 12))).toBe(false);
    expect(worthKeeping(fix(39.57, 2.65, 12), fix(39.571, 2.65, 12))).toBe(true);
  });
  it('metres are metres', () => {
    expect(metres(fix(39.57, 2.65, 0), fix(39.58, 2.65, 0))).toBeCloseTo(1112, -1);
    expect(metres(fix(39.57, 2.65, 0), fix(39.57, 2.66, 0))).toBeCloseTo(857, -1);
  });
});

// CLIENT-17
describe('a broken path', () => {
  it.each([
    [0, null, 'none'],
    [2999, null, 'none'],
    [3000, null, 'restart'],
    [5000, 2000, 'none'],
    [9500, 6500, 'restart'],
    [10_000, 1000, 'rejoin'],
  ] as const)('%i ms broken, last try %s ms ago: %s', (broken, restarted, action) => {
    expect(iceAction(broken, restarted)).toBe(action);
  });
});

describe('the screen', () => {
  const say = (_id: string, kind: string, at: string): ChatMessage => ({
    _id,
    kind,
    at,
    from: '',
    name: '',
    text: _id,
  });
  it('has each message once, in order, and the last words of staff', () => {
    const chat = mergeChat([say('b', 'client', '2')], [say('a', 'staff', '1'), say('b', 'client', '2')]);
    expect(chat.map(({ _id }) => _id)).toEqual(['a', 'b']);
    expect(lastWords(chat)?._id).toBe('a');
    expect(lastWords([])).toBeNull();
  });
  it('counts the recording without its pauses', () => {
    expect(recordedMs({ state: 'recording', elapsedMs: 1000, since: 500 }, 2500)).toBe(3000);
    expect(recordedMs({ state: 'paused', elapsedMs: 1000, since: 500 }, 2500)).toBe(1000);
    expect(clockText(320_000)).toBe('05:20');
    expect(clockText(3_723_000)).toBe('1:02:03');
  });
});

describe('without a picture', () => {
  // CALL-41
  it.each<[string, boolean, boolean, boolean, string, string | null]>([
    ['paused', true, true, false, 'call_paused_picture', null],
    ['paused and muted', true, true, true, 'call_paused_picture', 'call_not_heard'],
    ['no camera', false, true, false, 'call_no_camera', 'call_no_camera_text'],
    ['no camera, muted', false, true, true, 'call_no_camera', 'call_not_heard'],
    ['both refused', false, false, false, 'call_no_devices', 'call_no_devices_text'],
  ])('nobody reads that they are heard when they are not: %s', (_name, cameraPaused, microphone, muted, title, text) =>
    expect(withoutPicture({ cameraPaused, microphone, muted })).toEqual({ title, text }),
  );
});
