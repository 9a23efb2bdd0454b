import { Button, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { ApiError } from '@/api/errors';
import { DayField } from '@/shared/forms/DayField';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, useT } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';
import { Section } from '@/shared/ui/Section';
import { toast } from '@/shared/ui/toast';
import { type SenderStatus, type SmsSender, saveRegistration } from '../api';
import { MOVES } from '../model';
import classes from '../pages/SmsConferencePage.module.css';

interface RegistrationProps {
  sender: Pick<SmsSender, 'status' | 'evidenceAt' | 'provider' | 'companyId'>;
  onSaved: (saved: SmsSender) => void;
}

/** For administrators: what the Registry answered about the name. */
export function Registration({ sender, onSaved }: RegistrationProps) {
  const t = useT();
  const { form, field, ref, submit, saving } = useRegistration({ sender, onSaved });
  return (
    <Section id="sms-registration" title={t('smstexts.admin')} text={t('smstexts.adminLead')}>
      <form ref={ref} onSubmit={submit} noValidate className={classes.form}>
        <div className={classes.two}>
          <Select
            label={t('smstexts.status')}
            allowDeselect={false}
            data={MOVES[sender.status].map((value) => ({ value, label: t(`smstexts.st_${value}`) }))}
            {...form.getInputProps('status')}
          />
          <DayField
            label={t('smstexts.evidenceDate')}
            max={madridDay(new Date().toISOString())}
            {...field('evidenceAt')}
          />
          <TextInput label={t('smstexts.providerName')} autoComplete="off" maxLength={60} {...field('provider')} />
        </div>
        <div>
          <Button type="submit" variant="default" loading={saving}>
            {t('smstexts.adminSave')}
          </Button>
        </div>
      </form>
    </Section>
  );
}

function useRegistration({ sender, onSaved }: RegistrationProps) {
  const t = useT();
  const checked = useCheckedForm({
    initialValues: {
      status: sender.status as string,
      evidenceAt: madridDay(sender.evidenceAt),
      provider: sender.provider ?? '',
    },
    problems: ({ evidenceAt }) =>
      evidenceAt > madridDay(new Date().toISOString()) ? { evidenceAt: t('smstexts.evidenceFuture') } : {},
  });
  const { form } = checked;
  const saving = useMutation({
    mutationFn: () => {
      const { status, evidenceAt, provider } = form.values;
      return saveRegistration(sender.companyId, {
        status: status as SenderStatus,
        evidenceAt: evidenceAt || undefined,
        provider: provider.trim(),
      });
    },
    onSuccess: (saved) => {
      onSaved(saved);
      toast.ok({ title: t('smstexts.adminSaved') });
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
  return { ...checked, submit, saving: saving.isPending };
}
