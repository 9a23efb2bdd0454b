import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CompanyPicker } from '@/shared/company/CompanyPicker';
import { DayField } from '@/shared/forms/DayField';
import { useVersionForm } from '@/shared/forms/use-version-form';
import { codeText, type T, useT } from '@/shared/i18n';
import { PRICE_FIELDS, type Price, type PriceTable as Prices, samePrices } from '@/shared/lib/prices';
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
    required: t('prices.wrongAmount'),
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
  const wrongTiers = tierProblems(tiers);
  const { form, dirty, failure, publishing, submit, leave } = useVersionForm<PriceForm, FieldProblem, Price>({
    initialValues: formOf(base),
    problems: problemsOf,
    problemText: (problem) => problemText(t, problem),
    publish: (values) => publishPrice(toPrice(values, tiers)),
    onPublished: (price) => {
      void queries.invalidateQueries({ queryKey: [PRICES] });
      toast.ok({ title: t('prices.published') });
      onPublished(price);
    },
    onClose,
    question: ({ companyId }) => ({
      title: t('prices.publishTitle'),
      text: companyId ? t('prices.publishTextOne') : t('prices.publishText'),
      confirm: t('prices.publish'),
    }),
    changed: (values) => base !== null && !samePrices(base, draftOf(values, tiers)),
    complete: () => {
      setChecked(true);
      setRefusedTiers(null);
      return !wrongTiers.some(Boolean);
    },
    place: (homeless) => {
      const wrong = homeless.find(({ field }) => field.startsWith('discounts'));
      setRefusedTiers(wrong ? (codeText(t, wrong.code) ?? wrong.message) : null);
      return homeless.filter((one) => one !== wrong);
    },
  });
  const draft = draftOf(form.values, tiers);
  return (
    <VersionEditor
      formRef={form.ref}
      title={t('prices.newTitle')}
      lead={t('prices.newLead')}
      publish={t('prices.publish')}
      publishing={publishing}
      // The very first table may be published as it stands.
      disabled={!dirty && base !== null}
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
                error={form.errors.companyId}
                onChange={(id) => form.set({ companyId: id ?? '' })}
              />
              <p className={classes.help}>{t('prices.companyHelp')}</p>
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
