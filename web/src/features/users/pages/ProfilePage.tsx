import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { User } from '@/api/types';
import { getUser } from '@/shared/company/api';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { mayOpen, ownHref } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { Note } from '@/shared/ui/Note';
import { PageTitle } from '@/shared/ui/PageTitle';
import { TwoFactorTag } from '../components/TwoFactorTag';
import { UserFields } from '../components/UserFields';
import { fullName } from '../model';
import { useUserForm } from '../use-user-form';
import classes from './ProfilePage.module.css';

/** `/user/{parent}/{id}`: one's own profile, or another one's within the guard. `children`: more of one's own. */
export function ProfilePage({ children }: { children?: ReactNode }) {
  const t = useT();
  const { id } = useParams({ strict: false }) as { id: string };
  const person = useRequiredSession();
  const { data: user, error, refetch } = useQuery(getUser(id));
  const own = person.user._id === id;
  const crumb =
    !own && user && mayOpen('users', person, { parent: user.parent })
      ? { label: t('users.title'), href: paths.users(user.parent) }
      : undefined;
  usePage({ title: own ? t('users.myProfile') : user ? fullName(user) : t('users.title'), crumb });
  if (user) {
    return (
      <Profile key={user._id} user={user} own={own}>
        {own && children}
      </Profile>
    );
  }
  if (!error) return <Waiting />;
  return <LoadFailed title={t('users.profileFailed')} error={error} onRetry={() => void refetch()} />;
}

function Profile({ user, own, children }: { user: User; own: boolean; children: ReactNode }) {
  const t = useT();
  const form = useUserForm(user);
  return (
    <section className={classes.root}>
      <PageTitle
        title={own ? t('users.myProfile') : fullName(user)}
        lead={own ? t('users.profileHint') : user.company?.company}
      />
      <form ref={form.ref} onSubmit={form.submit} noValidate className={classes.form}>
        <UserFields user={user} form={form} />
        <div>
          <Button type="submit" size="md" loading={form.saving}>
            {t('common.save')}
          </Button>
        </div>
      </form>
      {children}
      {own && (
        <Note
          icon="lock"
          title={t('users.security')}
          text={
            <>
              <p>{t('users.securityText')}</p>
              <p className={classes.factor}>
                {t('users.twoFactor')} <TwoFactorTag on={user.has2fa} />
              </p>
            </>
          }
          action={
            <Button
              component={Link}
              to={ownHref('password', user)}
              variant="default"
              leftSection={<Icon name="lock" size={16} />}
            >
              {t('users.changePassword')}
            </Button>
          }
        />
      )}
    </section>
  );
}

function Waiting() {
  return (
    <div className={classes.root} aria-hidden="true">
      <Skeleton h={24} w="40%" />
      <Skeleton h={36} mt={16} />
      <Skeleton h={36} />
      <Skeleton h={36} />
    </div>
  );
}
