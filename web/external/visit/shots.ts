/** What the client is asked to take a picture of when no video passes. Pure. */
import type { Key } from './texts';

/** 1 Autos, 2 Diversos: from afar, close up, and what names the thing or shows where it is. */
export const shotsOf = (type: number | undefined): Key[] => [
  'shot_whole',
  'shot_close',
  type === 1 ? 'shot_plate' : 'shot_around',
];

export interface Taken {
  captureId: string;
  key: Key;
  state: 'uploading' | 'done' | 'failed';
  percent: number;
}

/** The picture to take next: the first that was not taken or failed, then one more each time. */
export function nextShot(shots: readonly Key[], taken: readonly Taken[]): Key {
  const has = (key: Key) => taken.some((one) => one.key === key && one.state !== 'failed');
  return shots.find((key) => !has(key)) ?? 'shot_more';
}
