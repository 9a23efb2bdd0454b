import { Anchor, Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import { paths } from '@/app/paths';
import { PublicFrame } from '@/features/activation/components/PublicFrame';
import { PasswordPair, usePasswordPair } from '@/shared/forms/PasswordPair';
import { errorText, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { session } from '@/shared/session';
import { notice } from '@/shared/ui/dialogs';
import { Note } from '@/shared/ui/Note';
import { StateView } from '@/shared/ui/StateView';
import { changePassword, resetToken } from '../api';
import classes from './recovery.module.css';

/** SPEC §2 Password reset: the link first, then a password pair. */
export function RememberFormPage() {
  const t = useT();
  const { token = '' } = useParams({ strict: false }) as { token?: string };
  const [refused, setRefused] = useState(false);
  const { data: valid, error, refetch } = useQuery(resetToken(token));
  usePage({ title: t('recovery.newTitle') });
  if (valid === false || refused) return <DeadLink />;
  return (
    <PublicFrame title={t('recovery.newTitle')} subtitle={t('recovery.newSubtitle')}>
      {error ? (
        <StateView
          icon="warn"
          tone="bad"
          title={t('activation.loadTitle')}
          text={errorText(t, error)}
          action={{ label: t('common.retry'), icon: 'refresh', run: () => void refetch() }}
        />
      ) : valid ? (
        <ResetForm token={token} onDeadLink={() => setRefused(true)} />
      ) : (
        <Skeleton h={180} aria-label={t('activation.checking')} />
      )}
    </PublicFrame>
  );
}

function ResetForm({ token, onDeadLink }: { token: string; onDeadLink: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const pair = usePasswordPair();
  const form = useRef<HTMLFormElement>(null);

  const changing = useMutation({
    mutationFn: () => changePassword(token, pair.password),
    onSuccess: () => {
      // The change ended every session of the account, this browser's too if it had one.
      if (session.current()) session.end('logout');
      void notice({ tone: 'ok', title: t('recovery.done'), text: t('recovery.doneText') }).then(() =>
        navigate({ href: paths.login() }),
      );
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      if (error.code.startsWith('TOKEN_')) return onDeadLink();
      if (isWeak(error)) pair.refuse();
    },
  });
  const failure = changing.error && !isWeak(changing.error) ? changing.error : null;

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (changing.isPending) return;
    if (await pair.check()) changing.mutate();
    else setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };

  return (
    <form ref={form} className={classes.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      {failure && <Note tone="bad" icon="warn" title={t('recovery.failed')} text={errorText(t, failure)} />}
      <PasswordPair state={pair} label={t('recovery.newTitle')} size="md" />
      <Button type="submit" size="md" fullWidth loading={changing.isPending}>
        {t('recovery.update')}
      </Button>
    </form>
  );
}

const isWeak = (error: unknown) =>
  error instanceof ApiError &&
  (error.code === 'PASSWORD_WEAK' || error.errors.some(({ code }) => code === 'PASSWORD_WEAK'));

function DeadLink() {
  const t = useT();
  const navigate = useNavigate();
  return (
    <PublicFrame title={t('recovery.expiredTitle')}>
      <div className={classes.form}>
        <Note tone="warn" icon="clock" text={t('recovery.expiredText')} />
        <Button size="md" fullWidth onClick={() => void navigate({ href: paths.remember() })}>
          {t('recovery.again')}
        </Button>
        <Anchor component={Link} to={paths.login()} className={classes.back}>
          {t('recovery.back')}
        </Anchor>
      </div>
    </PublicFrame>
  );
}
