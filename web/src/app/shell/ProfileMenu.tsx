import { Menu, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { logout } from '@/api/client';
import { useT } from '@/shared/i18n';
import { initials } from '@/shared/lib/initials';
import { openModal } from '@/shared/lib/modals';
import { mayOpenOwn } from '@/shared/routes/access';
import { menuLabel, roleTitle } from '@/shared/routes/labels';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { configurationOf } from './menu';
import classes from './Shell.module.css';

/** The profile dropdown: who is logged in, his configuration pages and the way out. */
export function ProfileMenu() {
  const t = useT();
  const person = useRequiredSession();
  const { user } = person;
  const name = `${user.name} ${user.surname}`.trim() || user.userName;
  return (
    <Menu
      position="bottom-end"
      width={248}
      shadow="none"
      // The placeholder is no menu item, which a screen reader would take it for.
      withInitialFocusPlaceholder={false}
      classNames={{ dropdown: classes.dropdown }}
    >
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
        {configurationOf(person, 'dropdown').map((entry) => (
          <Menu.Item key={entry.url} component={Link} to={entry.url} leftSection={<Icon name={entry.icon} size={16} />}>
            {menuLabel(t, entry.name)}
          </Menu.Item>
        ))}
        {mayOpenOwn('setup', person) && (
          <Menu.Item component={Link} to={paths.setup()} leftSection={<Icon name="bolt" size={16} />}>
            {t('setup.title')}
          </Menu.Item>
        )}
        {mayOpenOwn('incidences', person) && (
          <Menu.Item
            leftSection={<Icon name="chat" size={16} />}
            onClick={() => openModal('incidence', { opener: 'support' })}
          >
            {t('incidences.support')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="out" size={16} />} onClick={() => void logout()}>
          {t('shell.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
