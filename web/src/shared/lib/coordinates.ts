/**
 * `39.68012, -0.27841`: decimal degrees, latitude first; five decimals are about a metre. A point for decimals in every
 * language, for `39,68012, -0,27841` would be read as four numbers; maps take it as it is. The server's documents write it
 * the same (PLACE-6).
 */
export const coordinatesText = ({ latitude, longitude }: { latitude: number; longitude: number }): string =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
