import { expect, it } from 'vitest';
import { connectionsOf, isEmpty, netOf, nextTier, tiersOf } from './model';
import { TIERS, units } from './testing';

it.each([
  [0, 0],
  [50, 0],
  [51, 1],
  [100, 1],
  [101, 2],
  [250, 2],
  [251, 3],
  [500, 3],
  [501, 3],
])('puts %i connections into tier %i', (connections, here) => {
  expect(tiersOf(TIERS, connections).findIndex((tier) => tier.here)).toBe(here);
});

it('orders the tiers and says where each begins', () => {
  const shown = tiersOf([...TIERS].reverse(), 63);
  expect(shown.map(({ from, to, last }) => [from, to, last])).toEqual([
    [1, 50, false],
    [51, 100, false],
    [101, 250, false],
    [251, 500, true],
  ]);
});

it('says how much is missing to a larger discount', () => {
  expect(nextTier(TIERS, 63)).toEqual({ missing: 38, percent: 10 });
  expect(nextTier(TIERS, 50)).toEqual({ missing: 1, percent: 5 });
  expect(nextTier(TIERS, 251)).toBeNull();
  expect(nextTier([], 5)).toBeNull();
  // A tier of the same percentage is no gain.
  const level = [
    { to: 10, percent: 5 },
    { to: 20, percent: 5 },
    { to: 30, percent: 8 },
  ];
  expect(nextTier(level, 3)).toEqual({ missing: 18, percent: 8 });
});

it('compares the minimum with what is left after the discount, to the cent', () => {
  expect(netOf(units())).toBe(361.09);
  expect(netOf(units({ subtotal: 12, discount: 0 }))).toBe(12);
  // However the discount's sign is written.
  expect(netOf(units({ subtotal: 606, discount: -60.6 }))).toBe(545.4);
  expect(connectionsOf(units())).toBe(63);
});

it('is empty only while nothing is owed', () => {
  expect(isEmpty(units())).toBe(false);
  expect(isEmpty(units({ connections: 0, otherConnections: 0, total: 36.3 }))).toBe(false);
  expect(isEmpty(units({ connections: 0, otherConnections: 0, total: 0 }))).toBe(true);
});
