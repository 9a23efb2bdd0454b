import { Tooltip } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { logout } from '@/api/client';
import { i18n, type T, useT } from '@/shared/i18n';
import { useRequiredSession } from '@/shared/session';
import { Brand } from '@/shared/ui/Brand';
import { Icon } from '@/shared/ui/Icon';
import { byGroup, isActive, type MenuGroup, type ShownEntry, shownMenu } from './menu';
import classes from './Shell.module.css';

const groupLabel = (t: T, group: MenuGroup) =>
  ({
    work: t('shell.work'),
    company: t('shell.companyGroup'),
    administration: t('shell.administration'),
    configuration: t('shell.configuration'),
  })[group];

/** Labels of the menu are keys that the server sends; one that the bundle lacks is shown as the server sent it. */
export const menuLabel = (t: T, key: string) => (i18n.exists(key) ? (t as (key: string) => string)(key) : key);

/** The role's title: SPEC §2 Main shell. */
export const roleTitle = (t: T, role: number) => menuLabel(t, `roles.${role}`);

interface SidebarProps {
  /** Narrow: icons with tooltips. */
  collapsed: boolean;
  /** Called when an entry was followed, so that the mobile navbar can close. */
  onFollow?: () => void;
}

/** Role title, the menu of the log-in and the way out; the same entries on the desktop and in the mobile navbar. */
export function Sidebar({ collapsed, onFollow }: SidebarProps) {
  const t = useT();
  const { user, menu } = useRequiredSession();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
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
      <nav className={classes.nav} aria-label={t('shell.mainNav')}>
        {byGroup(shownMenu(menu)).map(([group, entries]) => (
          <div key={group}>
            {!collapsed && <h2 className={classes.group}>{groupLabel(t, group)}</h2>}
            {entries.map((entry) => (
              <Entry key={entry.url} {...{ entry, pathname, collapsed, onFollow }} />
            ))}
          </div>
        ))}
      </nav>
      <div className={classes.foot}>
        <Hint label={t('shell.logout')} on={collapsed}>
          <button type="button" className={classes.entry} onClick={() => void logout()}>
            <Icon name="out" />
            <span className={classes.entryLabel}>{t('shell.logout')}</span>
          </button>
        </Hint>
      </div>
    </>
  );
}

interface EntryProps {
  entry: ShownEntry;
  pathname: string;
  collapsed: boolean;
  onFollow?: () => void;
}

function Entry({ entry, pathname, collapsed, onFollow }: EntryProps) {
  const t = useT();
  const active = isActive(entry.url, pathname);
  const label = menuLabel(t, entry.name);
  return (
    <>
      <Hint label={label} on={collapsed}>
        <Link
          to={entry.url}
          className={classes.entry}
          data-active={active || undefined}
          aria-current={active ? 'page' : undefined}
          onClick={onFollow}
        >
          <Icon name={entry.icon} />
          <span className={classes.entryLabel}>{label}</span>
        </Link>
      </Hint>
      {!collapsed &&
        entry.children.map((child) => (
          <Link
            key={child.url}
            to={child.url}
            className={classes.entry}
            data-sub
            data-active={isActive(child.url, pathname) || undefined}
            onClick={onFollow}
          >
            <span className={classes.entryLabel}>{menuLabel(t, child.name)}</span>
          </Link>
        ))}
    </>
  );
}

function Hint({ label, on, children }: { label: string; on: boolean; children: React.ReactElement }) {
  return (
    <Tooltip label={label} position="right" disabled={!on}>
      {children}
    </Tooltip>
  );
}
