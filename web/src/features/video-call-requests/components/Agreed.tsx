import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { useOwnActions } from '../hooks/use-own-requests';
import type { VideoCallRequest } from '../model';
import { typeIcon, whenText } from '../words';
import classes from './Agreed.module.css';
import { CallbackModal } from './CallbackModal';

/** The starter's agreed calls, each with its time, to change or to cancel. */
export function Agreed({ requests, now }: { requests: VideoCallRequest[]; now: number }) {
  const t = useT();
  if (requests.length === 0) return null;
  return (
    <section className={classes.root} aria-label={t('videocallrequests.scheduled')}>
      <h2>{t('videocallrequests.scheduled')}</h2>
      {requests.map((request) => (
        <Row key={request._id} request={request} now={now} />
      ))}
    </section>
  );
}

function Row({ request, now }: { request: VideoCallRequest; now: number }) {
  const t = useT();
  const language = useLanguage();
  const actions = useOwnActions(request);
  const [changing, setChanging] = useState(false);
  const when = whenText(t, language, request.callbackAt ?? request.createdAt, now);
  return (
    <div className={classes.row}>
      <Icon name={typeIcon(request.type)} />
      <div className={classes.what}>
        <b className="num">{t('videocallrequests.scheduledAt', { when, customer: request.customerName })}</b>
        <span className="num">
          {request.expedient} · {request.region}
        </span>
      </div>
      <div className={classes.actions}>
        <Button size="xs" variant="default" onClick={() => setChanging(true)}>
          {t('videocallrequests.changeTime')}
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          loading={actions.withdrawing}
          onClick={() => void actions.withdraw()}
        >
          {t('videocallrequests.cancelCallback')}
        </Button>
      </div>
      <CallbackModal
        opened={changing}
        customer={request.customerName}
        initial={request.callbackAt}
        sending={actions.agreeing}
        onClose={() => setChanging(false)}
        onChosen={(at) => void actions.agree(at).finally(() => setChanging(false))}
      />
    </div>
  );
}
