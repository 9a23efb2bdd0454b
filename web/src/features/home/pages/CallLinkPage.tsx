import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useT } from '@/shared/i18n';
import { takeCallLink } from '@/shared/lib/call-link';
import { usePage } from '@/shared/lib/page';
import { homeHref } from '@/shared/routes/access';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import classes from '../components/NotAllowed.module.css';

/** `/llamar` for somebody who may not open calls; the others are led on to the form (`guardCallLink`). */
export function CallLinkPage() {
  const t = useT();
  const person = useRequiredSession();
  usePage({ title: t('videocall.formTitle') });
  // Nobody here will use them.
  takeCallLink();
  return (
    <section className={classes.root} role="alert">
      <Icon name="lock" size={28} className={classes.icon} />
      <h1>{t('shell.notAllowedTitle')}</h1>
      <p>{t('videocall.linkRefused', { user: person.user.userName })}</p>
      <Button component={Link} to={homeHref(person)} size="md" mt={8}>
        {t('videocall.linkHome')}
      </Button>
    </section>
  );
}
