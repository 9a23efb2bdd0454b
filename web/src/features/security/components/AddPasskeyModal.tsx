import { Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { errorText, type T, useT } from '@/shared/i18n';
import { createPasskey, PasskeyDismissed, PasskeyKnown } from '@/shared/lib/webauthn';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { addPasskey, passkeyOptions } from '../api';
import classes from './security.module.css';

const NAME_MAX = 60;

function reason(t: T, error: Error): string {
  if (error instanceof PasskeyDismissed) return t('security.passkeyDismissed');
  if (error instanceof PasskeyKnown) return t('security.passkeyKnown');
  return errorText(t, error);
}

/** Names a passkey, lets the device make it and hands it to the server. */
export function AddPasskeyModal({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const t = useT();
  const [name, setName] = useState('');
  const [missing, setMissing] = useState(false);
  const add = useMutation({
    mutationFn: async () => addPasskey(await createPasskey(await passkeyOptions()), name.trim()),
    onSuccess: () => {
      toast.ok({ title: t('security.passkeyAdded') });
      onAdded();
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim()) return setMissing(true);
    if (!add.isPending) add.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t('security.addPasskey')} size={440}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.lead}>{t('security.addPasskeyText')}</p>
        {add.error && <Note tone="bad" icon="warn" title={t('security.passkeyFailed')} text={reason(t, add.error)} />}
        <TextInput
          label={t('security.passkeyName')}
          description={t('security.passkeyNameHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={NAME_MAX}
          data-autofocus
          value={name}
          error={missing && t('common.write_name')}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setMissing(false);
          }}
        />
        <DialogButtons onCancel={onClose} go={t('security.createPasskey')} busy={add.isPending} apart />
      </form>
    </Modal>
  );
}
