import { Button, Skeleton, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { Note } from '@/shared/ui/Note';
import { StateView } from '@/shared/ui/StateView';
import { Tag } from '@/shared/ui/Tag';
import { CodeExample } from '../components/CodeExample';
import keys from '../components/Keys.module.css';
import { listWebhooks, MAX_WEBHOOKS, type Webhook } from './api';
import { NewWebhookModal } from './NewWebhookModal';
import { WebhookDrawer } from './WebhookDrawer';
import classes from './webhooks.module.css';
import { eventText, SIGNATURE_EXAMPLE, webhookLook } from './words';

/** The addresses that are told what happens to a customer's calls. Source: issue 7, decision 0026. */
export function Webhooks({ customerId }: { customerId: string | null }) {
  const t = useT();
  const { data, error, refetch } = useQuery(listWebhooks(customerId));
  const [adding, setAdding] = useState(false);
  const [openId, setOpenId] = useState<string | null>(null);
  const hooks = data?.webhooks;
  const events = data?.events ?? [];
  const full = (hooks?.length ?? 0) >= MAX_WEBHOOKS;

  const body = () => {
    if (error && !hooks) {
      return <LoadFailed title={t('apikeys.hooksFailed')} error={error} onRetry={() => void refetch()} />;
    }
    if (!hooks) return <Skeleton h={44} m={16} />;
    if (hooks.length === 0) {
      return <StateView icon="bolt" title={t('apikeys.hooksNone')} text={t('apikeys.hooksNoneText')} />;
    }
    return (
      <ul>
        {hooks.map((hook) => (
          <WebhookRow key={hook._id} hook={hook} all={events.length} onOpen={() => setOpenId(hook._id)} />
        ))}
      </ul>
    );
  };

  return (
    <section className={keys.section} aria-labelledby="webhooks">
      <div className={keys.head}>
        <h2 id="webhooks">{t('apikeys.hooks')}</h2>
        <Button leftSection={<Icon name="plus" size={16} />} disabled={!hooks || full} onClick={() => setAdding(true)}>
          {t('apikeys.hookAdd')}
        </Button>
      </div>
      <p className={keys.text}>{t('apikeys.hooksText')}</p>
      <div className={keys.panel}>{body()}</div>
      {full && <Note text={t('errors.webhook_limit')} />}
      <CodeExample
        title={t('apikeys.signature')}
        text={t('apikeys.signatureText')}
        code={SIGNATURE_EXAMPLE}
        copy={t('apikeys.copyExample')}
      />
      <NewWebhookModal opened={adding} customerId={customerId} events={events} onClose={() => setAdding(false)} />
      <WebhookDrawer
        hook={hooks?.find((hook) => hook._id === openId) ?? null}
        events={events}
        onClose={() => setOpenId(null)}
      />
    </section>
  );
}

interface WebhookRowProps {
  hook: Webhook;
  /** How many events there are. */
  all: number;
  onOpen: () => void;
}

function WebhookRow({ hook, all, onOpen }: WebhookRowProps) {
  const t = useT();
  const language = useLanguage();
  const { tone, icon, text } = webhookLook(t, hook);
  const { url, events, lastDeliveredAt } = hook;
  return (
    <li className={classes.item}>
      <UnstyledButton className={classes.row} onClick={onOpen}>
        <span className={classes.name}>
          <code>{url}</code>
          <Tag tone={tone} icon={icon}>
            {text}
          </Tag>
        </span>
        <span className={classes.facts}>
          {events.length === all ? t('apikeys.hookAll') : events.map((event) => eventText(t, event)).join(', ')}
          {' · '}
          <span className="num">
            {lastDeliveredAt
              ? t('apikeys.hookLast', { date: shortDateTime(lastDeliveredAt, language) })
              : t('apikeys.hookNever')}
          </span>
        </span>
        <Icon name="right" size={16} className={classes.chevron} />
      </UnstyledButton>
    </li>
  );
}
