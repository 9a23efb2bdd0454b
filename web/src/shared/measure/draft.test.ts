import { expect, it } from 'vitest';
import {
  draftOf,
  foundAt,
  inputOf,
  moved,
  newId,
  placedByHand,
  placeOf,
  readings,
  turned,
  valueText,
  withCorner,
  withoutCorner,
  withoutShape,
  withShape,
} from './draft';
import type { Quad } from './geometry';
import { REFERENCE_NAMES } from './references';

const frame = { width: 1280, height: 720 };
const corners: Quad = [
  [0.3, 0.4],
  [0.7, 0.4],
  [0.7, 0.55],
  [0.3, 0.55],
];

// MEASURE-12
it.each(REFERENCE_NAMES)('a %s placed by hand begins in the picture and can be measured with at once', (reference) => {
  for (const sides of [frame, { width: 720, height: 1280 }, { width: 300, height: 300 }]) {
    const draft = placedByHand(reference, sides);
    expect(draft.corners.flat().every((place) => place > 0 && place < 1)).toBe(true);
    const { valid, wide, shapes } = readings(withShape(draft, 'length'), sides);
    expect([valid, wide, shapes[0]?.problem]).toEqual([true, false, null]);
  }
});

// MEASURE-12
it('what a hand moved is no longer found, and stays within the picture', () => {
  const draft = withShape(foundAt('plate', corners), 'length');
  const shape = draft.shapes[0]?.id ?? '';
  expect(moved(draft, { shape, nth: 0 }, [0.2, 0.2]).found).toBe(true);
  const after = moved(draft, { shape: null, nth: 2 }, [1.7, -3]);
  expect([after.found, placeOf(after, { shape: null, nth: 2 })]).toEqual([false, [1, 0]]);
  expect(placeOf(draft, { shape: 'unknown00', nth: 0 })).toBeNull();
});

// MEASURE-4
it('names what cannot be measured', () => {
  const bowtie: Quad = [
    [0.1, 0.1],
    [0.9, 0.9],
    [0.9, 0.1],
    [0.1, 0.9],
  ];
  expect(readings(foundAt('a4', bowtie), frame).valid).toBe(false);
  const draft = withShape(foundAt('plate', corners), 'area');
  const shape = draft.shapes[0]?.id ?? '';
  const crossed = moved(moved(draft, { shape, nth: 1 }, [0.6, 0.9]), { shape, nth: 2 }, [0.6, 0.2]);
  expect(readings(crossed, frame).shapes[0]?.problem).toBe('crossed');
});

// MEASURE-5
it.each<[string | null, boolean]>([
  ['Trasera 1×', false],
  ['Trasera 0,5×', true],
  ['Back Ultra Wide Camera', true],
  ['environment', false],
  [null, false],
])('a lens called %s is wide: %s', (lens, wide) =>
  expect(readings(foundAt('plate', corners), frame, lens).wide).toBe(wide),
);

// MEASURE-3
it('a band of more than a twentieth is named', () => {
  const draft = withShape(placedByHand('card', frame), 'length');
  const shape = draft.shapes[0]?.id ?? '';
  const short = moved(moved(draft, { shape, nth: 0 }, [0.5, 0.5]), { shape, nth: 1 }, [0.505, 0.5]);
  expect([readings(draft, frame).shapes[0]?.rough, readings(short, frame).shapes[0]?.rough]).toEqual([false, true]);
});

// MEASURE-12
it('an area gets corners in its longest side and keeps three', () => {
  let draft = withShape(foundAt('plate', corners), 'area');
  const shape = draft.shapes[0]?.id ?? '';
  draft = withCorner(draft, shape, frame);
  expect(draft.shapes[0]?.points).toHaveLength(5);
  for (let n = 0; n < 5; n += 1) draft = withoutCorner(draft, shape);
  expect(draft.shapes[0]?.points).toHaveLength(3);
  expect(withoutShape(draft, shape).shapes).toEqual([]);
  for (let n = 0; n < 60; n += 1) draft = withCorner(draft, shape, frame);
  expect(draft.shapes[0]?.points).toHaveLength(40);
});

// MEASURE-6
it('goes to the server and comes back as it was', () => {
  const draft = withShape(withShape(turned(foundAt('a4', corners)), 'length'), 'area');
  const input = inputOf(draft);
  const plane = { ...input, wide: false, shapes: input.shapes.map((shape) => ({ ...shape, value: 1, error: 1 })) };
  expect(draftOf(plane)).toEqual(draft);
  expect(newId()).toMatch(/^[a-z0-9]{12}$/);
});

// MEASURE-3
it.each<['length' | 'area', number, number, string]>([
  ['length', 432.4, 8.1, '432 mm ± 9 mm'],
  ['length', 12, 0.2, '12 mm ± 1 mm'],
  ['length', 1_234, 12.3, '1,23 m ± 0,02 m'],
  ['area', 1_234, 30, '12,3 cm² ± 0,3 cm²'],
  ['area', 2_340_000, 51_000, '2,34 m² ± 0,06 m²'],
])('%s of %f ± %f is shown as %s', (kind, value, error, text) =>
  expect(valueText(kind, { value, error }, 'es')).toBe(text),
);
