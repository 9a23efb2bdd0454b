import { useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { Icon } from '@/shared/ui/Icon';
import { Tag } from '@/shared/ui/Tag';
import type { ServiceChannel } from '../api';
import { channelOf } from '../model';
import classes from './ServiceState.module.css';

const ICONS = { sms: 'sms', email: 'mail', whatsapp: 'chat' } as const;

/** Each channel with who carries it and how its last hour went. */
export function Channels({ channels }: { channels: ServiceChannel[] }) {
  const t = useT();
  return (
    <section className={classes.panel} aria-labelledby="channels">
      <h2 id="channels" className={classes.panelTitle}>
        {t('messageservice.channels')}
      </h2>
      <ul>
        {channels.map((channel) => (
          <ChannelRow key={channel.channel} channel={channel} />
        ))}
      </ul>
    </section>
  );
}

function ChannelRow({ channel }: { channel: ServiceChannel }) {
  const t = useT();
  const language = useLanguage();
  const { provider, queued, captured, sentLastHour, failedLastHour, lastDeliveredAt } = channel;
  const name = channelOf(channel.channel);
  const counts = [
    t('messageservice.nQueued', { count: queued }),
    t('messageservice.nSent', { count: sentLastHour }),
    t('messageservice.nFailed', { count: failedLastHour }),
  ].join(' · ');
  return (
    <li className={classes.channel}>
      <Icon name={ICONS[name]} />
      <div className={classes.words}>
        <div className={classes.title}>
          <b>{t(`outbox.${name}`)}</b>
          {provider ? (
            <Tag>{t(`messageservice.provider_${provider}` as never)}</Tag>
          ) : (
            <Tag tone="warn" icon="pause">
              {t('messageservice.noProvider')}
            </Tag>
          )}
        </div>
        <p className={`${classes.quiet} num`}>{counts}</p>
        {captured > 0 && <p className={`${classes.held} num`}>{t('messageservice.nHeld', { count: captured })}</p>}
        {lastDeliveredAt && (
          <p className={`${classes.quiet} num`}>
            {t('messageservice.last', { when: shortDateTime(lastDeliveredAt, language) })}
          </p>
        )}
      </div>
    </li>
  );
}
