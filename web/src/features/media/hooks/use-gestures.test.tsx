import { fireEvent, render, screen } from '@testing-library/react';
import { useRef, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { type View, WHOLE } from '../model';
import { useGestures } from './use-gestures';

const onSwipe = vi.fn();
const WIDTH = 400;
const HEIGHT = 300;

function Picture() {
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>(WHOLE);
  const { handlers, dragging } = useGestures({ frame, view, onView: setView, onSwipe });
  return (
    <div ref={frame} data-testid="frame" data-view={JSON.stringify(view)} data-dragging={dragging} {...handlers} />
  );
}

/** Shows a picture of 400 × 300 px whose corner is the window's. */
function show() {
  render(<Picture />);
  const frame = screen.getByTestId('frame');
  frame.setPointerCapture = vi.fn();
  frame.getBoundingClientRect = () => new DOMRect(0, 0, WIDTH, HEIGHT);
  Object.defineProperties(frame, { clientWidth: { value: WIDTH }, clientHeight: { value: HEIGHT } });
  const touch = (type: 'Down' | 'Move' | 'Up' | 'Cancel', pointerId: number, x: number, y: number) =>
    fireEvent[`pointer${type}`](frame, { pointerId, pointerType: 'touch', button: 0, clientX: x, clientY: y });
  const view = (): View => JSON.parse(frame.dataset.view ?? '{}');
  return { frame, touch, view };
}

beforeEach(() => onSwipe.mockClear());

it.each([
  ['left: the next', [300, 150], [220, 155], 1],
  ['right: the one before', [100, 150], [180, 140], -1],
  ['61 px', [300, 150], [239, 150], 1],
  ['60 px: too short', [300, 150], [240, 150], null],
  ['more down than across: none', [300, 50], [230, 200], null],
])('swipes %s', (_, from, to, step) => {
  const { frame, touch } = show();
  touch('Down', 1, from[0] as number, from[1] as number);
  expect(frame.dataset.dragging).toBe('true');
  touch('Move', 1, to[0] as number, to[1] as number);
  touch('Up', 1, to[0] as number, to[1] as number);
  expect(onSwipe.mock.calls).toEqual(step === null ? [] : [[step]]);
  expect(frame.dataset.dragging).toBe('false');
});

it('takes a swipe back when the system takes the finger', () => {
  const { touch } = show();
  touch('Down', 1, 300, 150);
  touch('Move', 1, 200, 150);
  touch('Cancel', 1, 200, 150);
  expect(onSwipe).not.toHaveBeenCalled();
});

it('zooms with two fingers as far as they part, and does not swipe when they leave', () => {
  const { touch, view } = show();
  touch('Down', 1, 150, 150);
  touch('Down', 2, 250, 150);
  touch('Move', 1, 100, 150);
  touch('Move', 2, 300, 150);
  expect(view().scale).toBeCloseTo(2);
  expect(view().x).toBeCloseTo(0);
  touch('Up', 2, 300, 150);
  touch('Up', 1, 100, 150);
  expect(onSwipe).not.toHaveBeenCalled();
  expect(view().scale).toBeCloseTo(2);
});

it('never pinches smaller than whole', () => {
  const { touch, view } = show();
  touch('Down', 1, 100, 150);
  touch('Down', 2, 300, 150);
  touch('Move', 2, 120, 150);
  expect(view().scale).toBe(1);
});

it('moves the enlarged picture with one finger instead of swiping', () => {
  const { touch, view } = show();
  touch('Down', 1, 150, 150);
  touch('Down', 2, 250, 150);
  touch('Move', 1, 100, 150);
  touch('Move', 2, 300, 150);
  touch('Up', 2, 300, 150);
  touch('Up', 1, 100, 150);
  const before = view();
  touch('Down', 1, 200, 150);
  touch('Move', 1, 120, 150);
  touch('Up', 1, 120, 150);
  expect(view().x).toBeCloseTo(before.x - 80);
  expect(onSwipe).not.toHaveBeenCalled();
});

it('enlarges by a double tap and goes back by another', () => {
  const { touch, view } = show();
  const tap = () => {
    touch('Down', 1, 200, 150);
    touch('Up', 1, 202, 151);
  };
  tap();
  tap();
  expect(view().scale).toBe(2.5);
  tap();
  tap();
  expect(view().scale).toBe(1);
  expect(onSwipe).not.toHaveBeenCalled();
});
