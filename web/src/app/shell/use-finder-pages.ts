import { useMantineColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import { logout } from '@/api/client';
import type { FinderPage } from '@/features/finder/Finder';
import { useT } from '@/shared/i18n';
import { openModal } from '@/shared/lib/modals';
import { mayOpenOwn, Role, roleOf } from '@/shared/routes/access';
import { menuLabel } from '@/shared/routes/labels';
import { paths } from '@/shared/routes/paths';
import type { Session } from '@/shared/session';
import { menuOf, type ShownEntry } from './menu';

/** What the finder offers: every page that the sidebar leads to, submenus written out, then what may be done at once. */
export function useFinderPages(session: Session | null, blocked: boolean): FinderPage[] {
  const t = useT();
  const actions = useActions(session);
  return useMemo(() => {
    if (!session) return [];
    const entries = menuOf(session, blocked);
    const pages = (entry: ShownEntry): FinderPage[] =>
      entry.children.length > 0
        ? entry.children.map(({ name, url, icon }) => ({
            label: `${menuLabel(t, entry.name)} · ${menuLabel(t, name)}`,
            run: url,
            icon,
          }))
        : [{ label: menuLabel(t, entry.name), run: entry.url, icon: entry.icon }];
    return [...entries.filter((entry) => !entry.blocked).flatMap(pages), ...actions];
  }, [t, session, blocked, actions]);
}

function useActions(session: Session | null): FinderPage[] {
  const t = useT();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = colorScheme === 'light' ? 'dark' : 'light';
  return useMemo(() => {
    if (!session) return [];
    const report: FinderPage = {
      label: t('incidences.report'),
      icon: 'warn',
      run: () => openModal('incidence', { opener: 'list-add' }),
    };
    const invite: FinderPage = {
      label: t('shell.inviteCustomer'),
      icon: 'userplus',
      run: `${paths.customers()}?invite=true`,
    };
    return [
      ...(mayOpenOwn('incidences', session) ? [report] : []),
      ...(roleOf(session) === Role.administrator ? [invite] : []),
      { label: t('shell.theme'), icon: 'sun', run: () => setColorScheme(next) },
      { label: t('shell.logout'), icon: 'out', run: () => void logout() },
    ];
  }, [t, session, next, setColorScheme]);
}
