import type { Insurer } from '@/shared/company/insurers';
import type { ListControls } from '@/shared/ui/DataList';

const folded = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Spanish order: ñ after n. */
const collator = new Intl.Collator('es');

/** The page of insurance companies that a list shows: they come all at once, so search, filter and sort are done here. */
export function shownInsurers(
  all: Insurer[],
  list: Pick<ListControls, 'search' | 'filters' | 'sort' | 'page' | 'pageSize'>,
): { rows: Insurer[]; total: number } {
  const wanted = folded(list.search);
  const active = list.filters.active;
  const found = all.filter(
    (insurer) =>
      folded(insurer.name).includes(wanted) &&
      (active === undefined || (insurer.active !== false) === (active === '1')),
  );
  const down = list.sort.startsWith('-') ? -1 : 1;
  const byName = (a: Insurer, b: Insurer) => collator.compare(a.name, b.name);
  const field = list.sort.replace(/^-/, '');
  found.sort((a, b) => {
    const byCustomers = field === 'customers' ? (a.customers ?? 0) - (b.customers ?? 0) : 0;
    return byCustomers === 0 ? byName(a, b) * (field === 'customers' ? 1 : down) : byCustomers * down;
  });
  const from = (list.page - 1) * list.pageSize;
  return { rows: found.slice(from, from + list.pageSize), total: found.length };
}
