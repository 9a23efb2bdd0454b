import { Button, Select, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askProof } from '@/api/proof';
import { errorText, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Segmented } from '@/shared/ui/Segmented';
import { StateView } from '@/shared/ui/StateView';
import { listOutbox } from '../api';
import { CHANNELS, STATES } from '../model';
import classes from './Outbox.module.css';
import { OutboxRow } from './OutboxRow';

interface OutboxListProps {
  /** Only messages in this state; chosen by the page when it leads here. */
  state: string | null;
  onState: (state: string | null) => void;
}

/** The messages of the platform, with their links: without a provider this is where they end. */
export function OutboxList({ state, onState }: OutboxListProps) {
  const t = useT();
  const [channel, setChannel] = useState('all');
  const [to, setTo] = useState('');
  const [wanted] = useDebouncedValue(to.trim(), 300);
  const filtered = channel !== 'all' || state !== null || wanted !== '';
  const { data, error, isPending, refetch } = useQuery({
    ...listOutbox({ channel: channel === 'all' ? null : channel, state, to: wanted }),
    placeholderData: (before) => before,
  });

  const show = async () => {
    if (await askProof()) await refetch();
  };

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
      onState(null);
    };
    return (
      <StateView icon="filter" title={t('outbox.noMatch')} action={{ label: t('outbox.clearFilter'), run: clear }} />
    );
  };

  return (
    <>
      <div className={classes.tools}>
        <Segmented
          label={t('outbox.channel')}
          value={channel}
          onChange={setChannel}
          options={[
            { value: 'all', label: t('outbox.all') },
            ...CHANNELS.map((value) => ({ value, label: t(`outbox.${value}`) })),
          ]}
        />
        <Select
          className={classes.state}
          aria-label={t('outbox.state')}
          placeholder={t('outbox.anyState')}
          clearable
          clearButtonProps={{ 'aria-label': t('common.clear') }}
          data={STATES.map((value) => ({ value, label: t(`outbox.st_${value}`) }))}
          value={state}
          onChange={onState}
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
      {data?.some((message) => message.masked) && (
        <Note
          icon="lock"
          title={t('outbox.hidden')}
          text={t('outbox.hiddenText')}
          action={
            <Button variant="default" size="xs" onClick={() => void show()}>
              {t('outbox.show')}
            </Button>
          }
        />
      )}
      <div className={classes.panel}>{body()}</div>
    </>
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
