import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { errorText, useT } from '@/shared/i18n';
import { timeOfDay } from '@/shared/lib/time';
import { roleTitle } from '@/shared/routes/labels';
import { confirm } from '@/shared/ui/dialogs';
import { Icon } from '@/shared/ui/Icon';
import { StatusTag } from '@/shared/ui/StatusTag';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { type PasswordUser, startReset } from '../api';
import classes from '../pages/PasswordOperatorPage.module.css';

/** One account with its reset; after it, when the link went out. */
export function AccountRow({ user }: { user: PasswordUser }) {
  const t = useT();
  const { userName } = user;
  const reset = useMutation({
    mutationFn: async () => {
      await startReset(user._id);
      return new Date().toISOString();
    },
    onSuccess: () => toast.ok({ title: t('users.passwordSent'), text: t('users.passwordSentText', { userName }) }),
  });
  const ask = async () => {
    const sure = await confirm({
      title: t('users.passwordResetTitle'),
      text: t('users.passwordResetAsk', { userName }),
      confirm: t('users.passwordReset'),
    });
    if (sure) reset.mutate();
  };
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <b>{userName}</b>
        <span className={classes.line}>
          {user.company} · {roleTitle(t, user.role)} <StatusTag status={user.status} />
        </span>
      </div>
      {reset.data && (
        <Tag tone="ok" icon="check">
          {t('users.passwordSentAt', { time: timeOfDay(reset.data).slice(0, 5) })}
        </Tag>
      )}
      <Button
        variant="default"
        loading={reset.isPending}
        leftSection={<Icon name="key" size={16} />}
        onClick={() => void ask()}
      >
        {t('users.passwordReset')}
      </Button>
      {reset.error && (
        <p className={classes.failed} role="alert">
          {t('users.passwordFailed')}. {errorText(t, reset.error)}
        </p>
      )}
    </li>
  );
}
