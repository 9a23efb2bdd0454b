import { Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { isMasked, missingFigures } from '@/shared/checks/iban';
import { provinceNames, provinceOf } from '@/shared/checks/province';
import { checkTaxId, paddedTaxId, tidyTaxId } from '@/shared/checks/tax-id';
import { PhoneField } from '@/shared/forms/PhoneField';
import type { CheckedForm } from '@/shared/forms/use-checked-form';
import { type T, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import classes from './CompanyFields.module.css';
import type { CompanyValues } from './company-form';

interface CompanyFieldsProps {
  state: CheckedForm<CompanyValues>;
  /** The e-mail is the invitation's: shown, not changed. */
  emailReadOnly?: boolean;
  /** The mobile is the invitation's. */
  mobileReadOnly?: boolean;
  /** Without it the IBAN is not asked for (hidden while a company is being created). */
  iban?: boolean;
  disabled?: boolean;
}

/** The fields of a company, in the Spanish order. */
export function CompanyFields(props: CompanyFieldsProps) {
  const { state, emailReadOnly = false, mobileReadOnly = false, iban = true, disabled = false } = props;
  const t = useT();
  const { values, set } = state;
  const text = (name: keyof CompanyValues & string) => ({ ...state.field(name), disabled });
  const onPostalCode = (postalCode: string) => {
    // The province follows the postal code until somebody chooses another one.
    const before = provinceOf(values.postalCode);
    const follows = !values.region || values.region === before;
    const province = provinceOf(postalCode);
    set({ postalCode, ...(follows && province ? { region: province } : {}) });
    if (follows && province) state.form.clearFieldError('region');
  };
  return (
    <div className={classes.grid}>
      <TextInput label={t('companies.name')} autoComplete="name" {...text('name')} />
      <TextInput
        label={<Optional label={t('companies.company')} />}
        description={t('companies.companyHelp')}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autoComplete="organization"
        {...text('company')}
      />
      <TextInput
        label={t('companies.cif')}
        classNames={{ input: 'num' }}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        description={taxIdHint(t, values.cif)}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        {...text('cif')}
      />
      <TextInput
        label={t('companies.email')}
        type="email"
        autoComplete="email"
        maxLength={350}
        readOnly={emailReadOnly}
        leftSection={emailReadOnly ? <Icon name="lock" size={16} /> : undefined}
        description={emailReadOnly ? t('companies.emailFixed') : undefined}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        {...text('email')}
      />
      <TextInput
        className={classes.full}
        label={t('companies.address')}
        autoComplete="street-address"
        {...text('address')}
      />
      <div className={classes.place}>
        <TextInput
          label={t('companies.postalCode')}
          classNames={{ input: 'num' }}
          autoComplete="postal-code"
          inputMode="numeric"
          maxLength={10}
          {...text('postalCode')}
          onChange={(event) => onPostalCode(event.currentTarget.value)}
        />
        <TextInput label={t('companies.city')} autoComplete="address-level2" {...text('city')} />
        <Region state={state} disabled={disabled} />
      </div>
      <Phones state={state} disabled={disabled} mobileReadOnly={mobileReadOnly} />
      {iban && (
        <TextInput
          className={classes.full}
          label={<Optional label={t('companies.iban')} />}
          classNames={{ input: 'num' }}
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          description={ibanHint(t, values.bankAccount)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...text('bankAccount')}
        />
      )}
    </div>
  );
}

function Optional({ label }: { label: ReactNode }) {
  const t = useT();
  return (
    <>
      {label} <span className={classes.optional}>{t('common.optional')}</span>
    </>
  );
}

/** Not wrong, but worth a second look. */
function taxIdHint(t: T, cif: string): string | undefined {
  const padded = paddedTaxId(cif);
  if (padded) return t('companies.fiscalPadded', { value: padded });
  return checkTaxId(tidyTaxId(cif)).unusualControl ? t('companies.fiscalControl') : undefined;
}

function ibanHint(t: T, iban: string): string | undefined {
  const missing = isMasked(iban) ? 0 : missingFigures(iban);
  return missing > 0 ? t('companies.ibanMissing', { count: missing }) : undefined;
}

function Region({ state, disabled }: { state: CheckedForm<CompanyValues>; disabled: boolean }) {
  const t = useT();
  const { region, postalCode } = state.values;
  // A stored name that is none of the official ones stays choosable.
  const names = region && !provinceNames.includes(region) ? [region, ...provinceNames] : provinceNames;
  const province = provinceOf(postalCode);
  const mismatch = province && provinceNames.includes(region) && province !== region;
  const { onChange, ...field } = state.field('region');
  return (
    <Select
      className={classes.region}
      label={t('companies.region')}
      data={names}
      searchable
      selectFirstOptionOnChange
      nothingFoundMessage={t('companies.regionNone')}
      autoComplete="off"
      rightSection={<Icon name="down" size={16} />}
      rightSectionPointerEvents="none"
      description={mismatch ? t('companies.regionMismatch', { postalCode: postalCode.trim(), province }) : undefined}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      disabled={disabled}
      {...field}
      value={region || null}
      onChange={(value) => onChange(value ?? '')}
    />
  );
}

interface PhonesProps {
  state: CheckedForm<CompanyValues>;
  disabled: boolean;
  mobileReadOnly: boolean;
}

function Phones({ state, disabled, mobileReadOnly }: PhonesProps) {
  const t = useT();
  const one = (name: 'mobile' | 'phone') => {
    const { error, onBlur } = state.field(name);
    const country = `${name}Country` as const;
    return {
      name,
      disabled,
      country: state.values[country],
      onCountry: (code: string) => {
        state.set({ [country]: code });
        state.form.clearFieldError(name);
      },
      phone: state.values[name],
      onPhone: (value: string) => state.form.setFieldValue(name, value),
      onBlur,
      error,
    };
  };
  return (
    <>
      <PhoneField
        label={t('companies.mobile')}
        readOnly={mobileReadOnly}
        description={mobileReadOnly ? t('companies.mobileFixed') : undefined}
        {...one('mobile')}
      />
      <PhoneField label={<Optional label={t('companies.phone')} />} {...one('phone')} />
    </>
  );
}
