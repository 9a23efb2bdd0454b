import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type T, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { availability } from '../api';
import { useOwnActions } from '../hooks/use-own-requests';
import { progress, remainingMs, ringsSince, type VideoCallRequest } from '../model';
import { running } from '../words';
import { CallbackModal } from './CallbackModal';
import { CaseFacts } from './CaseFacts';
import { LiveTag } from './LiveTag';
import classes from './WaitingView.module.css';

/** The starter waits: place in the queue, time passed, time left, and the two ways out. */
export function WaitingView({ request, now }: { request: VideoCallRequest; now: number }) {
  const t = useT();
  const actions = useOwnActions(request);
  const [later, setLater] = useState(false);
  const { data: firm } = useQuery(availability(request.customerId));
  const customer = request.customerName;
  const due = request.state === 'scheduled';
  const ahead = (request.position ?? 1) - 1;
  const left = remainingMs(request, now);
  const usual = firm?.averageWaitSeconds ? running(firm.averageWaitSeconds * 1_000) : null;
  return (
    <section className={classes.root}>
      <div className={classes.card}>
        <div className={classes.head}>
          <div>
            <h1>
              {ahead > 0
                ? t('videocallrequests.waitTitleBusy', { customer })
                : t('videocallrequests.waitTitle', { customer })}
            </h1>
            <p role="status">{due ? t('videocallrequests.scheduledDue', { customer }) : placeText(t, request)}</p>
          </div>
          <LiveTag />
        </div>
        <div className={classes.figures}>
          <div>
            <b className={`${classes.elapsed} num`} role="timer">
              {running(now - ringsSince(request))}
            </b>
            <span>{t('videocallrequests.waited')}</span>
          </div>
          {request.position !== null && (
            <div>
              <b className="num">{request.position}</b>
              <span>{t('videocallrequests.position')}</span>
            </div>
          )}
        </div>
        <div className={classes.left}>
          <progress value={progress(request, now)} max={1} aria-label={t('videocallrequests.remainingLabel')} />
          <span className="num">{t('videocallrequests.remaining', { time: running(left) })}</span>
          {usual && <span className={`${classes.usual} num`}>{t('videocallrequests.usual', { time: usual })}</span>}
        </div>
        {request.refusals > 0 && (
          <p className={classes.note}>
            <Icon name="info" size={16} />
            {t('videocallrequests.refusals', { count: request.refusals })}
          </p>
        )}
        <CaseFacts request={request} />
        <p className={classes.keep}>{t('videocallrequests.keepOpen')}</p>
      </div>
      <div className={classes.bar} data-foot>
        <Button
          variant="subtle"
          color="gray"
          size="md"
          loading={actions.withdrawing}
          leftSection={<Icon name="x" />}
          onClick={() => void actions.withdraw()}
        >
          {t('videocallrequests.withdraw')}
        </Button>
        <Button variant="default" size="md" leftSection={<Icon name="clock" />} onClick={() => setLater(true)}>
          {t('videocallrequests.askLater')}
        </Button>
      </div>
      <CallbackModal
        opened={later}
        customer={customer}
        leavesQueue
        sending={actions.agreeing}
        onClose={() => setLater(false)}
        onChosen={(at) => void actions.agree(at).finally(() => setLater(false))}
      />
    </section>
  );
}

function placeText(t: T, { position }: VideoCallRequest): string {
  if (position === null) return t('videocallrequests.waitUnknown');
  return position > 1 ? t('videocallrequests.waitAhead', { count: position - 1 }) : t('videocallrequests.waitFirst');
}
