import { Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '@/api/errors';
import { SPAIN } from '@/shared/checks/phone';
import type { InviteDialogProps } from '@/shared/company/invitations';
import { PhoneField } from '@/shared/forms/PhoneField';
import { codeText, errorText, type T, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import { Segmented } from '@/shared/ui/Segmented';
import { toast } from '@/shared/ui/toast';
import { sendInvitation } from '../api';
import { emailOPhone, type InviteProblem, type InviteValues, inviteProblem, roleText } from '../model';
import classes from './Invitations.module.css';

/** Invites somebody by e-mail or SMS. */
export function InviteDialog(props: InviteDialogProps) {
  const t = useT();
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={t('activation.inviteTitle')} size={440}>
      <InviteForm {...props} />
    </Modal>
  );
}

const problemText = (t: T, problem: InviteProblem, channel: InviteValues['channel']): string =>
  ({
    REQUIRED: channel === 'email' ? t('common.write_email') : t('common.write_phone'),
    EMAIL_INVALID: t('errors.email_invalid'),
    PHONE_INVALID: t('errors.phone_invalid'),
    PHONE_TOO_LONG: t('errors.phone_too_long'),
  })[problem];

function InviteForm({ onClose, types, customerId }: InviteDialogProps) {
  const t = useT();
  const queries = useQueryClient();
  const [values, setValues] = useState<InviteValues>({ channel: 'email', email: '', country: SPAIN, phone: '' });
  const [type, setType] = useState(types[0] ?? 0);
  const [checked, setChecked] = useState(false);
  const sending = useMutation({
    mutationFn: () => sendInvitation({ emailOPhone: emailOPhone(values), type, customerId }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['list_invitations'] });
      toast.ok({ title: t('activation.invited'), text: t('activation.invitedTo', { to: emailOPhone(values) }) });
      onClose();
    },
  });
  const change = (part: Partial<InviteValues>) => {
    setValues({ ...values, ...part });
    sending.reset();
  };
  const own = inviteProblem(values);
  const refused = sending.error instanceof ApiError ? sending.error.errors[0] : undefined;
  const fieldError =
    checked && own ? problemText(t, own, values.channel) : refused && (codeText(t, refused.code) ?? refused.message);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (!own) sending.mutate();
    else event.currentTarget.querySelector<HTMLElement>('input[type="email"], input[type="tel"]')?.focus();
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.help}>{t('activation.inviteHelp', { role: roleText(t, type) })}</p>
      {types.length > 1 && (
        <Segmented
          label={t('users.role')}
          value={String(type)}
          onChange={(role) => setType(Number(role))}
          options={types.map((role) => ({ value: String(role), label: roleText(t, role) }))}
        />
      )}
      <Segmented
        label={t('activation.channel')}
        value={values.channel}
        onChange={(channel) => {
          setChecked(false);
          change({ channel });
        }}
        options={[
          { value: 'email', label: t('activation.byEmail'), icon: 'mail' },
          { value: 'sms', label: t('activation.bySms'), icon: 'sms' },
        ]}
      />
      {values.channel === 'email' ? (
        <TextInput
          label={t('companies.email')}
          type="email"
          autoComplete="off"
          maxLength={350}
          data-autofocus
          error={fieldError}
          value={values.email}
          onChange={(event) => change({ email: event.currentTarget.value })}
        />
      ) : (
        <PhoneField
          label={t('companies.mobile')}
          country={values.country}
          onCountry={(country) => change({ country })}
          phone={values.phone}
          onPhone={(phone) => change({ phone })}
          error={fieldError}
        />
      )}
      {sending.error && !refused && (
        <Note tone="bad" icon="warn" title={t('activation.inviteFailed')} text={errorText(t, sending.error)} />
      )}
      <DialogButtons
        onCancel={onClose}
        go={values.channel === 'email' ? t('activation.sendEmail') : t('activation.sendSms')}
        icon="send"
        busy={sending.isPending}
      />
    </form>
  );
}
