import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import { PasswordPair, usePasswordPair } from '@/shared/forms/PasswordPair';
import { errorText, useT } from '@/shared/i18n';
import { isDeadLink, linkState } from '@/shared/lib/activation-links';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { session } from '@/shared/session';
import { confirm, notice } from '@/shared/ui/dialogs';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { PublicFrame } from '@/shared/ui/PublicFrame';
import { changePassword, resetToken } from '../api';
import classes from './recovery.module.css';

/** The link first, then a password pair. */
export function RememberFormPage() {
  const t = useT();
  const { token = '' } = useParams({ strict: false }) as { token?: string };
  const [refused, setRefused] = useState(false);
  const { data: valid, error, refetch } = useQuery(resetToken(token));
  usePage({ title: t('recovery.newTitle') });
  const dead = error !== null && linkState(error) !== 'unreachable';
  if (valid === false || dead || refused) return <DeadLink />;
  return (
    <PublicFrame title={t('recovery.newTitle')} subtitle={t('recovery.newSubtitle')}>
      {error ? (
        <LoadFailed title={t('activation.loadTitle')} error={error} onRetry={() => void refetch()} />
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
      if (isDeadLink(error)) return onDeadLink();
      const wrong = passwordRefusal(error);
      if (wrong) return pair.refuse(wrong.message);
      void notice({ tone: 'bad', title: t('recovery.failed'), text: errorText(t, error) }).then(() =>
        navigate({ href: paths.login() }),
      );
    },
  });

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (changing.isPending) return;
    if (await pair.check()) changing.mutate();
    else setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };

  return (
    <form ref={form} className={classes.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <PasswordPair state={pair} label={t('recovery.newTitle')} size="md" />
      <Button type="submit" size="md" fullWidth loading={changing.isPending}>
        {t('recovery.update')}
      </Button>
    </form>
  );
}

/** What the server has against the password itself: it can be mended here. */
function passwordRefusal(error: unknown): { message?: string } | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const wrong = error.errors.find(({ field, code }) => field.endsWith('password') || code === 'PASSWORD_WEAK');
  return wrong ?? (error.code === 'PASSWORD_WEAK' ? {} : undefined);
}

/** An error alert, then the log-in; or straight to a new link, which is what most people are after. */
function DeadLink() {
  const t = useT();
  const navigate = useNavigate();
  const told = useRef(false);
  useEffect(() => {
    if (told.current) return;
    told.current = true;
    void confirm({
      tone: 'bad',
      title: t('recovery.expiredTitle'),
      text: t('recovery.expiredText'),
      confirm: t('recovery.again'),
      cancel: t('recovery.back'),
    }).then((again) => navigate({ href: again ? paths.remember() : paths.login(), replace: true }));
  }, [t, navigate]);
  return <PublicFrame title={t('recovery.expiredTitle')}>{null}</PublicFrame>;
}
