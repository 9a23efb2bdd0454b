/**
 * Page numbers to show: first, last and at most three around the current one, `null` for an ellipsis.
 */
export function pageNumbers(page: number, pages: number): (number | null)[] {
  const from = Math.max(1, Math.min(page - 1, pages - 2));
  const around = [from, from + 1, from + 2].filter((number) => number <= pages);
  const wanted = [...new Set([1, ...around, pages])].filter((number) => number >= 1).sort((a, b) => a - b);
  return wanted.flatMap((number, index) => {
    const before = wanted[index - 1];
    return before !== undefined && number - before > 1 ? [null, number] : [number];
  });
}

/** How many pages hold `total` rows; one when there are none. */
export const pageCount = (total: number, size: number): number => Math.max(1, Math.ceil(total / size));

/** The page somebody typed, or `null` unless it is a number from 1 to `pages`. */
export function typedPage(text: string, pages: number): number | null {
  if (!/^\d{1,9}$/.test(text.trim())) return null;
  const page = Number(text.trim());
  return page >= 1 && page <= pages ? page : null;
}

/** The other direction of a sort, or ascending for a new field. */
export function nextSort(sort: string, field: string): string {
  return sort === field ? `-${field}` : field;
}
