import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { countText } from '@/shared/lib/format';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { type ServiceStatus, serviceStatus } from '../api';
import { lastDelivery } from '../model';
import { Channels } from './Channels';
import { Failures } from './Failures';
import { RunSwitch } from './RunSwitch';
import classes from './ServiceState.module.css';
import { WhatsappCard } from './WhatsappCard';

interface ServiceStateProps {
  /** Leads to the messages in a state. */
  onMessages: (state: string) => void;
}

/** Whether messages go out, what waits, how the last hour went, why some failed. */
export function ServiceState({ onMessages }: ServiceStateProps) {
  const t = useT();
  const { data, error, refetch } = useQuery(serviceStatus);
  if (!data) {
    if (!error) return <Skeleton h={320} radius="lg" />;
    return (
      <div className={classes.panel}>
        <LoadFailed title={t('messageservice.loadError')} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  return (
    <div className={classes.state}>
      <RunSwitch status={data} lost={error !== null} />
      <Figures status={data} onMessages={onMessages} />
      <div className={classes.columns}>
        <Channels channels={data.channels} />
        <Failures failures={data.failures} onMessages={() => onMessages('failed')} />
      </div>
      <WhatsappCard configured={data.channels.some(({ channel, provider }) => channel === 'whatsapp' && provider)} />
    </div>
  );
}

function Figures({ status, onMessages }: { status: ServiceStatus } & ServiceStateProps) {
  const t = useT();
  const language = useLanguage();
  const last = lastDelivery(status.channels);
  const number = (value: number) => countText(value, language);
  const oldest =
    status.queued > 0 && status.oldestQueuedAt
      ? t('messageservice.oldest', { when: shortDateTime(status.oldestQueuedAt, language) })
      : t('messageservice.nothingWaits');
  return (
    <dl className={classes.figures}>
      <div>
        <dt>{t('messageservice.queued')}</dt>
        <dd>
          <b className="num">{number(status.queued)}</b>
          <span>{oldest}</span>
        </dd>
      </div>
      <div data-tone={status.captured > 0 ? 'warn' : undefined}>
        <dt>{t('messageservice.held')}</dt>
        <dd>
          <b className="num">{number(status.captured)}</b>
          {status.captured > 0 ? (
            <button type="button" className={classes.link} onClick={() => onMessages('captured')}>
              {t('messageservice.seeHeld')}
            </button>
          ) : (
            <span>{t('messageservice.heldNone')}</span>
          )}
        </dd>
      </div>
      <div>
        <dt>{t('messageservice.sentHour')}</dt>
        <dd>
          <b className="num">{number(status.sentLastHour)}</b>
          <span>{t('messageservice.lastHour')}</span>
        </dd>
      </div>
      <div data-tone={status.failedLastHour > 0 ? 'bad' : undefined}>
        <dt>{t('messageservice.failedHour')}</dt>
        <dd>
          <b className="num">{number(status.failedLastHour)}</b>
          {status.failedLastHour > 0 ? (
            <button type="button" className={classes.link} onClick={() => onMessages('failed')}>
              {t('messageservice.seeFailed')}
            </button>
          ) : (
            <span>{t('messageservice.lastHour')}</span>
          )}
        </dd>
      </div>
      <div>
        <dt>{t('messageservice.lastDelivered')}</dt>
        <dd>
          <b className={`${classes.moment} num`}>{last ? shortDateTime(last, language) : t('messageservice.never')}</b>
        </dd>
      </div>
    </dl>
  );
}
