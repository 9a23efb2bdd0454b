import { coordinatesText } from '../../lib/coordinates';
import { CANARIES_BOX, MAINLAND_BOX, within } from './spain-outline';

/** Where something was, as the server tells it: degrees, metres, RFC 3339. */
export interface PlacedAt {
  at: string;
  latitude: number;
  longitude: number;
  accuracy: number | null;
}

/** Size of the outline's drawing, in its own units. */
export const OUTLINE = { width: 500, height: 290 } as const;

// A degree of longitude at 40° is about three quarters of a degree of latitude.
const MAINLAND_X = 24.5;
const MAINLAND_Y = 32;
const ISLANDS_SCALE = 19;

export const mainlandX = (longitude: number): number => 122 + (longitude - MAINLAND_BOX[0]) * MAINLAND_X;
export const mainlandY = (latitude: number): number => 12 + (MAINLAND_BOX[3] - latitude) * MAINLAND_Y;
export const islandsX = (longitude: number): number => 12 + (longitude - CANARIES_BOX[0]) * ISLANDS_SCALE;
export const islandsY = (latitude: number): number => 238 + (CANARIES_BOX[3] - latitude) * ISLANDS_SCALE;

/** The place of a position on the outline, or null when it is outside Spain and its surroundings. */
export function onOutline({ latitude, longitude }: Pick<PlacedAt, 'latitude' | 'longitude'>): [number, number] | null {
  if (within(MAINLAND_BOX, longitude, latitude)) return [mainlandX(longitude), mainlandY(latitude)];
  if (within(CANARIES_BOX, longitude, latitude)) return [islandsX(longitude), islandsY(latitude)];
  return null;
}

/** Each different place once, in order of time: a still phone tells the same place many times. */
export function places<P extends PlacedAt>(positions: readonly P[]): P[] {
  const sorted = [...positions].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return sorted.filter((one, index) => {
    const before = sorted[index - 1];
    return !before || coordinatesText(before) !== coordinatesText(one);
  });
}
