import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MissingPiece, UserCompany } from '@/api/types';
import { Missing } from '@/shared/company/Missing';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { isPrincipal, mayOpenOwn, ownHref, roleOf } from '@/shared/routes/access';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import classes from './NotAllowed.module.css';

/** Which pieces the video-call guard misses: it lets a company call before billing starts. */
export function missingForCalls(company: UserCompany | null): MissingPiece[] {
  const missing = company?.missing ?? [];
  const data = missing.filter((piece) => piece === 'legal' || piece === 'iban');
  return data.length > 0 ? data : missing;
}

/** The alert of the video-call guard: a customer mends it, a worker asks. */
export function NotAllowed() {
  const t = useT();
  const person = useRequiredSession();
  usePage({ title: t('videocall.formTitle') });
  const principal = isPrincipal(roleOf(person));
  const pieces = missingForCalls(person.user.company);
  const data = pieces.some((piece) => piece === 'legal' || piece === 'iban');
  const mends = data && mayOpenOwn('companyProfile', person);
  return (
    <section className={classes.root} role="alert">
      <Icon name="lock" size={28} className={classes.icon} />
      <h1>{t('shell.notAllowedTitle')}</h1>
      {(data || pieces.length === 0) && (
        <p>{principal ? t('errors.video_call_not_allowed_customer') : t('errors.video_call_not_allowed_worker')}</p>
      )}
      <Missing pieces={pieces} withLink={false} />
      {mends && (
        <Button component={Link} to={ownHref('companyProfile', person.user)} size="md" mt={8}>
          {t('shell.bannerUpdate')}
        </Button>
      )}
      <p className={classes.hint}>{t('shell.notAllowedHint')}</p>
    </section>
  );
}
