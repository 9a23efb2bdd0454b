import { Skeleton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { Icon } from '@/shared/ui/Icon';
import { Segmented } from '@/shared/ui/Segmented';
import { StateView } from '@/shared/ui/StateView';
import { listOutbox } from '../api';
import { OutboxRow } from '../components/OutboxRow';
import classes from './OutboxPage.module.css';

/** The messages of the platform, with their links: without a provider this is where they end. */
export function OutboxPage() {
  const t = useT();
  const [channel, setChannel] = useState('all');
  const [to, setTo] = useState('');
  const [wanted] = useDebouncedValue(to.trim(), 300);
  const filtered = channel !== 'all' || wanted !== '';
  const { data, error, isPending, refetch } = useQuery({
    ...listOutbox({ channel: channel === 'all' ? null : channel, to: wanted }),
    placeholderData: (before) => before,
  });
  usePage({ title: t('outbox.title') });

  const body = () => {
    if (error && !data) {
      const text = errorText(t, error);
      const retry = { label: t('common.retry'), icon: 'refresh' as const, run: () => void refetch() };
      return <StateView icon="warn" tone="bad" title={t('outbox.loadError')} text={text} action={retry} />;
    }
    if (isPending) return <Waiting />;
    if (data && data.length > 0) {
      return (
        <ul className={classes.list}>
          {data.map((message) => (
            <OutboxRow key={message._id} message={message} />
          ))}
        </ul>
      );
    }
    if (!filtered) return <StateView icon="mail" title={t('outbox.empty')} text={t('outbox.emptyText')} />;
    const clear = () => {
      setChannel('all');
      setTo('');
    };
    return (
      <StateView icon="filter" title={t('outbox.noMatch')} action={{ label: t('outbox.clearFilter'), run: clear }} />
    );
  };

  return (
    <section className={classes.root}>
      <div>
        <h1>{t('outbox.title')}</h1>
        <p className={classes.subtitle}>{t('outbox.subtitle')}</p>
      </div>
      <div className={classes.tools}>
        <Segmented
          label={t('outbox.channel')}
          value={channel}
          onChange={setChannel}
          options={[
            { value: 'all', label: t('outbox.all') },
            { value: 'sms', label: t('outbox.sms') },
            { value: 'email', label: t('outbox.email') },
          ]}
        />
        <TextInput
          className={classes.search}
          aria-label={t('outbox.search')}
          placeholder={t('outbox.search')}
          leftSection={<Icon name="search" size={16} />}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <output className={classes.live}>{error ? t('shell.networkLost') : t('outbox.live')}</output>
      </div>
      <div className={classes.panel}>{body()}</div>
    </section>
  );
}

function Waiting() {
  return (
    <div className={classes.waiting} aria-hidden="true">
      {['70%', '55%', '62%', '48%'].map((width) => (
        <Skeleton key={width} h={12} w={width} />
      ))}
    </div>
  );
}
