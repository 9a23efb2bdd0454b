import { Button } from '@mantine/core';
import { logout } from '@/api/client';
import { i18n, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import classes from './HomePage.module.css';

/** Where roles start whose pages are not built yet: says so, and how to leave. */
export function HomePage() {
  const t = useT();
  const { user } = useRequiredSession();
  usePage({ title: t('shell.home') });
  const key = `roles.${user.role}`;
  const role = i18n.exists(key) ? (t as (key: string) => string)(key) : '';
  return (
    <section className={classes.root}>
      <Icon name="tower" size={28} className={classes.icon} />
      <h1>{t('shell.homeTitle', { name: user.name })}</h1>
      <p>{t('shell.homeHint')}</p>
      <p>{t('shell.homeEmpty', { role })}</p>
      <Button variant="default" mt={8} leftSection={<Icon name="out" size={16} />} onClick={() => void logout()}>
        {t('shell.logout')}
      </Button>
    </section>
  );
}
