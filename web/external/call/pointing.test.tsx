import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Pointed } from '../../src/rtc/pointing/channel';
import type { LivePicture } from '../../src/rtc/pointing/live-picture';
import { enlargedText } from '../words';
import { OwnPicture } from './Pictures';
import { Pointing } from './pointing';

const pointed = (from: string, name: string): Pointed => ({ of: 'client:1', from, name, x: 0.5, y: 0.5, aspect: 1 });

// CALL-46
describe('what others show', () => {
  it('goes to the picture, and is explained once to whoever can answer', () => {
    const explained: string[] = [];
    const taken: string[] = [];
    const pointing = new Pointing(
      () => undefined,
      (who) => explained.push(who),
    );
    pointing.take(pointed('user:1', 'Nuria Ferrer'));
    expect(explained).toEqual([]);
    pointing.picture = { take: (from: string) => taken.push(from) } as unknown as LivePicture;
    pointing.take(pointed('user:1', 'Nuria Ferrer'));
    pointing.take(pointed('user:2', 'Jordi'));
    expect([taken, explained]).toEqual([['user:1', 'user:2'], ['Nuria']]);
    expect([pointing.nameOf('user:1'), pointing.nameOf('user:9')]).toEqual(['Nuria', '']);
  });
});

describe('the own picture', () => {
  let host: HTMLElement;
  let pointing: Pointing;
  let scale: number;
  beforeEach(() => {
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe() {}
        disconnect() {}
      },
    );
    HTMLMediaElement.prototype.play = async () => undefined;
    // A made-up track is no stream for the DOM of tests.
    vi.spyOn(HTMLMediaElement.prototype, 'srcObject', 'set').mockReturnValue();
    vi.stubGlobal('MediaStream', class {});
    host = document.createElement('div');
    document.body.append(host);
    pointing = new Pointing(
      () => undefined,
      () => undefined,
    );
    scale = 1;
  });
  afterEach(() => {
    render(null, host);
    host.remove();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  const show = (large: boolean) =>
    act(() =>
      render(
        <OwnPicture
          track={{} as MediaStreamTrack}
          label="Su cámara"
          mirrored={false}
          pointing={pointing}
          large={large}
          onScale={(now) => {
            scale = now;
          }}
        />,
        host,
      ),
    );

  const withFrame = () => {
    const frame = host.querySelector('.frame') as HTMLElement;
    Object.defineProperties(frame, { clientWidth: { value: 390 }, clientHeight: { value: 640 } });
    const video = frame.querySelector('video') as HTMLVideoElement;
    Object.defineProperties(video, { videoWidth: { value: 720 }, videoHeight: { value: 1280 } });
  };
  const press = (target: EventTarget, key: string) =>
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));

  // CALL-48, CALL-49
  it('is enlarged by keys, but not while somebody writes', () => {
    show(true);
    withFrame();
    const field = document.createElement('input');
    host.append(field);
    press(field, '+');
    expect(scale).toBe(1);
    press(document.body, '+');
    expect(scale).toBe(1.25);
    press(document.body, '0');
    expect(scale).toBe(1);
  });

  it('is neither touched nor enlarged while it is small', () => {
    show(false);
    withFrame();
    press(document.body, '+');
    expect(scale).toBe(1);
  });

  it('lets go of its dots when it leaves the screen', () => {
    show(true);
    expect(pointing.picture).not.toBeNull();
    act(() => render(null, host));
    expect(pointing.picture).toBeNull();
  });
});

// CALL-48
it('says how far in the reader’s numbers', () => {
  expect([enlargedText(2, 'es'), enlargedText(1.25, 'en'), enlargedText(8, 'de')]).toEqual(['×2,0', '×1.3', '×8,0']);
});
