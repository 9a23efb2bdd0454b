import { Modal, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';
import { readDay, writtenDay } from '@/shared/lib/day-range';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { markPaid } from '../api';
import type { Invoice } from '../types';
import classes from './drawer.module.css';

interface PaidDialogProps {
  invoice: Invoice;
  opened: boolean;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Marks an invoice as paid by other means than the remittance. */
export function PaidDialog({ opened, onClose, ...rest }: PaidDialogProps) {
  const t = useT();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={440}
      title={t('invoices.paidTitle', { number: rest.invoice.number })}
    >
      {opened && <PaidForm onClose={onClose} {...rest} />}
    </Modal>
  );
}

function PaidForm({ invoice, onClose, onDone }: Omit<PaidDialogProps, 'opened'>) {
  const t = useT();
  const language = useLanguage();
  const { number } = invoice;
  const today = madridDay(new Date().toISOString());
  const checked = useCheckedForm({
    initialValues: { paidAt: writtenDay(today, language) },
    problems: ({ paidAt }) => {
      const day = readDay(paidAt, language);
      return day && day <= today ? {} : { paidAt: t('invoices.paidRequired') };
    },
  });
  const save = useMutation({
    mutationFn: () => markPaid(invoice._id, readDay(checked.values.paidAt, language) ?? today),
    onSuccess: async () => {
      toast.ok({ title: t('invoices.paid', { number }) });
      onClose();
      await onDone();
    },
    onError: (error) => {
      checked.refuse(error);
      checked.focusFirstError();
    },
  });
  return (
    <form
      ref={checked.ref}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (checked.check()) save.mutate();
        else checked.focusFirstError();
      }}
    >
      <Text className={classes.context}>{t('invoices.paidText')}</Text>
      <TextInput
        label={t('invoices.paidAt')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        data-autofocus
        classNames={{ input: 'num' }}
        {...checked.field('paidAt')}
      />
      {save.error && !checked.covers(save.error) && <Failure error={save.error} />}
      <DialogButtons onCancel={onClose} go={t('invoices.paidConfirm')} busy={save.isPending} apart />
    </form>
  );
}

/** What the server refused, above the buttons. */
export function Failure({ error }: { error: unknown }) {
  const t = useT();
  return (
    <div className={classes.failure}>
      <Note tone="bad" icon="warn" title={t('invoices.actionFailed')} text={errorText(t, error)} />
    </div>
  );
}
