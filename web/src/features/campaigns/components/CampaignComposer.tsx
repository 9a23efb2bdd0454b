import { MultiSelect, Select, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ComposerForm } from '@/shared/forms/Composer';
import composer from '@/shared/forms/composer.module.css';
import { MomentField } from '@/shared/forms/MomentField';
import type { CheckedForm } from '@/shared/forms/use-checked-form';
import { useT } from '@/shared/i18n';
import { availableLanguages } from '@/shared/language/api';
import { madridWall } from '@/shared/lib/dates';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { CAMPAIGNS, previewCampaign, sendCampaign } from '../api';
import { type CampaignForm, ROLES, SUBJECT_MAX, TEXT_MAX, toCampaign } from '../model';
import { CampaignPreview } from './CampaignPreview';

interface CampaignComposerProps {
  form: CheckedForm<CampaignForm>;
  /** On its way: what was typed is no longer needed. */
  onSent: () => void;
  onClose: () => void;
}

/** What is about to be sent, and how many would get it. */
interface Asked {
  content: string;
  recipients: number;
}

/** One key for one content: a second press, or a try after a lost answer, makes no second campaign. */
function useKey() {
  const held = useRef({ content: '', key: '' });
  return (content: string) => {
    if (held.current.content !== content) held.current = { content, key: crypto.randomUUID() };
    return held.current.key;
  };
}

/** A message to many: what it says and to whom; beside it, how it reads and how many would get it. */
export function CampaignComposer({ form, onSent, onClose }: CampaignComposerProps) {
  const t = useT();
  const queries = useQueryClient();
  const { data: languages = [] } = useQuery(availableLanguages());
  const keyOf = useKey();
  const { values, errors, field, set } = form;
  const [asked, setAsked] = useState<Asked | null>(null);
  const data = toCampaign(values);
  const content = JSON.stringify(data);
  const refuse = (error: unknown) => {
    form.refuse(error);
    form.focusFirstError();
  };
  // Counted when it is asked, not when it was typed.
  const counting = useMutation({
    mutationFn: () => queries.fetchQuery({ ...previewCampaign(data), staleTime: 0 }),
    onSuccess: (preview) => setAsked({ content, recipients: preview?.recipients ?? 0 }),
    onError: refuse,
  });
  const sending = useMutation({
    mutationFn: () => sendCampaign(data, keyOf(content)),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: [CAMPAIGNS] });
      toast.ok({
        title: values.sendAt ? t('marketing.scheduledToast') : t('marketing.sentToast'),
        text: values.subject.trim(),
      });
      onSent();
    },
    onError: refuse,
  });
  const label = values.sendAt ? t('marketing.schedule') : t('marketing.send');
  // A changed message is another question.
  const asks = asked?.content === content;
  const used = (text: string, max: number) => (
    <span className="num">
      {[...text.trim()].length}/{max}
    </span>
  );
  return (
    <ComposerForm
      form={form}
      onTry={() => {
        counting.reset();
        sending.reset();
      }}
      onSubmit={asks ? sending.mutate : counting.mutate}
      error={sending.error ?? counting.error}
      failed={t('marketing.sendFailed')}
      preview={<CampaignPreview values={values} />}
      foot={
        asks ? (
          <SendStep
            label={label}
            recipients={asked.recipients}
            busy={sending.isPending}
            onBack={() => setAsked(null)}
          />
        ) : (
          <DialogButtons onCancel={onClose} go={label} icon="send" busy={counting.isPending} />
        )
      }
    >
      <TextInput
        label={t('marketing.subject')}
        description={used(values.subject, SUBJECT_MAX)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        data-autofocus
        {...field('subject')}
      />
      <Textarea
        label={t('marketing.text')}
        description={
          <span className={composer.counted}>
            {t('marketing.textHelp')}
            {used(values.text, TEXT_MAX)}
          </span>
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={8}
        maxRows={18}
        {...field('text')}
      />
      <MultiSelect
        label={t('marketing.audience')}
        description={t('marketing.audienceHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={values.audience.length === 0 ? t('marketing.everybody') : undefined}
        data={ROLES.map((role) => ({ value: String(role), label: t(`roles.${role}`) }))}
        clearable
        clearButtonProps={{ 'aria-label': t('common.clear') }}
        {...field('audience')}
      />
      <div className={composer.pair}>
        <Select
          label={t('marketing.language')}
          data={[
            { value: '', label: t('marketing.anyLanguage') },
            ...languages.map(({ code, name }) => ({ value: code, label: name })),
          ]}
          allowDeselect={false}
          rightSection={<Icon name="down" size={16} />}
          {...field('language')}
        />
        <MomentField
          label={t('marketing.sendAt')}
          placeholder={t('marketing.now')}
          value={values.sendAt}
          onChange={(sendAt) => set({ sendAt })}
          error={errors.sendAt}
          min={madridWall(Date.now()).slice(0, 10)}
          clearable
        />
      </div>
    </ComposerForm>
  );
}

interface SendStepProps {
  label: string;
  recipients: number;
  busy: boolean;
  onBack: () => void;
}

/** The last question, in the same dialog: no dialog opens over another one. */
function SendStep({ label, recipients, busy, onBack }: SendStepProps) {
  const t = useT();
  return (
    <section className={composer.ask} aria-label={t('marketing.sendTitle')}>
      <Note
        tone="warn"
        icon="send"
        title={t('marketing.sendTitle')}
        text={t('marketing.sendText', { count: recipients })}
      />
      <DialogButtons onCancel={onBack} cancel={t('common.back')} go={label} icon="send" busy={busy} focus="go" />
    </section>
  );
}
