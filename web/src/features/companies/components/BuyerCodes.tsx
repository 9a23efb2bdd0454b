import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { type BuyerCodesOf, buyerCodes, saveBuyerCodes } from '../api';
import classes from './CompanyPage.module.css';

const REFERENCE_MAX = 100;
const OFFICES = ['accounting', 'managing', 'processing'] as const;

/** A code of the directory DIR3: nine letters and digits, a letter first. */
export const isDir3 = (code: string) => /^[A-Za-z][A-Za-z0-9]{8}$/.test(code);

/** What a company wants to read on electronic invoices to it; saved by itself, not with the company's data. */
export function BuyerCodes({ company }: { company: string }) {
  const t = useT();
  const { data, error } = useQuery(buyerCodes(company));
  if (error && !data) {
    return <Note tone="bad" icon="warn" title={t('companies.buyerCodesError')} text={errorText(t, error)} />;
  }
  return data ? <Fields stored={data} /> : null;
}

function Fields({ stored }: { stored: BuyerCodesOf }) {
  const t = useT();
  const queries = useQueryClient();
  const shown = ({ reference, accounting, managing, processing }: BuyerCodesOf) => ({
    reference: reference ?? '',
    accounting: accounting ?? '',
    managing: managing ?? '',
    processing: processing ?? '',
  });
  const [typed, type] = useState(shown(stored));
  const saving = useMutation({
    mutationFn: () => saveBuyerCodes(stored.companyId, typed),
    onSuccess: (saved) => {
      queries.setQueryData(buyerCodes(stored.companyId).queryKey, saved);
      type(shown(saved));
      toast.ok({ title: t('companies.buyerCodesSaved') });
    },
    onError: (error) => toast.error({ title: t('companies.buyerCodesFailed'), text: errorText(t, error) }),
  });
  const some = OFFICES.some((office) => typed[office].trim() !== '');
  const wrong = (code: string) => {
    if (code === '') return some ? t('companies.dir3All') : null;
    return isDir3(code) ? null : t('companies.dir3Wrong');
  };
  const words = {
    accounting: t('companies.dir3Accounting'),
    managing: t('companies.dir3Managing'),
    processing: t('companies.dir3Processing'),
  };
  return (
    <fieldset className={classes.ceiling}>
      <legend>{t('companies.buyerCodes')}</legend>
      <p className={classes.quiet}>{t('companies.buyerCodesHelp')}</p>
      <TextInput
        label={t('companies.buyerReference')}
        autoComplete="off"
        maxLength={REFERENCE_MAX}
        value={typed.reference}
        onChange={({ currentTarget }) => type({ ...typed, reference: currentTarget.value })}
      />
      <div className={classes.three}>
        {OFFICES.map((office) => (
          <TextInput
            key={office}
            label={words[office]}
            autoComplete="off"
            value={typed[office]}
            error={wrong(typed[office].trim())}
            onChange={({ currentTarget }) => type({ ...typed, [office]: currentTarget.value })}
          />
        ))}
      </div>
      <Button
        variant="default"
        loading={saving.isPending}
        disabled={OFFICES.some((office) => wrong(typed[office].trim()) !== null)}
        onClick={() => saving.mutate()}
      >
        {t('companies.buyerCodesSave')}
      </Button>
    </fieldset>
  );
}
