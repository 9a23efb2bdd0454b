/**
 * The Iberian Peninsula and the islands as rough outlines, drawn by hand from the coordinates of capes and cities:
 * enough to see in which corner a phone is, with no map service. Pairs of longitude and latitude in degrees.
 */
// biome-ignore-all format: one coordinate pair per line would hide the shape.
type Ring = ReadonlyArray<readonly [number, number]>;

export const PENINSULA: Ring = [
  [-1.79, 43.37], [-2.75, 43.45], [-3.8, 43.49], [-5.1, 43.48], [-5.85, 43.65], [-7.0, 43.57], [-7.69, 43.79],
  [-8.4, 43.38], [-9.2, 43.16], [-9.27, 42.88], [-8.87, 42.2], [-8.7, 41.2], [-8.9, 40.15], [-9.4, 39.35],
  [-9.5, 38.78], [-9.2, 38.42], [-8.88, 37.95], [-8.99, 37.02], [-7.9, 37.0], [-7.4, 37.17], [-6.5, 37.0],
  [-6.3, 36.53], [-6.03, 36.18], [-5.6, 36.0], [-5.35, 36.13], [-4.9, 36.5], [-4.4, 36.71], [-3.5, 36.72],
  [-2.2, 36.72], [-1.65, 37.37], [-0.69, 37.63], [-0.75, 37.85], [-0.48, 38.34], [0.23, 38.73], [-0.2, 39.1],
  [-0.33, 39.45], [0.0, 39.98], [0.6, 40.6], [0.87, 40.72], [1.25, 41.1], [2.17, 41.37], [3.2, 41.87],
  [3.32, 42.32], [3.17, 42.43], [1.73, 42.5], [0.7, 42.8], [-0.75, 42.95],
];
export const MALLORCA: Ring = [[2.35, 39.58], [2.8, 39.87], [3.2, 39.95], [3.45, 39.7], [3.05, 39.27], [2.7, 39.5]];
export const MENORCA: Ring = [[3.8, 40.05], [4.2, 40.05], [4.32, 39.85], [3.85, 39.93]];
export const IBIZA: Ring = [[1.2, 38.95], [1.55, 39.12], [1.62, 38.98], [1.4, 38.85]];

/** Centres of the Canary Islands; they stand in a box of their own, as on every Spanish map. */
export const CANARIES: Ring = [
  [-18.0, 27.74], [-17.86, 28.68], [-17.23, 28.11], [-16.55, 28.27], [-15.6, 27.95], [-14.02, 28.4], [-13.63, 29.03],
];

/** Degrees covered by the outline and by the islands' box: west, south, east, north. */
export const MAINLAND_BOX = [-9.8, 35.8, 4.5, 44.1] as const;
export const CANARIES_BOX = [-18.4, 27.4, -13.2, 29.4] as const;

export function within(box: readonly [number, number, number, number], lon: number, lat: number): boolean {
  return lon >= box[0] && lon <= box[2] && lat >= box[1] && lat <= box[3];
}
