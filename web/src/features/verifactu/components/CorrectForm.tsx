import { Textarea, TextInput } from '@mantine/core';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import type { ChainRecord, Corrected } from '../model';
import { useResend } from '../use-resend';
import classes from './verifactu.module.css';

interface CorrectFormProps {
  record: ChainRecord;
  /** What it says now. */
  words: Corrected;
  onDone: () => void;
}

/** Sends a new record of the same invoice with the right name of its recipient, or description. */
export function CorrectForm({ record, words, onDone }: CorrectFormProps) {
  const t = useT();
  const resend = useResend();
  const checked = useCheckedForm<Corrected>({
    initialValues: words,
    problems: (values) => {
      const { recipientName, description } = clean(values);
      return {
        ...(!recipientName && { recipientName: t('common.write_recipient') }),
        ...(!description && { description: t('common.write_description') }),
        ...(recipientName === words.recipientName &&
          description === words.description && { recipientName: t('verifactu.correctSame') }),
      };
    },
  });
  const send = () =>
    resend.mutate(
      { id: record._id, corrected: clean(checked.values) },
      {
        onSuccess: onDone,
        onError: (error) => {
          checked.refuse(error);
          checked.focusFirstError();
        },
      },
    );
  return (
    <form
      ref={checked.ref}
      className={classes.correct}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (checked.check()) send();
        else checked.focusFirstError();
      }}
    >
      <p className={classes.quiet}>{t('verifactu.correctText')}</p>
      <TextInput
        label={t('verifactu.recipientName')}
        maxLength={120}
        autoComplete="off"
        {...checked.field('recipientName')}
      />
      <Textarea
        label={t('verifactu.description')}
        description={`${[...checked.values.description].length}/500`}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        maxLength={500}
        autosize
        minRows={2}
        maxRows={6}
        {...checked.field('description')}
      />
      {resend.error && !checked.covers(resend.error) && (
        <Note tone="bad" icon="warn" title={t('verifactu.resendFailed')} text={errorText(t, resend.error)} />
      )}
      <DialogButtons onCancel={onDone} go={t('verifactu.correctSend')} busy={resend.isPending} />
    </form>
  );
}

const clean = ({ recipientName, description }: Corrected): Corrected => ({
  recipientName: recipientName.trim(),
  description: description.trim(),
});
