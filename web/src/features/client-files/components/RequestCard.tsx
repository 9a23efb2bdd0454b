import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FileRequest, ItemState, RequestState } from '@/api/types';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { longDate, longDateTime } from '@/shared/lib/dates';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { cancelRequest, requestsQuery, resendRequest } from '../api';
import classes from './Requests.module.css';

type Tone = 'ok' | 'warn' | 'bad' | 'acc' | 'quiet';
const TONES: Record<RequestState, Tone> = {
  sent: 'acc',
  opened: 'acc',
  partial: 'warn',
  complete: 'ok',
  expired: 'quiet',
  cancelled: 'quiet',
};
const ITEMS: Record<ItemState, { tone: Tone; icon: IconName }> = {
  asked: { tone: 'quiet', icon: 'clock' },
  received: { tone: 'warn', icon: 'dl' },
  approved: { tone: 'ok', icon: 'check' },
  rejected: { tone: 'bad', icon: 'refresh' },
};

/** One request: to whom, what became of each thing, and what can still be done with it. */
export function RequestCard({ request }: { request: FileRequest }) {
  const t = useT();
  const language = useLanguage();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const done = () => client.invalidateQueries({ queryKey: requestsQuery(request.conferenceId).queryKey });
  const resend = useMutation({
    mutationFn: () => resendRequest(request._id),
    onSuccess: () => {
      toast.ok({ title: t('clientfiles.resent') });
      void done();
    },
  });
  const cancel = useMutation({
    mutationFn: () => cancelRequest(request._id),
    onSuccess: () => {
      setAsking(false);
      toast.ok({ title: t('clientfiles.cancelled') });
      void done();
    },
  });
  const live = ['sent', 'opened', 'partial'].includes(request.state);
  const failure = resend.error ?? cancel.error;
  return (
    <article className={classes.card}>
      <header className={classes.head}>
        <b className="num">{longDateTime(request.createdAt, language)}</b>
        <Tag tone={TONES[request.state]}>{t(`clientfiles.state_${request.state}`)}</Tag>
      </header>
      <p className={`${classes.quiet} num`}>
        {t('clientfiles.requestBy', {
          channel: t(request.contactType === 1 ? 'clientfiles.sms' : 'clientfiles.email'),
          to: request.to,
          user: request.userName,
        })}
      </p>
      <ul className={classes.items}>
        {request.items.map((item) => (
          <li key={item._id}>
            <span className={classes.itemText}>
              {item.label}
              {item.note && <span className={classes.note}>{item.note}</span>}
            </span>
            <Tag {...ITEMS[item.state]}>{t(`clientfiles.item_${item.state}`)}</Tag>
          </li>
        ))}
      </ul>
      <p className={`${classes.quiet} num`}>
        {t('clientfiles.progress', {
          received: request.received,
          total: request.items.length,
          approved: request.approved,
        })}
        {live && ` · ${t('clientfiles.requestUntil', { date: longDate(request.expiresAt, language) })}`}
      </p>
      {failure && <Note tone="bad" icon="warn" title={t('clientfiles.actionError')} text={errorText(t, failure)} />}
      {live && !asking && (
        <div className={classes.actions}>
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="send" size={16} />}
            loading={resend.isPending}
            onClick={() => resend.mutate()}
          >
            {t('clientfiles.resend')}
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={() => setAsking(true)}>
            {t('clientfiles.cancelRequest')}
          </Button>
        </div>
      )}
      {asking && (
        <Note
          tone="warn"
          icon="warn"
          title={t('clientfiles.cancelTitle')}
          text={
            <>
              {t('clientfiles.cancelText')}
              <DialogButtons
                onCancel={() => setAsking(false)}
                cancel={t('common.back')}
                go={t('clientfiles.cancelRequest')}
                onGo={() => cancel.mutate()}
                danger
                busy={cancel.isPending}
                size="xs"
              />
            </>
          }
        />
      )}
    </article>
  );
}
