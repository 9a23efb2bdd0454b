import { Modal, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { cancelRemittance, getRemittance } from '../api';
import type { Remittance } from '../types';
import classes from './remittances.module.css';

const REASON_MAX = 250;

interface CancelModalProps {
  remittance: Remittance;
  opened: boolean;
  onClose: () => void;
}

/** The bank refused the whole file: its invoices are due again, in a new one. */
export function CancelModal({ remittance, opened, onClose }: CancelModalProps) {
  const t = useT();
  return (
    <Modal opened={opened} onClose={onClose} size={440} title={t('sepa.cancelTitle', { id: remittance.msgId })}>
      <Form id={remittance._id} onClose={onClose} />
    </Modal>
  );
}

function Form({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useT();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [checked, setChecked] = useState(false);
  const missing = !reason.trim();
  const cancel = useMutation({
    mutationFn: () => cancelRemittance(id, reason.trim()),
    onSuccess: () => {
      toast.ok({ title: t('sepa.cancelled'), text: t('sepa.cancelledText') });
      onClose();
    },
    onSettled: () => {
      void queries.invalidateQueries(getRemittance(id));
      for (const key of ['list_remittances', 'get_remittance_due']) void queries.invalidateQueries({ queryKey: [key] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!missing && !cancel.isPending) cancel.mutate();
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.text}>{t('sepa.cancelText')}</p>
      <Textarea
        label={t('sepa.cancelReason')}
        description={t('sepa.cancelReasonHelp')}
        autosize
        minRows={2}
        maxLength={REASON_MAX}
        data-autofocus
        value={reason}
        error={checked && missing && t('common.write_bankWords')}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {cancel.error && <Note tone="bad" icon="warn" title={t('sepa.failed')} text={errorText(t, cancel.error)} />}
      <DialogButtons onCancel={onClose} go={t('sepa.cancelGo')} danger busy={cancel.isPending} />
    </form>
  );
}
