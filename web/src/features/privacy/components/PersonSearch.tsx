import { Button, Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import type { Conference, Erasure } from '@/api/types';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { StateView } from '@/shared/ui/StateView';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { eraseConference, erasePerson, exportPerson, personConferences } from '../api';
import { readPerson } from '../model';
import { EraseModal, type ToErase } from './EraseModal';
import classes from './privacy.module.css';

/** Finds a person's conferences, hands the data over, erases them. What was searched is in nobody's address bar. */
export function PersonSearch({ company }: { company: string }) {
  const t = useT();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [person, setPerson] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);
  const [erasing, setErasing] = useState<ToErase | null>(null);
  const queries = useQueryClient();
  const found = useQuery({ ...personConferences(company, person ?? ''), enabled: person !== null });

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const read = readPerson(typed);
    setWrong(read === null);
    if (read === null) return field.current?.focus();
    if (read === person) void found.refetch();
    else setPerson(read);
  };
  const onErased = (erasures: Erasure[]) => {
    setErasing(null);
    toast.ok({ title: t('privacy.erasedDone', { count: erasures.length }), text: t('privacy.erasedDoneText') });
    for (const name of ['find_person', 'list_erasures', 'list_privacy-requests', 'list_conferences']) {
      void queries.invalidateQueries({ queryKey: [name] });
    }
  };
  return (
    <>
      <form className={classes.search} onSubmit={onSubmit} noValidate>
        <TextInput
          ref={field}
          className={classes.searchField}
          label={t('privacy.personLabel')}
          description={t('privacy.personHelp')}
          inputMode="email"
          autoComplete="off"
          maxLength={350}
          value={typed}
          error={wrong && t('privacy.personWrong')}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setWrong(false);
          }}
        />
        <Button type="submit" loading={found.isFetching} leftSection={<Icon name="search" size={16} />}>
          {t('common.search')}
        </Button>
      </form>
      {person !== null && (
        <div className={classes.panel}>
          {found.error ? (
            <StateView icon="warn" tone="bad" title={t('privacy.searchFailed')} text={errorText(t, found.error)} />
          ) : !found.data ? (
            <Skeleton h={160} />
          ) : found.data.total === 0 ? (
            <StateView icon="search" title={t('privacy.nobody')} text={t('privacy.nobodyText')} />
          ) : (
            <Found
              person={person}
              company={company}
              rows={found.data.conferences}
              total={found.data.total}
              onErase={setErasing}
            />
          )}
        </div>
      )}
      <EraseModal what={erasing} onClose={() => setErasing(null)} onErased={onErased} />
    </>
  );
}

interface FoundProps {
  person: string;
  company: string;
  rows: Conference[];
  total: number;
  onErase: (what: ToErase) => void;
}

function Found({ person, company, rows, total, onErase }: FoundProps) {
  const t = useT();
  const language = useLanguage();
  const queries = useQueryClient();
  const handing = useMutation({
    mutationFn: () => exportPerson(company, person),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['list_privacy-requests'] }),
    onError: (error) => toast.error({ title: t('privacy.exportFailed'), text: errorText(t, error) }),
  });
  const one = (row: Conference): ToErase => ({
    name: row.expedientNumber,
    conferences: 1,
    run: async (reason) => [await eraseConference(row._id, reason)],
  });
  const all: ToErase = {
    name: person,
    conferences: total,
    run: async (reason) => (await erasePerson(company, person, reason)).erasures,
  };
  return (
    <>
      <div className={classes.foundHead}>
        <h2>{t('privacy.found', { count: total })}</h2>
        <span className={classes.grow} />
        <Button
          variant="default"
          loading={handing.isPending}
          leftSection={<Icon name="dl" size={16} />}
          onClick={() => handing.mutate()}
        >
          {t('privacy.export')}
        </Button>
        <Button variant="default" leftSection={<Icon name="trash" size={16} />} onClick={() => onErase(all)}>
          {t('privacy.eraseAll')}
        </Button>
      </div>
      <ul className={classes.rows}>
        {rows.map((row) => (
          <li key={row._id} className={classes.row}>
            <Link to={paths.conferenceMedia(row._id)} className={classes.case}>
              <b className="num">{row.expedientNumber}</b>
              <span>{[row.contactPerson, row.carId].filter(Boolean).join(' · ') || '–'}</span>
            </Link>
            <span className={`${classes.when} num`}>{shortDateTime(row.createdAt, language)}</span>
            {row.mediaExpired && <Tag icon="clock">{t('conferences.filesExpired')}</Tag>}
            <IconAction
              icon="trash"
              size={28}
              label={t('privacy.eraseOne', { name: row.expedientNumber })}
              onClick={() => onErase(one(row))}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
