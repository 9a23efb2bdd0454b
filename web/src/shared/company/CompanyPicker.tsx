import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '@/api/client';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { type Company, KINDS, type Kind } from './kinds';

/** Companies offered per kind; who looks for another one types more of its name. */
const OFFERED = 20;

async function find(kinds: Kind[], search: string, signal: AbortSignal): Promise<Company[]> {
  const query = new URLSearchParams({ limit: String(OFFERED), sort: 'company', ...(search && { search }) });
  const pages = kinds.map(async (kind) => {
    const noun = KINDS[kind].list;
    return (await api.get<Record<string, Company[]>>(`/api/v1/${noun}?${query}`, { signal }))[noun] ?? [];
  });
  return (await Promise.all(pages)).flat();
}

interface CompanyPickerProps {
  label: string;
  /** Kinds of companies to choose from. */
  kinds: Kind[];
  value: string | null;
  onChange: (id: string | null) => void;
  /** Name of the chosen one, while it is not among those offered. */
  chosenName?: string;
  className?: string;
  error?: string;
}

/** A company, searched on the server while one types. For administrators. */
export function CompanyPicker({ label, kinds, value, onChange, chosenName, className, error }: CompanyPickerProps) {
  const t = useT();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const { data = [], isFetching } = useQuery({
    queryKey: ['find_companies', kinds, search],
    queryFn: ({ signal }) => find(kinds, search, signal),
    placeholderData: keepPreviousData,
  });
  const options = data.map((company) => ({ value: company._id, label: company.company }));
  if (value && !options.some((option) => option.value === value)) {
    options.unshift({ value, label: chosenName ?? '…' });
  }
  return (
    <Select
      className={className}
      error={error}
      aria-label={label}
      placeholder={label}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      leftSection={isFetching ? <Loader size={14} /> : <Icon name="bld" size={16} />}
      data={options}
      // The server has searched, without accents; what it found is shown.
      filter={({ options: found }) => found}
      nothingFoundMessage={t('common.noResults')}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
    />
  );
}
