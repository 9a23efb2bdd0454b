import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import { PasswordField } from '@/shared/forms/PasswordField';
import { PasswordPair, usePasswordPair } from '@/shared/forms/PasswordPair';
import { codeText, errorText, useT } from '@/shared/i18n';
import { useRequiredSession } from '@/shared/session';
import { confirm } from '@/shared/ui/dialogs';
import { Section } from '@/shared/ui/Section';
import { toast } from '@/shared/ui/toast';
import { changePassword, listDevices, listPasskeys } from '../api';
import classes from './security.module.css';

/** The old password and a new pair. */
export function PasswordSection() {
  const t = useT();
  const { user } = useRequiredSession();
  const queries = useQueryClient();
  const [old, setOld] = useState('');
  const [oldError, setOldError] = useState<string | null>(null);
  const oldField = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const pair = usePasswordPair([user.name, user.surname, user.userName, user.email, user.phone, user.company?.company]);

  const passkeys = useQuery(listPasskeys());

  const change = useMutation({
    mutationFn: (removePasskeys: boolean) => changePassword(user._id, old, pair.password, removePasskeys),
    onSuccess: () => {
      setOld('');
      pair.clear();
      toast.ok({ title: t('security.passwordChanged'), text: t('security.passwordChangedText') });
      void queries.invalidateQueries(listDevices(user._id));
      void queries.invalidateQueries(listPasskeys());
    },
    onError: (error) => {
      const wrong = error instanceof ApiError ? error.errors : [];
      const text = (field: string) => {
        const found = wrong.find((one) => one.field.split('.').at(-1) === field);
        return found && (codeText(t, found.code) ?? found.message);
      };
      const ofOld = text('oldPassword');
      const ofNew = text('password');
      if (ofNew) pair.refuse(ofNew);
      if (ofOld) {
        setOldError(ofOld);
        setTimeout(() => oldField.current?.select());
      }
      if (!ofOld && !ofNew) toast.error({ title: t('security.passwordFailed'), text: errorText(t, error) });
    },
  });

  /** A passkey outlives a changed password, so its holder says whether it should. */
  const removesPasskeys = async () =>
    (passkeys.data?.length ?? 0) > 0 &&
    confirm({
      title: t('security.passwordPasskeysTitle'),
      text: t('security.passwordPasskeysText'),
      confirm: t('security.passwordPasskeysRemove'),
      cancel: t('security.passwordPasskeysKeep'),
    });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    setOldError(old ? null : t('common.write_oldPassword'));
    const fits = await pair.check();
    if (old && fits) change.mutate(await removesPasskeys());
    else setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };

  return (
    <Section id="security-password" title={t('security.password')} text={t('security.passwordText')}>
      <form ref={form} className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        {/* Tells a password manager whose password this is. */}
        <input
          className="visually-hidden"
          name="username"
          autoComplete="username"
          value={user.userName}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <PasswordField
          ref={oldField}
          className={classes.half}
          label={t('security.oldPassword')}
          name="current-password"
          autoComplete="current-password"
          value={old}
          error={oldError}
          onChange={(event) => {
            setOld(event.currentTarget.value);
            setOldError(null);
          }}
        />
        <PasswordPair state={pair} label={t('security.newPassword')} wide />
        <div>
          <Button type="submit" variant="default" loading={change.isPending}>
            {t('security.changePassword')}
          </Button>
        </div>
      </form>
    </Section>
  );
}
