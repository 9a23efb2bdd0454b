import { Select, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { limits } from '@/api/generated/limits';
import { provinceNames, provinceOf } from '@/shared/checks/province';
import { DayField } from '@/shared/forms/DayField';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { codeText, errorText, useLanguage, useT } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import { countries, SPAIN } from '../countries';
import { changedFields, type FiscalValues, fiscalProblems, isAnotherTaxpayer, regimeOf, taxIdLabel } from '../model';
import { type FiscalIdentity, REGIMES } from '../types';
import { useFiscalChange } from '../use-fiscal-change';
import { DocumentField } from './DocumentField';
import classes from './fiscal.module.css';

interface FiscalFormProps {
  identity: FiscalIdentity;
  /** Changes at once, with a reason; others ask with a document. */
  admin: boolean;
  onClose: () => void;
}

/** The form of a change: what invoices are to say, from which day, and why or by which document. */
export function FiscalForm({ identity, admin, onClose }: FiscalFormProps) {
  const t = useT();
  const language = useLanguage();
  const { block, regime } = identity;
  const [file, setFile] = useState<File | null>(null);
  const [fileError, setFileError] = useState<string>();
  const today = madridDay(new Date().toISOString());
  const checked = useCheckedForm<FiscalValues>({
    initialValues: { ...block, regime, since: today, words: '' },
    problems: (values) =>
      Object.fromEntries(
        Object.entries(fiscalProblems(values, admin)).map(([field, code]) => [field, codeText(t, code) ?? code]),
      ),
    rename: { reason: 'words', note: 'words' },
  });
  const { form, values } = checked;
  const saving = useFiscalChange(identity.customerId, admin);
  const changed = changedFields(block, values);
  const moved = values.country !== block.country;
  const abroad = values.country !== SPAIN;
  const unchanged = Object.keys(changed).length === 0 && !moved && values.regime === regime;

  const onPostalCode = (postalCode: string) => {
    // The province follows the postal code until somebody chooses another one.
    const follows = !values.region || values.region === provinceOf(values.postalCode);
    const province = provinceOf(postalCode);
    checked.set({
      postalCode,
      regime: regimeAt(postalCode, values.country),
      ...(!abroad && follows && province ? { region: province } : {}),
    });
  };
  const regimeAt = (postalCode: string, country: string) => {
    if (postalCode === block.postalCode && country === block.country) return regime;
    const follows = values.regime === regime || values.regime === regimeOf(values.postalCode, values.country);
    return follows ? regimeOf(postalCode, country) : values.regime;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const right = checked.check();
    setFileError(!admin && !file ? t('fiscal.fileRequired') : undefined);
    if (!right || (!admin && !file)) return checked.focusFirstError();
    saving.mutate(
      {
        fields: changed,
        ...(admin && moved && { country: values.country }),
        since: values.since,
        words: values.words.trim(),
        regime: values.regime,
        file,
      },
      {
        onSuccess: onClose,
        onError: (error) => {
          const homeless = checked.refuse(error);
          const ofFile = homeless.find((wrong) => wrong.field === 'file');
          setFileError(ofFile && (ofFile.message || (codeText(t, ofFile.code) ?? undefined)));
          checked.focusFirstError();
        },
      },
    );
  };
  const text = (name: keyof FiscalValues & string) => ({ required: false, ...checked.field(name) });
  return (
    <form ref={checked.ref} className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.two}>
        <TextInput label={t('companies.company')} autoComplete="organization" {...text('company')} />
        <TextInput
          label={taxIdLabel(t, values.country)}
          classNames={{ input: 'num' }}
          autoComplete="off"
          spellCheck={false}
          {...text('cif')}
        />
      </div>
      {admin && (
        <Select
          label={t('fiscal.country')}
          description={t('fiscal.countryHelp')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          searchable
          allowDeselect={false}
          data={countries(language)}
          {...text('country')}
          onChange={(country) => country && checked.set({ country, regime: regimeAt(values.postalCode, country) })}
        />
      )}
      <TextInput label={t('companies.address')} autoComplete="street-address" {...text('address')} />
      <div className={classes.two}>
        <TextInput
          label={t('companies.postalCode')}
          classNames={{ input: 'num' }}
          inputMode={abroad ? 'text' : 'numeric'}
          maxLength={abroad ? 12 : 5}
          autoComplete="postal-code"
          {...text('postalCode')}
          onChange={(event) => onPostalCode(event.currentTarget.value)}
        />
        <TextInput label={t('companies.city')} autoComplete="address-level2" {...text('city')} />
      </div>
      <div className={classes.two}>
        {abroad ? (
          <TextInput label={t('companies.region')} autoComplete="address-level1" {...text('region')} />
        ) : (
          <Select
            label={t('companies.region')}
            data={[...new Set([...provinceNames, values.region].filter(Boolean))]}
            searchable
            allowDeselect={false}
            {...text('region')}
          />
        )}
        {admin && (
          <Select
            label={t('fiscal.regime')}
            description={t('fiscal.regimeHelp')}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            allowDeselect={false}
            data={REGIMES.map((value) => ({ value, label: t(`fiscal.regime_${value}`) }))}
            {...text('regime')}
          />
        )}
      </div>
      {isAnotherTaxpayer(block, values) && <Note tone="warn" icon="warn" text={t('fiscal.taxIdWarning')} />}
      <DayField
        label={t('fiscal.since')}
        description={t('fiscal.sinceHelp')}
        max={today}
        {...checked.field('since')}
        value={values.since}
        onChange={(since) => form.setFieldValue('since', since)}
      />
      <Textarea
        label={admin ? t('fiscal.reason') : `${t('fiscal.note')} (${t('common.optional')})`}
        autosize
        minRows={2}
        maxLength={limits.fiscalReasonMax}
        {...text('words')}
      />
      {!admin && (
        <DocumentField
          file={file}
          error={fileError}
          onChange={(chosen) => {
            setFile(chosen);
            setFileError(undefined);
          }}
        />
      )}
      {saving.error && !checked.covers(saving.error) && !fileError && (
        <Note tone="bad" icon="warn" title={t('fiscal.failed')} text={errorText(t, saving.error)} />
      )}
      <DialogButtons
        onCancel={onClose}
        go={admin ? t('fiscal.apply') : t('fiscal.send')}
        icon={admin ? 'check' : 'send'}
        busy={saving.isPending}
        disabled={unchanged}
      />
    </form>
  );
}
