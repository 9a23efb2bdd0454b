import { ActionIcon, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { LanguageMenu } from '@/features/language/LanguageMenu';
import { NotificationBell } from '@/features/notifications/components/NotificationBell';
import { useT } from '@/shared/i18n';
import { useShownPage } from '@/shared/lib/page';
import { Icon } from '@/shared/ui/Icon';
import { ThemeToggle } from '@/shared/ui/ThemeToggle';
import { ConnectionState } from './ConnectionState';
import { ProfileMenu } from './ProfileMenu';
import classes from './Shell.module.css';
import { Unretrieved } from './Unretrieved';
import type { Requests } from './use-requests';
import { WaitingCounter } from './WaitingCounter';

interface HeaderProps {
  collapsed: boolean;
  onCollapse: () => void;
  onOpenMenu: () => void;
  requests: Requests;
  /** Given when the account's data could not be retrieved: tries again. */
  onRetry?: () => Promise<void>;
}

export function Header({ collapsed, onCollapse, onOpenMenu, requests, onRetry }: HeaderProps) {
  const t = useT();
  const page = useShownPage();
  const collapse = collapsed ? t('shell.expand') : t('shell.collapse');
  return (
    <header className={classes.header}>
      <Tooltip label={collapse}>
        <ActionIcon
          className={classes.desktopOnly}
          variant="subtle"
          color="gray"
          size={28}
          aria-label={collapse}
          aria-expanded={!collapsed}
          onClick={onCollapse}
        >
          <Icon name="side" />
        </ActionIcon>
      </Tooltip>
      <ActionIcon
        className={classes.mobileOnly}
        variant="subtle"
        color="gray"
        size={36}
        aria-label={t('shell.openMenu')}
        onClick={onOpenMenu}
      >
        <Icon name="menu" />
      </ActionIcon>
      <div className={classes.crumbs}>
        {page.crumb && (
          <>
            <Link to={page.crumb.href} className={classes.crumb}>
              {page.crumb.label}
            </Link>
            <span className={classes.slash} aria-hidden="true">
              /
            </span>
          </>
        )}
        <b className={`${classes.crumbNow} num`}>{page.title}</b>
      </div>
      {onRetry && <Unretrieved text={t('shell.userFailed')} compact wide onRetry={onRetry} />}
      <ConnectionState />
      <WaitingCounter {...requests} />
      <LanguageMenu compact />
      <ThemeToggle />
      <NotificationBell />
      <ProfileMenu />
    </header>
  );
}
