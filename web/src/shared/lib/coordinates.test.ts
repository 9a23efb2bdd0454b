import { expect, it } from 'vitest';
import { vectors } from '@/test/vectors';
import { coordinatesText } from './coordinates';

const { cases } = vectors<{ cases: { latitude: number; longitude: number; text: string }[] }>('coordinates');

// PLACE-6
it.each(cases)('writes $text', ({ text, ...position }) => {
  expect(coordinatesText(position)).toBe(text);
});
