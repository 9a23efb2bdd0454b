import { Drawer, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { longDateTime } from '@/shared/lib/dates';
import { Fact } from '@/shared/ui/FactList';
import { StateView } from '@/shared/ui/StateView';
import { Tag } from '@/shared/ui/Tag';
import { listPhoneChecks } from '../api';
import type { PhoneCheck } from '../types';
import classes from './drawer.module.css';

/** While a code is typed nothing is asked. Milliseconds. */
const TYPING_MS = 300;

/** What people's phones could do on `/external/check`, by the code that they read out (CLIENT-60). Administrators only. */
export function PhoneChecks({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useT();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={560}
      title={t('incidences.phoneChecks')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Results />
    </Drawer>
  );
}

function Results() {
  const t = useT();
  const [typed, setTyped] = useState('');
  const [code] = useDebouncedValue(typed, TYPING_MS);
  const { data, error, refetch } = useQuery(listPhoneChecks(code));
  const retry = { label: t('common.retry'), icon: 'refresh' as const, run: () => void refetch() };
  return (
    <div className={classes.panel}>
      <p className={classes.hint}>{t('incidences.phoneChecksText')}</p>
      <TextInput
        label={t('incidences.phoneCheckCode')}
        value={typed}
        inputMode="numeric"
        maxLength={20}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {error && !data && (
        <StateView
          icon="warn"
          tone="bad"
          title={t('incidences.phoneChecksFailed')}
          text={errorText(t, error)}
          action={retry}
        />
      )}
      {data?.length === 0 && <p className={classes.hint}>{t('incidences.phoneCheckNone')}</p>}
      {data?.map((one) => (
        <Result key={one._id} check={one} />
      ))}
    </div>
  );
}

function Result({ check: { code, browser, os, at, outcomes } }: { check: PhoneCheck }) {
  const t = useT();
  const language = useLanguage();
  return (
    <section className={classes.part}>
      <h3 className="num">{code.replace(/(\d{4})(?=\d)/, '$1 ')}</h3>
      <p className={classes.hint}>
        {browser} · {os} · <span className="num">{longDateTime(at, language)}</span>
      </p>
      <dl className={classes.rows}>
        {outcomes.map(({ check, ok, detail }) => (
          <Fact key={check} name={t(`check.${check}`)}>
            <Tag tone={ok ? 'ok' : 'bad'}>{ok ? t('common.yes') : t('common.no')}</Tag>{' '}
            <span className="num">{detail}</span>
          </Fact>
        ))}
      </dl>
    </section>
  );
}
