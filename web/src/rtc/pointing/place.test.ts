import { describe, expect, it } from 'vitest';
import { pan, WHOLE, zoomAt } from '../../shared/lib/zoom';
import { atEdge, heldView, isSameShape, type Placement, placeOf, type Size, spotAt } from './place';

const WIDE: Size = { width: 1280, height: 720 };
const TALL: Size = { width: 720, height: 1280 };
const DESK: Size = { width: 1092, height: 700 };
const PHONE: Size = { width: 390, height: 640 };

const placed = (changes: Partial<Placement>): Placement => ({
  box: DESK,
  frame: WIDE,
  fit: 'contain',
  mirrored: false,
  view: WHOLE,
  ...changes,
});

// CALL-46
describe('a spot of the frame', () => {
  it.each<[string, Partial<Placement>, [number, number], [number, number] | null]>([
    ['in the middle', {}, [546, 350], [0.5, 0.5]],
    ['bars above and below: the top left corner', {}, [0, 42.875], [0, 0]],
    ['bars above and below: on the bar', {}, [546, 42], null],
    ['bars left and right', { frame: TALL }, [349.125, 0], [0, 0]],
    ['bars left and right: on the bar', { frame: TALL }, [340, 350], null],
    ['cut left and right', { box: PHONE, fit: 'cover' }, [195, 320], [0.5, 0.5]],
    ['cut left and right: what is seen of the left', { box: PHONE, fit: 'cover' }, [0, 0], [0.3286, 0]],
    ['mirrored', { mirrored: true }, [273, 350], [0.75, 0.5]],
    ['enlarged about its middle', { view: { scale: 2, x: 0, y: 0 } }, [0, 350], [0.25, 0.5]],
    ['enlarged and moved', { view: { scale: 2, x: 546, y: 0 } }, [0, 350], [0, 0.5]],
    ['enlarged and mirrored', { view: { scale: 2, x: 0, y: 0 }, mirrored: true }, [0, 350], [0.75, 0.5]],
  ])('%s', (_name, changes, [x, y], spot) => {
    const found = spotAt(placed(changes), { x, y });
    if (spot === null) expect(found).toBeNull();
    else {
      expect(found?.x).toBeCloseTo(spot[0], 3);
      expect(found?.y).toBeCloseTo(spot[1], 3);
    }
  });

  it('comes back to the same place, however the picture lies', () => {
    for (const box of [DESK, PHONE, { width: 288, height: 212 }])
      for (const frame of [WIDE, TALL])
        for (const fit of ['contain', 'cover'] as const)
          for (const mirrored of [false, true])
            for (const view of [WHOLE, zoomAt(WHOLE, 3, 40, -20), { scale: 1.5, x: -30, y: 12 }]) {
              const placement: Placement = { box, frame, fit, mirrored, view };
              const place = placeOf(placement, { x: 0.31, y: 0.77 });
              const spot = spotAt(placement, place);
              expect(spot?.x).toBeCloseTo(0.31, 9);
              expect(spot?.y).toBeCloseTo(0.77, 9);
            }
  });

  it('is the same on a letterboxed desk and on a cut phone', () => {
    const spot = spotAt(placed({}), { x: 600, y: 300 });
    if (!spot) throw new Error('on the picture');
    const there = placeOf(placed({ box: PHONE, fit: 'cover' }), spot);
    // 640 px high: 1137.8 px wide, of which 390 are seen.
    expect(there.x).toBeCloseTo(spot.x * 1137.78 - 373.89, 1);
    expect(there.y).toBeCloseTo(spot.y * 640, 6);
  });

  it('knows a turned phone and another camera size, but not a line more or less', () => {
    expect(isSameShape(1280 / 720, 720 / 1280)).toBe(false);
    expect(isSameShape(1280 / 720, 1280 / 960)).toBe(false);
    expect(isSameShape(1280 / 720, 480 / 272)).toBe(true);
    expect(isSameShape(1280 / 720, 0)).toBe(false);
  });
});

// CALL-48
describe('an enlarged picture', () => {
  it('keeps what is under the pointer', () => {
    const before = placed({});
    const at = { x: 300, y: 200 };
    const view = zoomAt(WHOLE, 2.5, at.x - DESK.width / 2, at.y - DESK.height / 2);
    const [one, other] = [spotAt(before, at), spotAt({ ...before, view }, at)];
    expect(other?.x).toBeCloseTo(one?.x ?? -1, 9);
    expect(other?.y).toBeCloseTo(one?.y ?? -1, 9);
  });

  it('shows no more bars than it must, and is back in its place at 1', () => {
    const far = heldView(placed({ view: pan({ scale: 2, x: 0, y: 0 }, 9e4, 9e4, DESK.width, DESK.height) }));
    expect(far.x).toBe(546);
    expect(far.y).toBeCloseTo((614.25 * 2 - 700) / 2, 6);
    // Twice a narrow picture still fits in the width.
    expect(heldView(placed({ frame: TALL, view: { scale: 2, x: 200, y: 0 } })).x).toBe(0);
    expect(heldView(placed({ view: { scale: 1, x: 30, y: 30 } }))).toEqual(WHOLE);
  });

  it('shows the way to what it does not show', () => {
    expect(atEdge(DESK, { x: 10, y: 10 }, 26)).toEqual({ x: 10, y: 10, turn: null });
    expect(atEdge(DESK, { x: 2000, y: 350 }, 26)).toEqual({ x: 1066, y: 350, turn: 0 });
    expect(atEdge(DESK, { x: 546, y: -80 }, 26)).toEqual({ x: 546, y: 26, turn: -90 });
    expect(atEdge(DESK, { x: -300, y: 350 }, 26)).toMatchObject({ x: 26, turn: 180 });
  });
});
