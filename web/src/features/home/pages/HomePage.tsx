import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ownHref } from '@/app/access';
import { roleTitle } from '@/app/shell/labels';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import classes from './HomePage.module.css';

/** Where operators start until their requests page is built (issue 5): says so, and what they can do meanwhile. */
export function HomePage() {
  const t = useT();
  const { user } = useRequiredSession();
  usePage({ title: t('shell.home') });
  return (
    <section className={classes.root}>
      <Icon name="tower" size={28} className={classes.icon} />
      <h1>{t('shell.homeTitle', { name: user.name || user.userName })}</h1>
      <p>
        {roleTitle(t, user.role)}
        {user.company && ` · ${user.company.company}`}
      </p>
      <p>{t('shell.homeOperator')}</p>
      <div className={classes.ways}>
        <Button
          component={Link}
          to={ownHref('user', user)}
          variant="default"
          leftSection={<Icon name="user" size={16} />}
        >
          {t('shell.profile')}
        </Button>
        <Button
          component={Link}
          to={ownHref('password', user)}
          variant="default"
          leftSection={<Icon name="lock" size={16} />}
        >
          {t('shell.changePassword')}
        </Button>
      </div>
    </section>
  );
}
