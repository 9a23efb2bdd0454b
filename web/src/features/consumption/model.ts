import type { Tier, Units } from './types';

/** All billable connections of the month, which decide the tier. */
export const connectionsOf = ({ connections, otherConnections }: Units): number => connections + otherConnections;

export interface ShownTier extends Tier {
  /** First number of connections of it. */
  from: number;
  /** Above the last one the last one goes on. */
  last: boolean;
  here: boolean;
}

/** The tiers in order, with the one that so many connections are in: the first with `n ≤ to`, else the last. */
export function tiersOf(tiers: Tier[], connections: number): ShownTier[] {
  const sorted = [...tiers].sort((a, b) => a.to - b.to);
  const found = sorted.findIndex(({ to }) => connections <= to);
  const here = found === -1 ? sorted.length - 1 : found;
  return sorted.map((tier, index) => ({
    ...tier,
    from: (sorted[index - 1]?.to ?? 0) + 1,
    last: index === sorted.length - 1,
    here: index === here,
  }));
}

/** How many connections are missing to a larger discount, and which; null in the last tier. */
export function nextTier(tiers: Tier[], connections: number): { missing: number; percent: number } | null {
  const shown = tiersOf(tiers, connections);
  const here = shown.find((tier) => tier.here);
  const next = shown.find((tier) => here && tier.from > here.from && tier.percent > here.percent);
  return next ? { missing: next.from - connections, percent: next.percent } : null;
}

/** Consumption after the discount: what is compared with the minimum. */
export const netOf = ({ subtotal, discount }: Units): number => Math.round((subtotal - Math.abs(discount)) * 100) / 100;

/** Nothing was used and nothing is owed. */
export const isEmpty = (units: Units): boolean => connectionsOf(units) === 0 && units.total === 0;
