import type { Point } from './geometry';

/** Things of known size: longer and shorter side in millimetres. */
export const REFERENCES = {
  plate: [520, 110],
  card: [85.6, 53.98],
  a4: [297, 210],
  marker: [150, 150],
} as const satisfies Record<string, Point>;

export type Reference = keyof typeof REFERENCES;
export const REFERENCE_NAMES = Object.keys(REFERENCES) as Reference[];
