import { Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '@/api/errors';
import type { Insurer } from '@/shared/company/insurers';
import { codeText, errorText, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { changeInsurer, createInsurer } from '../api';
import classes from './Insurers.module.css';

interface InsurerFormProps {
  /** Absent for a new one. */
  insurer?: Insurer;
  onDone: () => void;
}

/** Name and, for one that exists, whether it is offered. Administrator only. */
export function InsurerForm({ insurer, onDone }: InsurerFormProps) {
  const t = useT();
  const queries = useQueryClient();
  const [name, setName] = useState(insurer?.name ?? '');
  const [active, setActive] = useState(insurer?.active !== false);
  const [checked, setChecked] = useState(false);
  const saving = useMutation({
    mutationFn: () =>
      insurer ? changeInsurer({ _id: insurer._id, name: name.trim(), active }) : createInsurer(name.trim()),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['list_insurance_companies'] });
      toast.ok({ title: insurer ? t('insurers.saved') : t('insurers.created'), text: name.trim() });
      onDone();
    },
  });
  const refused = saving.error instanceof ApiError ? saving.error.errors[0] : undefined;
  const missing = checked && !name.trim() ? t('common.write_name') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (name.trim()) saving.mutate();
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label={t('insurers.name')}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        value={name}
        error={missing ?? (refused && (codeText(t, refused.code) ?? refused.message))}
        onChange={(event) => {
          setName(event.currentTarget.value);
          saving.reset();
        }}
      />
      {insurer && (
        <Switch
          label={t('insurers.active')}
          description={t('insurers.activeHelp')}
          checked={active}
          onChange={(event) => setActive(event.currentTarget.checked)}
        />
      )}
      {saving.error && !refused && (
        <Note tone="bad" icon="warn" title={t('insurers.saveFailed')} text={errorText(t, saving.error)} />
      )}
      <DialogButtons onCancel={onDone} go={insurer ? t('common.save') : t('insurers.create')} busy={saving.isPending} />
    </form>
  );
}
