import { Button, Drawer } from '@mantine/core';
import { useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { useRequiredSession } from '@/shared/session';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { StatusTag } from '@/shared/ui/StatusTag';
import type { ListedUser } from '../api';
import { fullName, rightsOver } from '../model';
import { useUserActions } from '../use-user-actions';
import { useUserForm } from '../use-user-form';
import { TwoFactorTag } from './TwoFactorTag';
import classes from './UserDrawer.module.css';
import { UserFields } from './UserFields';

interface UserDrawerProps {
  /** `null` is closed. */
  user: ListedUser | null;
  onClose: () => void;
}

/** One user of the list: data to edit, and what may be done with the account. */
export function UserDrawer({ user, onClose }: UserDrawerProps) {
  const t = useT();
  return (
    <Drawer
      opened={user !== null}
      onClose={onClose}
      position="right"
      size={520}
      title={t('users.edit')}
      classNames={{ content: classes.content, header: classes.header, title: classes.title, body: classes.body }}
    >
      {user && <Editor key={user._id} user={user} onClose={onClose} />}
    </Drawer>
  );
}

function Editor({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const t = useT();
  const form = useUserForm(user, onClose);
  return (
    <>
      <Facts user={user} />
      <form ref={form.ref} onSubmit={form.submit} noValidate className={classes.form}>
        <UserFields user={user} form={form} />
        <DialogButtons onCancel={onClose} go={t('common.save')} busy={form.saving} />
      </form>
      <Account user={user} onClose={onClose} />
    </>
  );
}

function Facts({ user }: { user: ListedUser }) {
  const t = useT();
  const language = useLanguage();
  return (
    <div className={classes.facts}>
      <b>{fullName(user)}</b>
      <StatusTag status={user.status} />
      <span>
        {t('users.twoFactor')}: <TwoFactorTag on={user.has2fa} />
      </span>
      <span className="num">
        {t('users.lastLogin')}: {user.lastLogin ? shortDateTime(user.lastLogin, language) : t('users.never')}
      </span>
      <span className="num">
        {t('users.createdAt')}: {shortDateTime(user.createdAt, language)}
      </span>
    </div>
  );
}

/** Not offered about oneself, nor where the caller has no say. */
function Account({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const t = useT();
  const person = useRequiredSession();
  const { deactivate, activate, reset2fa, busy } = useUserActions();
  const { statuses } = rightsOver(person, user);
  if (statuses.length === 0) return null;
  const close = (done: boolean) => done && onClose();
  return (
    <div className={classes.account}>
      {user.has2fa && (
        <Button
          variant="default"
          disabled={busy}
          leftSection={<Icon name="key" size={16} />}
          onClick={() => void reset2fa(user).then(() => onClose())}
        >
          {t('users.reset2fa')}
        </Button>
      )}
      {user.status === 1 ? (
        <Button
          variant="default"
          loading={busy}
          leftSection={<Icon name="check" size={16} />}
          onClick={() => void activate(user).then(close)}
        >
          {t('users.activate')}
        </Button>
      ) : (
        <Button
          variant="default"
          loading={busy}
          leftSection={<Icon name="pause" size={16} />}
          onClick={() => void deactivate(user).then(close)}
        >
          {t('users.deactivate')}
        </Button>
      )}
    </div>
  );
}
