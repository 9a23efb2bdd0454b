// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../testing/fake-room';
import { LivePicture, type PictureSettings } from './live-picture';
import type { Spot } from './place';

const WIDTH = 800;
const HEIGHT = 600;
let clock: FakeClock;
let frame: HTMLElement;
let picture: LivePicture;
let sent: Spot[];
let scale: number;
let pointed: (string | null)[];

const settings = (changes: Partial<PictureSettings> = {}): PictureSettings => ({
  fit: 'contain',
  mirrored: false,
  pointsBy: null,
  send: (spot) => sent.push(spot),
  look: (from) => ({
    name: from === null ? '' : `name of ${from}`,
    tone: from?.startsWith('client') ? 'client' : 'staff',
  }),
  onScale: (now) => {
    scale = now;
  },
  onPointed: (from) => pointed.push(from),
  ...changes,
});

/** A frame of 640 × 480 that fills a box of 800 × 600 px in the window's corner. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame', 'performance'] });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  clock = new FakeClock();
  sent = [];
  pointed = [];
  scale = 1;
  document.body.innerHTML = '<div id="frame"><div id="inner"><video></video></div></div>';
  frame = document.getElementById('frame') as HTMLElement;
  Object.defineProperties(frame, { clientWidth: { value: WIDTH }, clientHeight: { value: HEIGHT } });
  frame.getBoundingClientRect = () => new DOMRect(0, 0, WIDTH, HEIGHT);
  frame.setPointerCapture = () => undefined;
  const video = frame.querySelector('video') as HTMLVideoElement;
  Object.defineProperties(video, { videoWidth: { value: 640 }, videoHeight: { value: 480 } });
  picture = new LivePicture(frame, settings(), clock);
});
afterEach(() => {
  picture.dispose();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Press = 'Down' | 'Move' | 'Up' | 'Cancel' | 'Leave';
const pointer = (type: Press, pointerType: string, id: number, x: number, y: number, more = {}) =>
  fireEvent[`pointer${type}`](frame, { pointerId: id, pointerType, button: 0, clientX: x, clientY: y, ...more });
const mouse = (type: Press, x: number, y: number, more = {}) => pointer(type, 'mouse', 1, x, y, more);
const finger = (type: Press, x: number, y: number, id = 5) => pointer(type, 'touch', id, x, y);
const places = () => sent.map(({ x, y }) => [x, y]);
const inner = () => document.getElementById('inner') as HTMLElement;

// CALL-46
describe('pointing', () => {
  it('needs the pointer to be on', async () => {
    mouse('Move', 400, 300);
    finger('Down', 400, 300);
    finger('Up', 400, 300);
    await clock.pass(500);
    expect(sent).toEqual([]);
  });

  it('follows the mouse, with and without its button, until it leaves', async () => {
    picture.set(settings({ pointsBy: 'hover' }));
    mouse('Move', 400, 300);
    await clock.pass(40);
    mouse('Down', 200, 150);
    await clock.pass(40);
    mouse('Up', 200, 150);
    mouse('Move', 600, 150);
    await clock.pass(40);
    expect(places()).toEqual([
      [0.5, 0.5],
      [0.25, 0.25],
      [0.75, 0.25],
    ]);
    mouse('Leave', 900, 150);
    await clock.pass(2_000);
    expect(sent).toHaveLength(3);
  });

  it('follows one finger, and a tap is enough', async () => {
    picture.set(settings({ pointsBy: 'touch', mirrored: true }));
    mouse('Move', 400, 300);
    finger('Down', 200, 300);
    finger('Up', 200, 300);
    await clock.pass(500);
    expect(places()).toEqual([[0.75, 0.5]]);
    finger('Down', 400, 300);
    await clock.pass(100);
    finger('Move', 400, 420);
    await clock.pass(40);
    finger('Up', 400, 420);
    await clock.pass(500);
    expect(places().slice(1)).toEqual([
      [0.5, 0.5],
      [0.5, 0.7],
    ]);
  });

  it('is not what two fingers do, nor a cancelled press', async () => {
    picture.set(settings({ pointsBy: 'touch' }));
    finger('Down', 300, 300, 5);
    await clock.pass(30);
    finger('Down', 500, 300, 6);
    finger('Move', 200, 300, 5);
    finger('Up', 200, 300, 5);
    finger('Move', 520, 320, 6);
    finger('Up', 520, 320, 6);
    finger('Down', 300, 300, 7);
    finger('Cancel', 300, 300, 7);
    await clock.pass(500);
    expect(sent).toEqual([]);
    expect(scale).toBeGreaterThan(1);
  });

  it('means the same spot when the picture is enlarged', async () => {
    picture.zoom(2);
    picture.set(settings({ pointsBy: 'hover' }));
    mouse('Move', 0, 300);
    await clock.pass(40);
    expect(places()).toEqual([[0.25, 0.5]]);
    // The shift key moves the picture instead.
    mouse('Down', 400, 300, { shiftKey: true });
    mouse('Move', 500, 300, { shiftKey: true });
    mouse('Up', 500, 300);
    mouse('Move', 0, 300);
    await clock.pass(40);
    expect(sent.at(-1)?.x).toBeCloseTo(0.1875, 6);
  });

  it('stops when the pointer is switched off', async () => {
    picture.set(settings({ pointsBy: 'hover' }));
    mouse('Move', 400, 300);
    picture.set(settings());
    await clock.pass(2_000);
    expect(sent).toHaveLength(1);
  });

  // CALL-49
  it('is done by the arrows, too, from the middle on', async () => {
    picture.set(settings({ pointsBy: 'hover' }));
    expect(picture.press('ArrowRight', false)).toBe(true);
    await clock.pass(40);
    picture.press('ArrowRight', true);
    await clock.pass(40);
    expect(places()).toEqual([
      [0.5, 0.5],
      [0.6, 0.5],
    ]);
    await clock.pass(60_000);
    expect(sent.length).toBeLessThan(10);
  });
});

// CALL-46
describe('the dots of others', () => {
  const heads = () => [...document.querySelectorAll<HTMLElement>('.at-laser')];

  it('stand on their spot with a name, and go after two seconds', async () => {
    picture.take('user:1', { x: 0.25, y: 0.5, aspect: 4 / 3 });
    picture.take('client:2', { x: 0.75, y: 0.5, aspect: 4 / 3 });
    await vi.advanceTimersByTimeAsync(20);
    expect(heads().map((head) => [head.style.transform, head.textContent, head.dataset.tone])).toEqual([
      ['translate(200.0px, 300.0px)', 'name of user:1', 'staff'],
      ['translate(600.0px, 300.0px)', 'name of client:2', 'client'],
    ]);
    await vi.advanceTimersByTimeAsync(1_200);
    expect(Number(heads()[0]?.style.opacity)).toBeLessThan(0.6);
    picture.zoom(2);
    await vi.advanceTimersByTimeAsync(20);
    expect(heads()[0]?.style.transform).toBe('translate(0.0px, 300.0px)');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(heads()).toEqual([]);
    expect(pointed).toEqual(['user:1', 'client:2', null]);
  });

  // CALL-47
  it('of a frame with another shape are not drawn: the phone has been turned', async () => {
    picture.take('user:1', { x: 0.25, y: 0.5, aspect: 3 / 4 });
    await vi.advanceTimersByTimeAsync(20);
    expect(heads()).toEqual([]);
  });

  it('leave a trail, except for people who want no motion', async () => {
    const strokes = vi.fn();
    const pen = { setTransform() {}, clearRect() {}, beginPath() {}, moveTo() {}, lineTo() {}, stroke: strokes };
    const context = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never);
    const still = vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    for (const x of [0.2, 0.3, 0.4]) {
      picture.take('user:1', { x, y: 0.5, aspect: 4 / 3 });
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(strokes).not.toHaveBeenCalled();
    still.mockReturnValue({ matches: false } as MediaQueryList);
    await vi.advanceTimersByTimeAsync(20);
    expect(strokes).toHaveBeenCalled();
    expect(heads()).toHaveLength(1);
    context.mockRestore();
    still.mockRestore();
  });

  it('beyond the edge are arrows', async () => {
    picture.zoom(4);
    picture.take('user:1', { x: 1, y: 0.5, aspect: 4 / 3 });
    await vi.advanceTimersByTimeAsync(20);
    expect(heads()[0]?.hasAttribute('data-beyond')).toBe(true);
    expect(heads()[0]?.style.getPropertyValue('--turn')).toBe('0deg');
  });

  it('write a name as text', async () => {
    picture.set(settings({ look: () => ({ name: '<img src=x onerror=alert(1)>', tone: 'staff' }) }));
    picture.take('user:1', { x: 0.5, y: 0.5, aspect: 4 / 3 });
    await vi.advanceTimersByTimeAsync(20);
    expect(frame.querySelector('img')).toBeNull();
    expect(heads()[0]?.textContent).toContain('<img');
  });
});

// CALL-48
describe('enlarging', () => {
  const tap = (x: number, y: number) => {
    finger('Down', x, y);
    finger('Up', x, y);
  };

  it('is done by the wheel about the mouse, and is bounded', () => {
    fireEvent.wheel(frame, { deltaY: -100, clientX: 400, clientY: 300 });
    expect(scale).toBeCloseTo(1.197, 3);
    for (let notch = 0; notch < 40; notch += 1) fireEvent.wheel(frame, { deltaY: -100, clientX: 0, clientY: 0 });
    expect(scale).toBe(8);
    for (let notch = 0; notch < 40; notch += 1) fireEvent.wheel(frame, { deltaY: 3, deltaMode: 1 });
    expect(scale).toBe(1);
  });

  it('is done by two fingers, a double click and a double tap, which goes back, too', () => {
    finger('Down', 300, 300, 5);
    finger('Down', 500, 300, 6);
    finger('Move', 700, 300, 6);
    finger('Up', 300, 300, 5);
    finger('Up', 700, 300, 6);
    expect(scale).toBe(2);
    tap(400, 300);
    tap(402, 301);
    expect(scale).toBe(1);
    mouse('Down', 400, 300);
    mouse('Up', 400, 300);
    fireEvent.dblClick(frame, { clientX: 400, clientY: 300 });
    expect(scale).toBe(2.5);
  });

  it('leaves a double tap to the pointer while that is on', () => {
    picture.set(settings({ pointsBy: 'touch' }));
    tap(400, 300);
    tap(400, 300);
    fireEvent.dblClick(frame, { clientX: 400, clientY: 300 });
    expect(scale).toBe(1);
  });

  it('makes the element larger, so that a better layer comes, and a drag moves it no further than its edge', () => {
    picture.zoom(2);
    expect([inner().style.width, inner().style.left]).toEqual(['200%', 'calc(50% + 0px)']);
    mouse('Down', 400, 300);
    mouse('Move', 500, 250);
    expect([inner().style.left, inner().style.top]).toEqual(['calc(50% + 100px)', 'calc(50% + -50px)']);
    mouse('Move', 5_000, 250);
    mouse('Up', 5_000, 250);
    expect(inner().style.left).toBe('calc(50% + 400px)');
  });

  // CALL-49
  it('has keys, and leaves the arrows alone while the picture is whole', () => {
    expect(picture.press('ArrowLeft', false)).toBe(false);
    expect(picture.press('x', false)).toBe(false);
    expect(picture.press('+', false)).toBe(true);
    expect(scale).toBe(1.25);
    picture.press('ArrowLeft', false);
    expect(inner().style.left).toBe('calc(50% + 16px)');
    picture.press('-', false);
    expect(scale).toBe(1);
    picture.press('+', false);
    picture.press('0', false);
    expect(scale).toBe(1);
  });

  it('leaves nothing behind', () => {
    picture.dispose();
    expect(frame.querySelector('.at-lasers')).toBeNull();
    fireEvent.wheel(frame, { deltaY: -100 });
    expect(scale).toBe(1);
  });
});
