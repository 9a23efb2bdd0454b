import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { longDateTime, shortDateTime } from '@/shared/lib/dates';
import { DetailDrawer } from '@/shared/ui/DetailDrawer';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { changeWebhook, refreshWebhooks, removeWebhook, replayWebhook, testWebhook, type Webhook } from './api';
import { Deliveries } from './Deliveries';
import { TestOutcome } from './TestOutcome';
import { WebhookForm } from './WebhookForm';
import classes from './webhooks.module.css';
import { eventText, hostOf, webhookLook } from './words';

/** An address on the right of the page: how it does, a trial, what was sent to it, and its end. */
export function WebhookDrawer({
  hook,
  events,
  onClose,
}: {
  hook: Webhook | null;
  events: string[];
  onClose: () => void;
}) {
  return (
    <DetailDrawer of={hook} onClose={onClose} size={720} title={(one) => hostOf(one.url)}>
      {(one) => <Details key={one._id} hook={one} all={events} onClose={onClose} />}
    </DetailDrawer>
  );
}

function Details({ hook, all, onClose }: { hook: Webhook; all: string[]; onClose: () => void }) {
  const t = useT();
  const queries = useQueryClient();
  const [tested, setTested] = useState<string | null>(null);
  const [changing, setChanging] = useState(false);
  const testing = useMutation({
    mutationFn: () => testWebhook(hook._id),
    onMutate: () => setTested(null),
    onSuccess: (delivery) => {
      setTested(delivery._id);
      return refreshWebhooks(queries);
    },
    onError: (error) => toast.error({ title: t('apikeys.testFailed'), text: errorText(t, error) }),
  });
  const replaying = useMutation({
    mutationFn: (from: string) => replayWebhook(hook._id, from),
    onSuccess: (count) => {
      toast.ok({ title: t('apikeys.replayed', { count }) });
      return refreshWebhooks(queries);
    },
    onError: (error) => toast.error({ title: t('apikeys.replayFailed'), text: errorText(t, error) }),
  });
  if (changing) return <Change hook={hook} all={all} onDone={() => setChanging(false)} />;
  return (
    <div className={classes.drawer}>
      <Facts hook={hook} />
      {hook.disabledAt && <Note tone="warn" icon="warn" text={t('apikeys.hookOffText')} />}
      <div className={classes.actions}>
        <Button
          variant="default"
          leftSection={<Icon name="send" size={16} />}
          loading={testing.isPending}
          onClick={() => testing.mutate()}
        >
          {t('apikeys.test')}
        </Button>
        <Button variant="default" leftSection={<Icon name="pen" size={16} />} onClick={() => setChanging(true)}>
          {t('apikeys.hookChange')}
        </Button>
        <Removal hook={hook} onClose={onClose} />
      </div>
      {tested && <TestOutcome hook={hook._id} delivery={tested} />}
      <Replay busy={replaying.isPending} onReplay={replaying.mutate} />
      <Deliveries hook={hook._id} busy={replaying.isPending} onReplay={replaying.mutate} />
    </div>
  );
}

/** Takes the drawer's place, since no dialog opens over one. */
function Change({ hook, all, onDone }: { hook: Webhook; all: string[]; onDone: () => void }) {
  const t = useT();
  const queries = useQueryClient();
  return (
    <div className={classes.drawer}>
      <p className={classes.quiet}>{t('apikeys.hookChangeText')}</p>
      <WebhookForm
        all={all}
        initial={{ url: hook.url, events: hook.events }}
        submit={t('common.save')}
        failed={t('apikeys.hookChangeFailed')}
        onSubmit={async (url, events) => {
          await changeWebhook(hook._id, url, events);
          toast.ok({ title: t('apikeys.hookChanged') });
          await refreshWebhooks(queries);
          onDone();
        }}
        onCancel={onDone}
      />
    </div>
  );
}

function Facts({ hook }: { hook: Webhook }) {
  const t = useT();
  const language = useLanguage();
  const { tone, icon, text } = webhookLook(t, hook);
  const { url, events, createdAt, lastDeliveredAt, failingSince } = hook;
  const fact = (name: string, value: React.ReactNode) => (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
  return (
    <>
      <div className={classes.name}>
        <code>{url}</code>
        <Tag tone={tone} icon={icon}>
          {text}
        </Tag>
      </div>
      <dl className={classes.list}>
        {fact(t('apikeys.events'), events.map((event) => eventText(t, event)).join(', '))}
        {fact(t('apikeys.createdAt'), <span className="num">{longDateTime(createdAt, language)}</span>)}
        {fact(
          t('apikeys.hookLastTitle'),
          <span className="num">
            {lastDeliveredAt ? shortDateTime(lastDeliveredAt, language) : t('apikeys.hookNever')}
          </span>,
        )}
        {failingSince &&
          fact(t('apikeys.failingSince'), <span className="num">{shortDateTime(failingSince, language)}</span>)}
      </dl>
    </>
  );
}

/** Asks where it stands, since no dialog opens over a drawer. */
function Removal({ hook, onClose }: { hook: Webhook; onClose: () => void }) {
  const t = useT();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const removing = useMutation({
    mutationFn: () => removeWebhook(hook._id),
    onSuccess: () => {
      toast.ok({ title: t('apikeys.hookRemoved') });
      onClose();
      return queries.invalidateQueries({ queryKey: ['list_webhooks'] });
    },
    onError: (error) => toast.error({ title: t('apikeys.hookRemoveFailed'), text: errorText(t, error) }),
  });
  if (!asking) {
    return (
      <Button variant="default" leftSection={<Icon name="trash" size={16} />} onClick={() => setAsking(true)}>
        {t('apikeys.hookRemove')}
      </Button>
    );
  }
  return (
    <div className={classes.ask}>
      <Note tone="warn" icon="trash" title={t('apikeys.hookRemoveAsk')} text={t('apikeys.hookRemoveText')} />
      <DialogButtons
        onCancel={() => setAsking(false)}
        go={t('apikeys.hookRemove')}
        onGo={() => removing.mutate()}
        danger
        busy={removing.isPending}
      />
    </div>
  );
}

/** Hours back; deliveries are kept for thirty days. */
const PERIODS = [1, 24, 168, 720] as const;

function Replay({ busy, onReplay }: { busy: boolean; onReplay: (from: string) => void }) {
  const t = useT();
  const [hours, setHours] = useState('24');
  const data = PERIODS.map((period) => ({ value: String(period), label: t(`apikeys.period_${period}`) }));
  return (
    <section className={classes.part} aria-labelledby="webhook-replay">
      <h3 id="webhook-replay">{t('apikeys.replay')}</h3>
      <p className={classes.quiet}>{t('apikeys.replayText')}</p>
      <div className={classes.actions}>
        <NativeSelect
          aria-label={t('apikeys.replayFrom')}
          data={data}
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
        />
        <Button
          variant="default"
          leftSection={<Icon name="refresh" size={16} />}
          loading={busy}
          onClick={() => onReplay(new Date(Date.now() - Number(hours) * 3_600_000).toISOString())}
        >
          {t('apikeys.replayRun')}
        </Button>
      </div>
    </section>
  );
}
