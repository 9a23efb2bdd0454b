import { Button, Checkbox, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect } from 'react';
import { ApiError } from '@/api/errors';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Section } from '@/shared/ui/Section';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { type SmsText, saveSmsText, smsText } from '../api';
import { lengthOf, sizeOf, textProblem } from '../model';
import classes from '../pages/SmsConferencePage.module.css';

interface TextFormProps {
  user: string;
  text: SmsText;
  /** For the preview beside it. */
  onTyped: (values: { sms: string; accents: boolean }) => void;
  onDirty: (dirty: boolean) => void;
}

/** The company's own text with its options, counted as it is sent. */
export function TextForm({ user, text, onTyped, onDirty }: TextFormProps) {
  const t = useT();
  const { form, field, values, errors, ref, submit, restore, saving } = useTextForm(user, text);
  const dirty = form.isDirty();
  const { sms, accents } = values;
  useEffect(() => onTyped({ sms, accents }), [sms, accents]);
  useEffect(() => onDirty(dirty), [dirty]);
  const size = sizeOf(sms, text.link, accents);
  const length = lengthOf(sms);
  return (
    <Section
      id="sms-text"
      title={t('smstexts.text')}
      text={t('smstexts.textLead')}
      state={<Tag>{text.own ? t('smstexts.own') : t('smstexts.standard')}</Tag>}
    >
      <form ref={ref} onSubmit={submit} noValidate className={classes.form}>
        <Textarea
          label={t('smstexts.text')}
          autosize
          minRows={2}
          maxRows={4}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          descriptionProps={{ component: 'div' }}
          description={
            <span className={classes.help}>
              <span>{size.encoding === 'UCS-2' ? t('smstexts.dear') : t('smstexts.plain')}</span>
              <output className="num" data-over={length > text.max || undefined}>
                {t('smstexts.counter', { n: length, max: text.max, count: size.segments })}
              </output>
            </span>
          }
          {...field('sms')}
          error={errors.sms}
        />
        <Checkbox
          label={t('smstexts.accents')}
          description={t('smstexts.accentsText')}
          {...form.getInputProps('accents', { type: 'checkbox' })}
        />
        <Checkbox
          label={t('smstexts.whatsapp')}
          description={text.whatsappAvailable ? t('smstexts.whatsappText') : t('smstexts.whatsappOff')}
          disabled={!text.whatsappAvailable}
          {...form.getInputProps('whatsapp', { type: 'checkbox' })}
        />
        <Checkbox
          label={t('smstexts.whatsappFirst')}
          description={text.whatsappAvailable ? t('smstexts.whatsappFirstText') : t('smstexts.whatsappOff')}
          disabled={!text.whatsappAvailable}
          {...form.getInputProps('whatsappFirst', { type: 'checkbox' })}
        />
        <DialogButtons go={t('smstexts.save')} busy={saving}>
          {(text.own || sms.trim() !== text.default) && (
            <Button variant="default" disabled={saving} onClick={restore}>
              {t('smstexts.restore')}
            </Button>
          )}
        </DialogButtons>
      </form>
    </Section>
  );
}

const valuesOf = ({ sms, accents, whatsapp, whatsappFirst }: SmsText) => ({ sms, accents, whatsapp, whatsappFirst });

function useTextForm(user: string, text: SmsText) {
  const t = useT();
  const queries = useQueryClient();
  const checked = useCheckedForm({
    initialValues: valuesOf(text),
    problems: ({ sms }) => {
      const problem = textProblem(sms);
      if (!problem) return {};
      return { sms: problem === 'long' ? t('smstexts.tooLong', { max: text.max }) : t('smstexts.badCharacters') };
    },
  });
  const { form } = checked;
  const saving = useMutation({
    mutationFn: () => saveSmsText(user, { ...form.values, sms: form.values.sms.trim() }),
    onSuccess: (saved) => {
      queries.setQueryData(smsText(user).queryKey, saved);
      form.setInitialValues(valuesOf(saved));
      form.setValues(valuesOf(saved));
      form.resetDirty(valuesOf(saved));
      toast.ok({ title: t('smstexts.saved') });
    },
    onError: (error) => {
      const wrongFields = error instanceof ApiError && error.errors.length > 0;
      if (wrongFields && checked.refuse(error).length === 0) checked.focusFirstError();
      else toast.error({ title: t('smstexts.saveFailed'), text: errorText(t, error) });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (checked.check()) saving.mutate();
    else checked.focusFirstError();
  };
  const restore = () => form.setFieldValue('sms', text.default);
  return { ...checked, submit, restore, saving: saving.isPending };
}
