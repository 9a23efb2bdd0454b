import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { logout } from '@/api/client';
import { CookieLinks } from '@/features/cookies/components/CookieLinks';
import { Missing } from '@/shared/company/Missing';
import { type T, useT } from '@/shared/i18n';
import { useShownPage } from '@/shared/lib/page';
import { mayOpenOwn, Role } from '@/shared/routes/access';
import { roleTitle } from '@/shared/routes/labels';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { Brand } from '@/shared/ui/Brand';
import { Icon } from '@/shared/ui/Icon';
import { activePlace, byGroup, type MenuGroup, menuOf, type ShownEntry } from './menu';
import { NewsEntry } from './NewsEntry';
import { SetupEntry } from './SetupEntry';
import classes from './Shell.module.css';
import { Hint, SidebarEntry } from './SidebarEntry';
import { Unretrieved } from './Unretrieved';

const groupLabel = (t: T, group: MenuGroup) =>
  ({
    work: t('shell.work'),
    company: t('shell.companyGroup'),
    administration: t('shell.administration'),
    configuration: t('shell.configuration'),
  })[group];

/** A group of one section needs no heading that says the section's name once more. */
const named = (shown: ShownEntry[], group: MenuGroup) =>
  group !== 'configuration' || !shown.every((entry) => entry.tabs);

interface SidebarProps {
  /** Narrow: icons with tooltips. */
  collapsed: boolean;
  /** Video-call requests are blocked here. */
  blocked: boolean;
  /** Numbers of the entries with a badge, by address. */
  counts?: Readonly<Record<string, number>>;
  /** Given when the menu could not be retrieved: tries again. */
  onRetry?: () => Promise<void>;
  /** Stands over the menu: the notifications of the mobile navbar. */
  extra?: ReactNode;
  /** Called when an entry was followed, so that the mobile navbar can close. */
  onFollow?: () => void;
}

/** Role title, the menu, the configuration and the way out; the same on the desktop and in the mobile navbar. */
export function Sidebar({ collapsed, blocked, counts, onRetry, extra, onFollow }: SidebarProps) {
  const t = useT();
  const person = useRequiredSession();
  const { user } = person;
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const page = useShownPage();
  const entries = menuOf(person, blocked);
  const active = activePlace(entries, pathname, page);
  const missing = user.company?.missing ?? [];
  return (
    <>
      <div className={classes.brand}>
        <Brand markOnly={collapsed} />
      </div>
      {!collapsed && (
        <div className={classes.who}>
          <b>{user.company?.company ?? `${user.name} ${user.surname}`}</b>
          <span>{roleTitle(t, user.role)}</span>
        </div>
      )}
      {onRetry && <Unretrieved text={t('shell.menuFailed')} compact={collapsed} onRetry={onRetry} />}
      {extra}
      <nav className={classes.nav} aria-label={t('shell.mainNav')}>
        {byGroup(entries).map(([group, shown]) => (
          <div key={group}>
            {!collapsed && named(shown, group) && <h2 className={classes.group}>{groupLabel(t, group)}</h2>}
            {shown.map((entry) => (
              <SidebarEntry
                key={entry.name + entry.url}
                {...{ entry, active, collapsed, onFollow }}
                count={entry.badge ? counts?.[entry.url] : undefined}
              />
            ))}
          </div>
        ))}
      </nav>
      {blocked && !collapsed && missing.length > 0 && (
        <aside className={classes.blocked} aria-label={t('shell.blockedTitle')}>
          <b>
            <Icon name="lock" size={16} />
            {t('shell.blockedTitle')}
          </b>
          <Missing pieces={missing} onFollow={onFollow} />
        </aside>
      )}
      <div className={classes.foot}>
        {mayOpenOwn('setup', person) && <SetupEntry active={pathname === paths.setup()} {...{ collapsed, onFollow }} />}
        <NewsEntry collapsed={collapsed} onFollow={onFollow} />
        <Hint label={t('shell.logout')} on={collapsed}>
          <button type="button" className={classes.entry} onClick={() => void logout()}>
            <Icon name="out" />
            <span className={classes.entryLabel}>{t('shell.logout')}</span>
          </button>
        </Hint>
        {user.role === Role.administrator && !collapsed && (
          // Orden HAC/1177/2024, art. 15: to be read inside the product.
          <Link className={classes.fine} to={paths.declaration()} onClick={onFollow}>
            {t('shell.declaration')}
          </Link>
        )}
        {!collapsed && <CookieLinks className={classes.fine} onFollow={onFollow} />}
      </div>
    </>
  );
}
