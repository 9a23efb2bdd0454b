import { Button, Input, TextInput } from '@mantine/core';
import { type FormEvent, useEffect } from 'react';
import { DayField } from '@/shared/forms/DayField';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, useT } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import type { Mandate, SignedPaper } from '../types';
import classes from './remittances.module.css';
import { useMandate } from './use-mandate';

interface SignedFormProps {
  mandate: Mandate;
  file: File;
  /** Chooses another file. */
  onOther: () => void;
  onClose: () => void;
}

/** Day and place that stand on the signed paper: with them it is the evidence of the mandate. */
export function SignedForm({ mandate, file, onOther, onClose }: SignedFormProps) {
  const t = useT();
  const { upload } = useMandate();
  const today = madridDay(new Date().toISOString());
  const made = madridDay(mandate.createdAt);
  const checked = useCheckedForm<SignedPaper & Record<string, unknown>>({
    initialValues: { file, signedAt: '', place: '' },
    problems: ({ signedAt }) => (signedAt ? {} : { signedAt: t('sepa.signedAtRequired') }),
  });
  const { form, values, errors } = checked;
  useEffect(() => checked.set({ file }), [file]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A dialog's events reach the page below it, which is a form as well.
    event.stopPropagation();
    if (!checked.check()) return checked.focusFirstError();
    const paper = { file, signedAt: values.signedAt, place: values.place.trim() };
    const onError = (error: Error) => {
      checked.refuse(error);
      checked.focusFirstError();
    };
    upload.mutate({ id: mandate._id, paper }, { onSuccess: onClose, onError });
  };
  return (
    <form ref={checked.ref} className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.text}>{t('sepa.paperText')}</p>
      <div>
        <div className={classes.chosen}>
          <Icon name="doc" size={16} />
          <b>{file.name}</b>
          <Button
            variant="subtle"
            size="xs"
            onClick={onOther}
            aria-invalid={errors.file ? true : undefined}
            aria-describedby={errors.file ? 'paper-error' : undefined}
          >
            {t('sepa.paperOther')}
          </Button>
        </div>
        {errors.file && (
          <Input.Error id="paper-error" role="alert">
            {errors.file}
          </Input.Error>
        )}
      </div>
      <DayField
        label={t('sepa.paperDay')}
        description={t('sepa.paperDayHelp')}
        min={made}
        max={today}
        {...checked.field('signedAt')}
        value={values.signedAt}
        onChange={(signedAt) => form.setFieldValue('signedAt', signedAt)}
      />
      <TextInput
        label={
          <>
            {t('sepa.place')} <span className={classes.optional}>{t('common.optional')}</span>
          </>
        }
        maxLength={120}
        {...checked.field('place')}
      />
      {upload.error && !checked.covers(upload.error) && (
        <Note tone="bad" icon="warn" title={t('sepa.failed')} text={errorText(t, upload.error)} />
      )}
      <DialogButtons onCancel={onClose} go={t('sepa.paperGo')} icon="ul" busy={upload.isPending} />
    </form>
  );
}
