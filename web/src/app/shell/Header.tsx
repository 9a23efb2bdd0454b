import { ActionIcon, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { NotificationBell } from '@/features/notifications/components/NotificationBell';
import { useT } from '@/shared/i18n';
import { LanguageMenu } from '@/shared/language/LanguageMenu';
import { useShownPage } from '@/shared/lib/page';
import { Icon } from '@/shared/ui/Icon';
import { ThemeToggle } from '@/shared/ui/ThemeToggle';
import { ConnectionState } from './ConnectionState';
import { MenuButton } from './MenuButton';
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
  /** Given to whoever has something to find. */
  onFind?: () => void;
  /** Given when the account's data could not be retrieved: tries again. */
  onRetry?: () => Promise<void>;
}

export function Header({ collapsed, onCollapse, onOpenMenu, requests, onFind, onRetry }: HeaderProps) {
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
      <MenuButton onOpen={onOpenMenu} />
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
      {onFind && (
        <Tooltip label={`${t('shell.finder')} (Ctrl K)`}>
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('shell.finder')} onClick={onFind}>
            <Icon name="search" />
          </ActionIcon>
        </Tooltip>
      )}
      <ConnectionState />
      <WaitingCounter {...requests} />
      <LanguageMenu compact />
      <ThemeToggle />
      <NotificationBell />
      <ProfileMenu />
    </header>
  );
}
