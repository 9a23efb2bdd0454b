import { expect, it } from 'vitest';
import { nextShot, shotsOf, type Taken } from './shots';

const taken = (key: Taken['key'], state: Taken['state']): Taken => ({ captureId: key, key, state, percent: 0 });

// RESCUE-3
it('guides from afar to the plate or the surroundings, and then takes any', () => {
  expect(shotsOf(1)).toEqual(['shot_whole', 'shot_close', 'shot_plate']);
  expect(shotsOf(2)).toEqual(['shot_whole', 'shot_close', 'shot_around']);
  const shots = shotsOf(1);
  expect(nextShot(shots, [])).toBe('shot_whole');
  expect(nextShot(shots, [taken('shot_whole', 'uploading')])).toBe('shot_close');
  expect(nextShot(shots, [taken('shot_whole', 'failed'), taken('shot_close', 'done')])).toBe('shot_whole');
  expect(
    nextShot(
      shots,
      shots.map((key) => taken(key, 'done')),
    ),
  ).toBe('shot_more');
});
