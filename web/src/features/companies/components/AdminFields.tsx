import { MultiSelect, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listInsurers } from '@/shared/company/insurers';
import { DayField } from '@/shared/forms/DayField';
import type { CheckedForm } from '@/shared/forms/use-checked-form';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { statusOptions } from '@/shared/ui/StatusTag';
import type { ExtraValues } from '../edit-form';
import classes from './CompanyPage.module.css';

const ORDER = ['label', 'input', 'error', 'description'] as ('label' | 'input' | 'error' | 'description')[];

/** Status with all six, start of the billing, retention: the administrator's. */
export function AdminFields({ extra }: { extra: CheckedForm<ExtraValues> }) {
  const t = useT();
  return (
    <div className={classes.three}>
      <Select
        label={t('companies.status')}
        data={statusOptions(t)}
        allowDeselect={false}
        rightSection={<Icon name="down" size={16} />}
        rightSectionPointerEvents="none"
        {...extra.field('status')}
        onChange={(status) => status && extra.set({ status })}
      />
      <DayField
        label={t('companies.payStart')}
        description={t('companies.payStartHelp')}
        {...extra.field('payStart')}
      />
      <TextInput
        label={t('companies.retention')}
        classNames={{ input: 'num' }}
        inputMode="numeric"
        maxLength={4}
        autoComplete="off"
        placeholder="31"
        description={t('companies.retentionHelp')}
        inputWrapperOrder={ORDER}
        {...extra.field('retentionDays')}
      />
    </div>
  );
}

interface InsurersFieldProps {
  value: string[];
  /** Without it they are only shown. */
  onChange?: (ids: string[]) => void;
  error?: string;
}

/** The insurance companies a customer works for. */
export function InsurersField({ value, onChange, error }: InsurersFieldProps) {
  const t = useT();
  const { data = [] } = useQuery(listInsurers(onChange !== undefined));
  if (!onChange) {
    const names = data.filter((insurer) => value.includes(insurer._id)).map((insurer) => insurer.name);
    return <p className={classes.quiet}>{names.join(' · ') || t('companies.noInsurers')}</p>;
  }
  const offered = data.filter((insurer) => insurer.active !== false || value.includes(insurer._id));
  return (
    <MultiSelect
      label={t('companies.insurers')}
      data={offered.map((insurer) => ({ value: insurer._id, label: insurer.name }))}
      searchable
      hidePickedOptions
      maxDropdownHeight={220}
      nothingFoundMessage={t('common.noResults')}
      description={t('companies.insurersHelp')}
      inputWrapperOrder={ORDER}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}

/** What an invoice and a direct debit need to say about their issuer. */
export function PlatformFields({ extra }: { extra: CheckedForm<ExtraValues> }) {
  const t = useT();
  return (
    <div className={classes.two}>
      <TextInput
        label={t('companies.bic')}
        classNames={{ input: 'num' }}
        autoComplete="off"
        spellCheck={false}
        maxLength={14}
        {...extra.field('bic')}
      />
      <TextInput
        label={t('companies.creditorSuffix')}
        classNames={{ input: 'num' }}
        autoComplete="off"
        spellCheck={false}
        maxLength={3}
        description={t('companies.creditorSuffixHelp')}
        inputWrapperOrder={ORDER}
        {...extra.field('creditorSuffix')}
      />
      <Textarea
        className={classes.full}
        label={t('companies.registryData')}
        description={t('companies.registryDataHelp')}
        inputWrapperOrder={ORDER}
        rows={3}
        maxLength={500}
        {...extra.field('registryData')}
      />
    </div>
  );
}
