import { Button, Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import type { ConferenceChoice } from '@/shared/lib/modals';
import { Role, roleOf } from '@/shared/routes/access';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { recentConferences } from '../api';
import { conferenceText } from '../model';

interface ConferencePickerProps {
  value: ConferenceChoice | null;
  error?: string;
  onChange: (conference: ConferenceChoice | null) => void;
}

/** A conference of the last 7 days, searched on the server while one types. */
export function ConferencePicker({ value, error, onChange }: ConferencePickerProps) {
  const t = useT();
  const language = useLanguage();
  const person = useRequiredSession();
  const company = roleOf(person) === Role.administrator ? '0' : person.user.parent;
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const text = (choice: ConferenceChoice) => conferenceText(choice, shortDateTime(choice.createdAt, language));
  // The chosen one's own words are no search.
  const query = useQuery(recentConferences(company, value && search === text(value) ? '' : search));
  const found = query.data ?? [];
  const offered = value && !found.some(({ _id }) => _id === value._id) ? [value, ...found] : found;
  if (query.error && !query.data) {
    const retry = (
      <Button variant="default" size="xs" loading={query.isFetching} onClick={() => void query.refetch()}>
        {t('common.retry')}
      </Button>
    );
    const title = t('incidences.conferencesFailed');
    return <Note tone="bad" icon="warn" title={title} text={errorText(t, query.error)} action={retry} />;
  }
  return (
    <Select
      label={t('incidences.conference')}
      description={t('incidences.conferenceHint')}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      placeholder={t('incidences.conferencePlaceholder')}
      nothingFoundMessage={query.isFetching ? t('incidences.searching') : t('incidences.conferencesNone')}
      rightSection={query.isFetching ? <Loader size={14} /> : <Icon name="down" size={14} />}
      searchable
      // Focused because it is missing, it would cover what else is.
      openOnFocus={false}
      clearable={false}
      // The server has searched already.
      filter={({ options }) => options}
      data={offered.map((choice) => ({ value: choice._id, label: text(choice) }))}
      value={value?._id ?? null}
      onSearchChange={setTyped}
      onChange={(id) => onChange(offered.find(({ _id }) => _id === id) ?? null)}
      error={error}
    />
  );
}
