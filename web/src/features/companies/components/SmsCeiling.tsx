import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { countText } from '@/shared/lib/format';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { type SmsCeilingOf, saveSmsCeiling, smsCeiling } from '../api';
import classes from './CompanyPage.module.css';

const MOST = 1_000_000;

/** A number that the server takes, `null` for none, `undefined` for something else. */
export function ceilingOf(text: string): number | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  return /^\d{1,7}$/.test(typed) && Number(typed) <= MOST ? Number(typed) : undefined;
}

/** How many SMS a company may send in an hour and in a day; saved by itself, not with the company's data. */
export function SmsCeiling({ company }: { company: string }) {
  const t = useT();
  const { data, error } = useQuery(smsCeiling(company));
  if (error && !data) {
    return <Note tone="bad" icon="warn" title={t('companies.smsCeilingError')} text={errorText(t, error)} />;
  }
  return data ? <Fields key={`${data.perHour}/${data.perDay}`} stored={data} /> : null;
}

function Fields({ stored }: { stored: SmsCeilingOf }) {
  const t = useT();
  const language = useLanguage();
  const queries = useQueryClient();
  const shown = (value: number | null | undefined) => (value == null ? '' : String(value));
  const [typed, type] = useState({ perHour: shown(stored.perHour), perDay: shown(stored.perDay) });
  const [hour, day] = [ceilingOf(typed.perHour), ceilingOf(typed.perDay)];
  const saving = useMutation({
    mutationFn: () => saveSmsCeiling(stored.companyId, { perHour: hour ?? null, perDay: day ?? null }),
    onSuccess: (saved) => {
      queries.setQueryData(smsCeiling(stored.companyId).queryKey, saved);
      toast.ok({ title: t('companies.smsCeilingSaved') });
    },
    onError: (error) => toast.error({ title: t('companies.smsCeilingFailed'), text: errorText(t, error) }),
  });
  const wrong = (value: number | null | undefined) => (value === undefined ? t('companies.smsCeilingWrong') : null);
  const number = (value: number) => countText(value, language);
  return (
    <fieldset className={classes.ceiling}>
      <legend>{t('companies.smsCeiling')}</legend>
      <p className={classes.quiet}>{t('companies.smsCeilingHelp')}</p>
      <div className={classes.three}>
        <TextInput
          label={t('companies.smsPerHour')}
          classNames={{ input: 'num' }}
          inputMode="numeric"
          autoComplete="off"
          placeholder={number(stored.defaultPerHour)}
          value={typed.perHour}
          error={wrong(hour)}
          onChange={({ currentTarget }) => type({ ...typed, perHour: currentTarget.value })}
        />
        <TextInput
          label={t('companies.smsPerDay')}
          classNames={{ input: 'num' }}
          inputMode="numeric"
          autoComplete="off"
          placeholder={number(stored.defaultPerDay)}
          value={typed.perDay}
          error={wrong(day)}
          onChange={({ currentTarget }) => type({ ...typed, perDay: currentTarget.value })}
        />
      </div>
      <p className={classes.quiet}>
        {t('companies.smsUsed', { hour: number(stored.lastHour), day: number(stored.today) })}
      </p>
      <Button
        variant="default"
        loading={saving.isPending}
        disabled={hour === undefined || day === undefined}
        onClick={() => saving.mutate()}
      >
        {t('companies.smsCeilingSave')}
      </Button>
    </fieldset>
  );
}
