import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { DayField } from '@/shared/forms/DayField';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import { exportRecords, type Period } from '../api';
import classes from './verifactu.module.css';

/** Saves the records of a period as the XML that an inspection asks for. */
export function ExportForm({ onDone }: { onDone: () => void }) {
  const t = useT();
  const saving = useMutation({ mutationFn: exportRecords, onSuccess: onDone });
  const checked = useCheckedForm<Period>({
    initialValues: { from: '', to: '', reference: '' },
    problems: ({ from, to }) => ({
      ...(!from && { from: t('verifactu.exportDay') }),
      ...(!to && { to: t('verifactu.exportDay') }),
      ...(from && to && to < from && { to: t('verifactu.exportOrder') }),
    }),
  });
  const refused = (error: Error) => {
    checked.refuse(error);
    checked.focusFirstError();
  };
  return (
    <form
      ref={checked.ref}
      className={classes.correct}
      aria-label={t('verifactu.export')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (checked.check()) saving.mutate(checked.values, { onError: refused });
        else checked.focusFirstError();
      }}
    >
      <p className={classes.quiet}>{t('verifactu.exportText')}</p>
      <div className={classes.days}>
        <DayField
          label={t('verifactu.exportFrom')}
          {...checked.field('from')}
          value={checked.values.from}
          onChange={(from) => checked.set({ from })}
        />
        <DayField
          label={t('verifactu.exportTo')}
          {...checked.field('to')}
          value={checked.values.to}
          onChange={(to) => checked.set({ to })}
        />
        <TextInput
          label={t('verifactu.exportReference')}
          description={t('verifactu.exportReferenceText')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          maxLength={18}
          autoComplete="off"
          {...checked.field('reference')}
        />
      </div>
      {saving.error && !checked.covers(saving.error) && (
        <Note tone="bad" icon="warn" title={t('verifactu.exportFailed')} text={errorText(t, saving.error)} />
      )}
      <DialogButtons onCancel={onDone} go={t('verifactu.exportGo')} busy={saving.isPending} />
    </form>
  );
}
