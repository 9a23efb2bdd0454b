import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ConferenceType } from '@/shared/conference/find';
import { useT } from '@/shared/i18n';
import { Role } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import type { ListControls, ListFilter } from '@/shared/ui/DataList';
import { listCallers, listCustomers } from './api';

/** The parent that means everybody's conferences, for administrators. */
const EVERYBODY = '0';

/** How a list is sorted unless asked otherwise. */
export const NEWEST_FIRST = '-createdAt';

/**
 * Whose conferences are listed: a user of the company for its principal and the administrator, a company for the
 * administrator. The company is part of the page's address and not of its search.
 */
export function useFilters(list: ListControls, type: ConferenceType, parent: string, role: number) {
  const t = useT();
  const navigate = useNavigate();
  const admin = role === Role.administrator;
  // Workers and operators see only what is theirs.
  const own = role === Role.worker || role === Role.repairerOperator || role === Role.workshopOperator;
  const chooses = !own && parent !== EVERYBODY;
  const callers = useQuery({ ...listCallers(parent), enabled: chooses }).data ?? [];
  const customers = useQuery({ ...listCustomers, enabled: admin }).data ?? [];
  const filters: ListFilter[] = [];
  if (admin && customers.length > 0)
    filters.push({ name: 'customer', label: t('conferences.customer'), options: customers });
  const states = [
    { value: 'new', label: t('conferences.stateNew') },
    { value: 'pending', label: t('conferences.statePending') },
    { value: 'notConnected', label: t('conferences.stateNotConnected') },
    { value: 'expired', label: t('conferences.stateExpired') },
  ];
  filters.push({ name: 'state', label: t('conferences.state'), options: states });
  if (callers.length > 1) filters.push({ name: 'user', label: t('conferences.user'), options: callers });
  const go = (company: string | null) => {
    const address = type === 'autos' ? paths.conferencesAutos : paths.conferencesDiversos;
    // Everything that was chosen holds for the other company too, except for a person of the one before.
    const { user: _user, ...filters } = list.filters;
    const sort = list.sort === NEWEST_FIRST ? undefined : list.sort;
    const kept = new URLSearchParams({
      ...filters,
      ...(list.search && { search: list.search }),
      ...(sort && { sort }),
    });
    void navigate({ href: `${address(company ?? EVERYBODY)}${kept.size > 0 ? `?${kept}` : ''}` });
  };
  return { filters, controls: withCustomer(list, admin && parent !== EVERYBODY ? parent : undefined, go) };
}

/** The list's controls with the company as one filter more. */
function withCustomer(
  list: ListControls,
  customer: string | undefined,
  go: (company: string | null) => void,
): ListControls {
  return {
    ...list,
    filters: customer ? { ...list.filters, customer } : list.filters,
    setFilter: (name, value) => (name === 'customer' ? go(value) : list.setFilter(name, value)),
  };
}
