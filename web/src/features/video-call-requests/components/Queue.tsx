import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { StateView } from '@/shared/ui/StateView';
import { useQueueActions } from '../hooks/use-queue';
import type { VideoCallRequest } from '../model';
import classes from './Queue.module.css';
import { GoneRow, QueueRow } from './QueueRow';
import { RefuseModal, type Refusing } from './RefuseModal';

interface QueueProps {
  customerId: string;
  ringing: VideoCallRequest[];
  agreed: VideoCallRequest[];
  /** Of the last hour. */
  gone: VideoCallRequest[];
  now: number;
  mayAnswer: boolean;
  mayRefuseAll: boolean;
  /** There are requests, and a filter may hide them. */
  filtered: boolean;
}

/** Ringing requests, then agreed calls, then what became of the last hour's. */
export function Queue(props: QueueProps) {
  const { customerId, ringing, agreed, gone, now, mayAnswer, mayRefuseAll, filtered } = props;
  const t = useT();
  const actions = useQueueActions(customerId);
  const [refusing, setRefusing] = useState<Refusing | null>(null);
  const row = (request: VideoCallRequest) => (
    <QueueRow
      key={request._id}
      {...{ request, now, mayAnswer, mayRefuseAll }}
      first={request === ringing[0]}
      busy={actions.attending !== null}
      attending={actions.attending === request._id}
      onAttend={() => actions.attend(request)}
      onRefuse={(all) => setRefusing({ request, all })}
    />
  );
  return (
    <>
      <section
        className={classes.queue}
        aria-label={t('videocallrequests.pending')}
        aria-live="polite"
        aria-relevant="additions"
      >
        {ringing.map(row)}
        {ringing.length === 0 &&
          (filtered && agreed.length === 0 ? (
            <StateView icon="filter" title={t('videocallrequests.noneOfFilter')} />
          ) : (
            <StateView icon="ring" title={t('videocallrequests.empty')} text={t('videocallrequests.emptyText')} />
          ))}
        {agreed.length > 0 && <h2 className={classes.group}>{t('videocallrequests.scheduled')}</h2>}
        {agreed.map(row)}
      </section>
      {gone.length > 0 && (
        <section className={classes.queue} aria-label={t('videocallrequests.lastHour')}>
          <h2 className={classes.group}>{t('videocallrequests.lastHour')}</h2>
          {gone.map((request) => (
            <GoneRow key={request._id} request={request} by={request.acceptedBy?.name ?? null} />
          ))}
        </section>
      )}
      <RefuseModal
        refusing={refusing}
        sending={actions.refusing}
        onClose={() => setRefusing(null)}
        onRefuse={({ request, all }, reason) =>
          void actions
            .refuse({ videoCallRequestId: request._id, reason, ...(all ? { all } : {}) })
            .catch(() => undefined)
            .finally(() => setRefusing(null))
        }
      />
    </>
  );
}
