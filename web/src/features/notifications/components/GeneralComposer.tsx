import { Select, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ComposerForm } from '@/shared/forms/Composer';
import composer from '@/shared/forms/composer.module.css';
import { MomentField } from '@/shared/forms/MomentField';
import type { CheckedForm } from '@/shared/forms/use-checked-form';
import { useT } from '@/shared/i18n';
import { madridWall } from '@/shared/lib/dates';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { toast } from '@/shared/ui/toast';
import { GENERAL, sendGeneral } from '../api';
import { AUDIENCES, type GeneralForm, TEXT_MAX, toNotice } from '../general';
import { BodyField } from './BodyField';
import classes from './General.module.css';
import { GeneralPreview } from './GeneralPreview';
import { audienceText } from './words';

interface GeneralComposerProps {
  form: CheckedForm<GeneralForm>;
  /** Sent: what was typed is no longer needed. */
  onSent: () => void;
  onClose: () => void;
}

/** A notice to many: what it says, to whom and for how long; beside it, how it will look. */
export function GeneralComposer({ form, onSent, onClose }: GeneralComposerProps) {
  const t = useT();
  const queries = useQueryClient();
  const { values, errors, field, set } = form;
  const sending = useMutation({
    mutationFn: () => sendGeneral(toNotice(values)),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: [GENERAL] });
      toast.ok({
        title: values.startAt ? t('notifications.sentScheduled') : t('notifications.sent'),
        text: values.text.trim(),
      });
      onSent();
    },
    onError: (error) => {
      form.refuse(error);
      form.focusFirstError();
    },
  });
  const today = madridWall(Date.now()).slice(0, 10);
  const optional = (label: string) => (
    <>
      {label} <span className={classes.optional}>{t('common.optional')}</span>
    </>
  );
  return (
    <ComposerForm
      form={form}
      onTry={sending.reset}
      onSubmit={sending.mutate}
      error={sending.error}
      failed={t('notifications.sendFailed')}
      preview={<GeneralPreview values={values} />}
      foot={
        <DialogButtons
          onCancel={onClose}
          go={values.startAt ? t('notifications.scheduleGeneral') : t('notifications.sendGeneral')}
          icon="send"
          busy={sending.isPending}
        />
      }
    >
      <Textarea
        label={t('notifications.text')}
        description={
          <span className={composer.counted}>
            {t('notifications.textHelp')}
            <span className="num">
              {[...values.text.trim()].length}/{TEXT_MAX}
            </span>
          </span>
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={2}
        maxRows={5}
        data-autofocus
        {...field('text')}
      />
      <Select
        label={t('notifications.audience')}
        allowDeselect={false}
        data={AUDIENCES.map((group) => ({ value: String(group), label: audienceText(t, group) }))}
        rightSection={<Icon name="down" size={16} />}
        {...field('roleGroup')}
      />
      <div className={composer.pair}>
        <MomentField
          label={optional(t('notifications.startAt'))}
          help={t('notifications.startAtHelp')}
          placeholder={t('notifications.startAtNow')}
          value={values.startAt}
          onChange={(startAt) => set({ startAt })}
          error={errors.startAt}
          min={today}
          clearable
        />
        <MomentField
          label={t('notifications.expiresAt')}
          help={t('notifications.expiresAtHelp')}
          value={values.expiresAt}
          onChange={(expiresAt) => set({ expiresAt })}
          error={errors.expiresAt}
          min={today}
        />
      </div>
      <TextInput
        label={optional(t('notifications.url'))}
        description={values.body.trim() ? t('notifications.urlHelpBody') : t('notifications.urlHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        inputMode="url"
        maxLength={2000}
        {...field('url')}
      />
      <BodyField
        label={optional(t('notifications.body'))}
        value={values.body}
        error={errors.body}
        onChange={(body) => set({ body })}
        onBlur={() => form.form.validateField('body')}
      />
    </ComposerForm>
  );
}
