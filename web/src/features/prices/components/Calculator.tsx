import { Button, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DayField } from '@/shared/forms/DayField';
import { MonthField } from '@/shared/forms/MonthField';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, type T, useLanguage, useT } from '@/shared/i18n';
import { madridDay, shortDate } from '@/shared/lib/dates';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Segmented } from '@/shared/ui/Segmented';
import { StateView } from '@/shared/ui/StateView';
import { type PriceVersion, simulate } from '../api';
import { EXAMPLES } from '../examples';
import { exampleOf, SESSIONS_MAX, type Usage, type UsageProblem, usageProblems } from '../simulation';
import { FileCalculator } from './FileCalculator';
import classes from './prices.module.css';
import { SimulationResult } from './SimulationResult';

/** Tries a version of the prices on a month, with the very calculation that invoices are made with. */
export function Calculator({ versions }: { versions: PriceVersion[] }) {
  const t = useT();
  const [mode, setMode] = useState<'month' | 'file'>(versions.length > 0 ? 'month' : 'file');
  return (
    <>
      <div>
        <Segmented
          label={t('prices.calculator')}
          value={mode}
          onChange={setMode}
          options={[
            { value: 'month', label: t('prices.modeMonth') },
            { value: 'file', label: t('prices.modeFile') },
          ]}
        />
      </div>
      {mode === 'file' ? (
        <FileCalculator />
      ) : versions.length > 0 ? (
        <MonthCalculator versions={versions} />
      ) : (
        <StateView icon="euro" title={t('prices.empty')} text={t('prices.emptyText')} />
      )}
    </>
  );
}

const problemText = (t: T, problem: UsageProblem) =>
  ({
    whole: t('prices.wrongWhole'),
    month: t('prices.wrongMonth'),
    many: t('prices.wrongMany', { max: SESSIONS_MAX }),
    cases: t('prices.wrongCases'),
    postal: t('prices.wrongPostal'),
  })[problem];

function MonthCalculator({ versions }: { versions: PriceVersion[] }) {
  const t = useT();
  const language = useLanguage();
  const [id, setId] = useState(
    (versions.find(({ inForce, companyId }) => inForce && !companyId) ?? versions[0])?._id ?? '',
  );
  const version = versions.find(({ _id }) => _id === id);
  const form = useCheckedForm<Usage>({
    initialValues: {
      month: madridDay(new Date().toISOString()).slice(0, 7),
      cases: '40',
      further: '12',
      minutes: '14',
      guests: '3',
      postalCode: '28001',
      payStart: '',
    },
    problems: (values) =>
      Object.fromEntries(
        Object.entries(usageProblems(values)).map(([field, problem]) => [field, problem && problemText(t, problem)]),
      ),
  });
  const calculating = useMutation({
    mutationFn: (usage: Usage) => simulate(exampleOf(usage, id, version as PriceVersion)),
  });
  const calculate = (usage: Usage) => version && calculating.mutate(usage);
  const use = (part: Partial<Usage>) => {
    const usage: Usage = { ...form.values, ...part };
    // From the middle of the month on.
    if (usage.payStart === 'middle') usage.payStart = `${usage.month}-16`;
    form.set(usage);
    form.form.clearErrors();
    calculate(usage);
  };
  return (
    <div className={classes.editor}>
      <form
        ref={form.ref}
        className={classes.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (form.check()) calculate(form.values);
          else form.focusFirstError();
        }}
      >
        <div className={classes.examples}>
          <span className={classes.help}>{t('prices.examples')}</span>
          {EXAMPLES.map(({ name, usage }) => (
            <Button key={name} variant="default" size="xs" onClick={() => use(usage)}>
              {t(`prices.${name}`)}
            </Button>
          ))}
        </div>
        <Select
          label={t('prices.version')}
          data={versions.map((one) => ({
            value: one._id,
            label: [
              t('prices.since', { date: shortDate(one.validFrom, language) }),
              one.companyId ? (one.company ?? '–') : t('prices.forAll'),
            ].join(' · '),
          }))}
          allowDeselect={false}
          rightSection={<Icon name="down" size={16} />}
          rightSectionPointerEvents="none"
          value={id}
          onChange={(next) => next && setId(next)}
        />
        <div className={classes.grid}>
          {(['cases', 'further', 'minutes', 'guests'] as const).map((field) => (
            <TextInput
              key={field}
              label={t(`prices.usage_${field}`)}
              classNames={{ input: 'num' }}
              inputMode="numeric"
              maxLength={6}
              autoComplete="off"
              {...form.field(field)}
            />
          ))}
          <MonthField label={t('prices.usage_month')} {...form.field('month')} value={form.values.month} />
          <TextInput
            label={t('prices.usage_postalCode')}
            classNames={{ input: 'num' }}
            inputMode="numeric"
            maxLength={5}
            autoComplete="off"
            description={t('prices.usage_postalCodeHelp')}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            {...form.field('postalCode')}
          />
          <DayField
            label={t('prices.usage_payStart')}
            description={t('prices.usage_payStartHelp')}
            clearable
            {...form.field('payStart')}
            value={form.values.payStart}
          />
        </div>
        <div>
          <Button type="submit" loading={calculating.isPending}>
            {t('prices.calculate')}
          </Button>
        </div>
      </form>
      <section className={classes.preview} aria-label={t('prices.result')} aria-live="polite">
        <h2>{t('prices.result')}</h2>
        {calculating.error ? (
          <Note tone="bad" icon="warn" title={t('prices.calculateFailed')} text={errorText(t, calculating.error)} />
        ) : calculating.data ? (
          calculating.data.map((one) => (
            <SimulationResult key={one.name} simulated={one} minuteLimit={version?.minuteLimit ?? null} />
          ))
        ) : (
          <p className={classes.quiet}>{t('prices.resultEmpty')}</p>
        )}
      </section>
    </div>
  );
}
