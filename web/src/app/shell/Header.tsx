import { ActionIcon, Menu, Tooltip, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { logout } from '@/api/client';
import { LanguageMenu } from '@/features/language/LanguageMenu';
import { useT } from '@/shared/i18n';
import { initials } from '@/shared/lib/initials';
import { useShownPage } from '@/shared/lib/page';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { ThemeToggle } from '@/shared/ui/ThemeToggle';
import classes from './Shell.module.css';
import { roleTitle } from './Sidebar';

interface HeaderProps {
  collapsed: boolean;
  onCollapse: () => void;
  onOpenMenu: () => void;
}

export function Header({ collapsed, onCollapse, onOpenMenu }: HeaderProps) {
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
      <LanguageMenu compact />
      <ThemeToggle />
      <Profile />
    </header>
  );
}

function Profile() {
  const t = useT();
  const { user } = useRequiredSession();
  const name = `${user.name} ${user.surname}`.trim() || user.userName;
  return (
    <Menu position="bottom-end" width={248} shadow="none" classNames={{ dropdown: classes.dropdown }}>
      <Menu.Target>
        <UnstyledButton className={classes.profile}>
          <span className="visually-hidden">{t('shell.account', { name })}</span>
          <span className={classes.avatar} aria-hidden="true">
            {initials(name)}
          </span>
          <span className={classes.profileName} aria-hidden="true">
            {name}
          </span>
          <Icon name="down" size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.profileCard}>
          <b>{name}</b>
          <span>{user.userName}</span>
          <span>
            {roleTitle(t, user.role)}
            {user.company && ` · ${user.company.company}`}
          </span>
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="out" size={16} />} onClick={() => void logout()}>
          {t('shell.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
