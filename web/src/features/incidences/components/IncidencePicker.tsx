import { Button, Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { StateView } from '@/shared/ui/StateView';
import { getIncidence, listIncidences } from '../api';
import { reasonText, statusText } from '../model';
import type { Incidence } from '../types';

interface IncidencePickerProps {
  /** Id, or an empty text. */
  value: string;
  error?: string;
  onChange: (id: string) => void;
  /** There is none to answer: one writes a new one. */
  onNew: () => void;
}

/** Which of one's incidences is answered, the latest change first. */
export function IncidencePicker({ value, error, onChange, onNew }: IncidencePickerProps) {
  const t = useT();
  const { user } = useRequiredSession();
  const [typed, setTyped] = useState('');
  const text = (one: Pick<Incidence, 'number' | 'reason' | 'status' | 'expedientNumber'>) =>
    [one.number, one.expedientNumber, reasonText(t, one.reason), statusText(t, one.status)].filter(Boolean).join(' · ');
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, 250);
  const query = useQuery(listIncidences(user._id, { search: asked, filters: {}, page: 1 }));
  const given = useQuery({ ...getIncidence(value), enabled: value !== '' });
  const found = query.data?.rows ?? [];
  const offered = given.data && !found.some(({ _id }) => _id === given.data._id) ? [given.data, ...found] : found;
  if (query.error && !query.data) {
    const retry = (
      <Button variant="default" size="xs" loading={query.isFetching} onClick={() => void query.refetch()}>
        {t('common.retry')}
      </Button>
    );
    const title = t('incidences.searchFailed');
    return <Note tone="bad" icon="warn" title={title} text={errorText(t, query.error)} action={retry} />;
  }
  if (query.data && offered.length === 0 && asked === '') {
    const action = { label: t('incidences.new'), icon: 'plus' as const, run: onNew };
    return <StateView icon="chat" title={t('incidences.none')} text={t('incidences.noneText')} action={action} />;
  }
  return (
    <Select
      label={t('incidences.which')}
      placeholder={t('incidences.whichPlaceholder')}
      nothingFoundMessage={query.isFetching ? t('incidences.searching') : t('common.noMatch')}
      rightSection={query.isFetching ? <Loader size={14} /> : <Icon name="down" size={14} />}
      searchable
      // Focused because it is missing, it would cover what else is.
      openOnFocus={false}
      filter={({ options }) => options}
      data={offered.map((one) => ({ value: one._id, label: text(one) }))}
      value={value || null}
      searchValue={typed}
      onSearchChange={(words) => {
        setTyped(words);
        // The chosen one's own words are no search.
        setSearch(offered.some((one) => text(one) === words) ? '' : words.trim());
      }}
      onChange={(id) => onChange(id ?? '')}
      error={error}
    />
  );
}
