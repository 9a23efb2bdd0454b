import { Button, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { IconAction } from '@/shared/ui/IconAction';
import { StateView } from '@/shared/ui/StateView';
import { Tag } from '@/shared/ui/Tag';
import { type Delivery, listDeliveries } from './api';
import classes from './webhooks.module.css';
import { answerText, deliveryLook, eventText } from './words';

interface DeliveriesProps {
  hook: string;
  busy: boolean;
  onReplay: (from: string) => void;
}

/** What was sent to an address in the last thirty days, and what it answered. */
export function Deliveries({ hook, busy, onReplay }: DeliveriesProps) {
  const t = useT();
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery({ ...listDeliveries(hook, page), placeholderData: keepPreviousData });
  const body = () => {
    if (error && !data) {
      const retry = { label: t('common.retry'), icon: 'refresh' as const, run: () => void refetch() };
      const text = errorText(t, error);
      return <StateView icon="warn" tone="bad" title={t('apikeys.deliveriesFailed')} text={text} action={retry} />;
    }
    if (!data) return <Skeleton h={64} />;
    if (data.deliveries.length === 0) return <p className={classes.quiet}>{t('apikeys.deliveriesNone')}</p>;
    return (
      <ul className={classes.deliveries}>
        {data.deliveries.map((one) => (
          <DeliveryRow key={one._id} delivery={one} busy={busy} onReplay={() => onReplay(one.createdAt)} />
        ))}
      </ul>
    );
  };
  return (
    <section className={classes.part} aria-labelledby="webhook-deliveries">
      <h3 id="webhook-deliveries">{t('apikeys.deliveries')}</h3>
      {body()}
      {data && data.pages > 1 && (
        <div className={classes.actions}>
          <Button variant="default" size="xs" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            {t('apikeys.newer')}
          </Button>
          <Button variant="default" size="xs" disabled={page >= data.pages} onClick={() => setPage(page + 1)}>
            {t('apikeys.older')}
          </Button>
        </div>
      )}
    </section>
  );
}

function DeliveryRow({ delivery, busy, onReplay }: { delivery: Delivery; busy: boolean; onReplay: () => void }) {
  const t = useT();
  const language = useLanguage();
  const { tone, icon, text } = deliveryLook(t, delivery);
  const { event, createdAt, attempts, nextAttemptAt } = delivery;
  const facts = [
    attempts > 0 && t('apikeys.attempts', { count: attempts }),
    answerText(t, delivery),
    attempts > 0 && nextAttemptAt && t('apikeys.nextTry', { date: shortDateTime(nextAttemptAt, language) }),
  ];
  return (
    <li className={classes.delivery}>
      <div className={classes.grow}>
        <div className={classes.name}>
          <b>{eventText(t, event)}</b>
          <Tag tone={tone} icon={icon}>
            {text}
          </Tag>
          <time className={`${classes.quiet} num`} dateTime={createdAt}>
            {shortDateTime(createdAt, language)}
          </time>
        </div>
        <p className={`${classes.quiet} num`}>{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <IconAction icon="refresh" size={28} label={t('apikeys.replayHere')} disabled={busy} onClick={onReplay} />
    </li>
  );
}
