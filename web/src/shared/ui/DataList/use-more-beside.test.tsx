import { fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { expect, it } from 'vitest';
import { hasMoreBeside, useMoreBeside } from './use-more-beside';

it.each([
  [0, 1000, 1300, true],
  [150, 1000, 1300, true],
  [299.5, 1000, 1300, false],
  [300, 1000, 1300, false],
  [0, 1000, 1000, false],
])('scrolled by %s px, %s of %s px in sight: more beside it is %s', (left, shown, whole, more) => {
  expect(hasMoreBeside(left, shown, whole)).toBe(more);
});

function Box() {
  const box = useRef<HTMLDivElement>(null);
  useMoreBeside(box, null);
  return <div ref={box} data-testid="box" />;
}

it('marks the box until its end is reached', () => {
  render(<Box />);
  const box = screen.getByTestId('box');
  Object.defineProperties(box, { clientWidth: { value: 1000 }, scrollWidth: { value: 1300 } });
  fireEvent.scroll(box);
  expect(box.hasAttribute('data-more')).toBe(true);
  box.scrollLeft = 300;
  fireEvent.scroll(box);
  expect(box.hasAttribute('data-more')).toBe(false);
});
