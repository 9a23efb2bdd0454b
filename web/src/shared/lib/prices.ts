/** Up to so many connections in the month, so many percent off all of the month's consumption. */
export interface Discount {
  to: number;
  percent: number;
}

/** Prices in euros with at most two decimals; `minuteLimit` in minutes, null = none. */
export interface PriceTable {
  connection: number;
  otherConnections: number;
  minuteLimit: number | null;
  exceededMinute: number;
  guestMinute: number;
  minPayment: number;
  discounts: Discount[];
}

/** A version of the prices as the API writes it; `companyId` is whom alone it was offered to. */
export interface Price extends PriceTable {
  _id: string;
  validFrom: string;
  companyId: string | null;
}

/** The plain fields, in the order in which a table shows them. */
export const PRICE_FIELDS = [
  'connection',
  'otherConnections',
  'minuteLimit',
  'exceededMinute',
  'guestMinute',
  'minPayment',
] as const;
export type PriceField = (typeof PRICE_FIELDS)[number];

/** Tiers sorted by percent; of equal percent the one that ends earlier first. */
export const sortedTiers = (discounts: readonly Discount[]): Discount[] =>
  [...discounts].sort((a, b) => a.percent - b.percent || a.to - b.to);

/** The same prices, whatever order their tiers came in. */
export function samePrices(a: PriceTable, b: PriceTable): boolean {
  const tiers = (table: PriceTable) => sortedTiers(table.discounts).map(({ to, percent }) => `${to}:${percent}`);
  return PRICE_FIELDS.every((field) => a[field] === b[field]) && tiers(a).join() === tiers(b).join();
}
