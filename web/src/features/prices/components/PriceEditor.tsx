import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '@/api/errors';
import { CompanyPicker } from '@/features/companies/components/CompanyPicker';
import { DayField } from '@/shared/forms/DayField';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { codeText, errorText, type T, useT } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';
import { PRICE_FIELDS, type Price, type PriceTable as Prices, samePrices } from '@/shared/lib/prices';
import { confirmLeaving, useUnsaved } from '@/shared/lib/use-unsaved';
import { confirm } from '@/shared/ui/dialogs';
import { Note } from '@/shared/ui/Note';
import { PriceTable } from '@/shared/ui/PriceTable';
import { toast } from '@/shared/ui/toast';
import { VersionEditor } from '@/shared/ui/Versioned';
import { PRICES, publishPrice } from '../api';
import {
  draftOf,
  type FieldProblem,
  formOf,
  type PriceForm,
  problemsOf,
  tierProblems,
  tiersOf,
  toPrice,
} from '../model';
import classes from './prices.module.css';
import { TiersField } from './TiersField';

interface PriceEditorProps {
  /** What it begins as. */
  base: Prices | null;
  onClose: () => void;
  onPublished: (price: Price) => void;
}

const problemText = (t: T, problem: FieldProblem) =>
  ({
    required: t('common.required'),
    amount: t('prices.wrongAmount'),
    whole: t('prices.wrongWhole'),
    date: t('prices.wrongDate'),
    past: t('prices.wrongPast'),
  })[problem];

/** A new version of the prices, with its rules checked while one types and the table as companies will read it. */
export function PriceEditor({ base, onClose, onPublished }: PriceEditorProps) {
  const t = useT();
  const queries = useQueryClient();
  const [tiers, setTiers] = useState(() => tiersOf(base));
  const [checked, setChecked] = useState(false);
  const [refusedTiers, setRefusedTiers] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useCheckedForm<PriceForm>({
    initialValues: formOf(base),
    problems: (values) =>
      Object.fromEntries(
        Object.entries(problemsOf(values, madridDay(new Date().toISOString()))).map(([field, problem]) => [
          field,
          problem && problemText(t, problem),
        ]),
      ),
  });
  const draft = draftOf(form.values, tiers);
  const wrongTiers = tierProblems(tiers);
  const dirty = form.form.isDirty() || !base || !samePrices(base, draft);
  const typed = form.form.isDirty() || (base !== null && !samePrices(base, draft));
  useUnsaved(typed);

  const publishing = useMutation({
    mutationFn: () => publishPrice(toPrice(form.values, tiers)),
    onSuccess: (price) => {
      void queries.invalidateQueries({ queryKey: [PRICES] });
      toast.ok({ title: t('prices.published') });
      onPublished(price);
    },
    onError: (error) => {
      const homeless = form.refuse(error);
      const wrong = homeless.find(({ field }) => field.startsWith('discounts'));
      setRefusedTiers(wrong ? (codeText(t, wrong.code) ?? wrong.message) : null);
      const known = error instanceof ApiError && error.errors.length > 0 && homeless.every((one) => one === wrong);
      setFailure(known ? null : errorText(t, error));
      form.focusFirstError();
    },
  });
  const submit = async () => {
    setChecked(true);
    setFailure(null);
    setRefusedTiers(null);
    if (!form.check() || wrongTiers.some(Boolean)) return form.focusFirstError();
    const sure = await confirm({
      title: t('prices.publishTitle'),
      text: form.values.companyId ? t('prices.publishTextOne') : t('prices.publishText'),
      confirm: t('prices.publish'),
    });
    if (sure) publishing.mutate();
  };
  const leave = async () => {
    if (!typed || (await confirmLeaving())) onClose();
  };
  return (
    <VersionEditor
      formRef={form.ref}
      title={t('prices.newTitle')}
      lead={t('prices.newLead')}
      publish={t('prices.publish')}
      publishing={publishing.isPending}
      disabled={!dirty}
      onPublish={() => void submit()}
      onCancel={() => void leave()}
    >
      <div className={classes.editor}>
        <div className={classes.fields}>
          <div className={classes.grid}>
            {PRICE_FIELDS.map((field) => (
              <TextInput
                key={field}
                label={t(`prices.${field}`)}
                classNames={{ input: 'num' }}
                inputMode={field === 'minuteLimit' ? 'numeric' : 'decimal'}
                autoComplete="off"
                maxLength={12}
                placeholder={field === 'minuteLimit' ? t('prices.noLimit') : '0,00'}
                rightSection={<span className={classes.unit}>{field === 'minuteLimit' ? 'min' : '€'}</span>}
                {...form.field(field)}
              />
            ))}
          </div>
          <TiersField
            tiers={tiers}
            problems={
              checked
                ? wrongTiers
                : wrongTiers.map((problem) => (problem === 'falling' || problem === 'rising' ? problem : null))
            }
            refused={refusedTiers}
            onChange={(next) => {
              setTiers(next);
              setRefusedTiers(null);
            }}
          />
          <div className={classes.grid}>
            <DayField
              label={t('prices.validFrom')}
              description={t('prices.validFromHelp')}
              clearable
              {...form.field('validFrom')}
              value={form.values.validFrom}
            />
            <div>
              <span className={classes.label} aria-hidden="true">
                {t('prices.company')}
              </span>
              <CompanyPicker
                label={t('prices.company')}
                kinds={[2]}
                value={form.values.companyId || null}
                onChange={(id) => form.set({ companyId: id ?? '' })}
              />
              <p className={classes.help}>{form.errors.companyId ?? t('prices.companyHelp')}</p>
            </div>
          </div>
        </div>
        <section className={classes.preview} aria-label={t('prices.preview')}>
          <h2>{t('prices.preview')}</h2>
          <PriceTable prices={draft} before={base} />
        </section>
      </div>
      {failure && <Note tone="bad" icon="warn" title={t('prices.publishFailed')} text={failure} />}
    </VersionEditor>
  );
}
