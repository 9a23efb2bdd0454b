import { Modal, Radio, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { useLanguage, useT } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';
import { readDay, writtenDay } from '@/shared/lib/day-range';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { toast } from '@/shared/ui/toast';
import { addInvoiceMessage, invoiceMessages } from '../api';
import { type Invoice, SAID, type Said } from '../types';
import { Failure } from './PaidDialog';

interface MessageDialogProps {
  invoice: Invoice;
  opened: boolean;
  onClose: () => void;
}

const REASON_MAX = 500;

/** Writes down that the recipient accepted, rejected or paid the invoice. */
export function MessageDialog({ invoice, opened, onClose }: MessageDialogProps) {
  const t = useT();
  return (
    <Modal opened={opened} onClose={onClose} size={440} title={t('invoices.messageTitle', { number: invoice.number })}>
      {opened && <MessageForm invoice={invoice} onClose={onClose} />}
    </Modal>
  );
}

function MessageForm({ invoice, onClose }: Omit<MessageDialogProps, 'opened'>) {
  const t = useT();
  const language = useLanguage();
  const queries = useQueryClient();
  const today = madridDay(new Date().toISOString());
  const checked = useCheckedForm({
    initialValues: { status: 'accepted' as Said, day: writtenDay(today, language), reason: '' },
    problems: ({ status, day, reason }) => {
      const read = readDay(day, language);
      return {
        ...(read && read >= invoice.issueDate && read <= today ? {} : { day: t('invoices.messageDayWrong') }),
        ...(status === 'rejected' && reason.trim() === '' ? { reason: t('invoices.messageReasonRequired') } : {}),
      };
    },
  });
  const { status, reason } = checked.values;
  const save = useMutation({
    mutationFn: () =>
      addInvoiceMessage(invoice._id, {
        status,
        day: readDay(checked.values.day, language) ?? today,
        reason: reason.trim() || null,
      }),
    onSuccess: (all) => {
      queries.setQueryData(invoiceMessages(invoice._id).queryKey, all);
      toast.ok({ title: t('invoices.messageSaved') });
      onClose();
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
      <Stack gap={16}>
        <Radio.Group
          label={t('invoices.messageStatus')}
          value={status}
          onChange={(next) => checked.set({ status: next as Said })}
        >
          <Stack gap={8} mt={8}>
            {SAID.map((one) => (
              <Radio key={one} value={one} label={t(`invoices.said_${one}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          label={t('invoices.messageDay')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={10}
          classNames={{ input: 'num' }}
          {...checked.field('day')}
        />
        <TextInput
          label={status === 'rejected' ? t('invoices.messageReason') : t('invoices.messageReasonFree')}
          autoComplete="off"
          maxLength={REASON_MAX}
          {...checked.field('reason')}
        />
      </Stack>
      {save.error && !checked.covers(save.error) && <Failure error={save.error} />}
      <DialogButtons onCancel={onClose} go={t('invoices.messageSave')} busy={save.isPending} apart />
    </form>
  );
}
