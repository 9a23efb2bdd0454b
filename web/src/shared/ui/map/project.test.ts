import { expect, it } from 'vitest';
import { OUTLINE, onOutline, places } from './project';

const at = (latitude: number, longitude: number, time = '2026-11-05T11:00:00Z') => ({
  at: time,
  latitude,
  longitude,
  accuracy: 8,
});

it.each([
  ['Madrid', 40.4168, -3.7038],
  ['A Coruña', 43.3623, -8.4115],
  ['Palma', 39.5696, 2.6502],
  ['Santa Cruz de Tenerife', 28.4636, -16.2518],
])('finds %s on the outline, inside its frame', (_name, latitude, longitude) => {
  const [x, y] = onOutline(at(latitude, longitude)) ?? [-1, -1];
  expect(x).toBeGreaterThan(0);
  expect(x).toBeLessThan(OUTLINE.width);
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(OUTLINE.height);
});

it('puts west left of east and north above south', () => {
  const [coruna, murcia] = [onOutline(at(43.36, -8.41)), onOutline(at(37.99, -1.13))];
  expect(coruna?.[0]).toBeLessThan(murcia?.[0] ?? 0);
  expect(coruna?.[1]).toBeLessThan(murcia?.[1] ?? 0);
});

it('draws nothing that is elsewhere', () => {
  expect(onOutline(at(48.8566, 2.3522))).toBeNull();
});

it('keeps each place once, oldest first', () => {
  const late = at(39.6791, -0.2786, '2026-11-05T11:02:00Z');
  const early = at(39.6791, -0.2786, '2026-11-05T11:01:00Z');
  const there = at(39.68, -0.28, '2026-11-05T11:03:00Z');
  expect(places([there, late, early])).toEqual([early, there]);
});
