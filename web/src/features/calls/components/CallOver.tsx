import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Conference } from '@/api/types';
import type { EndReason } from '@/rtc';
import { codeText, useT } from '@/shared/i18n';
import { clock } from '@/shared/lib/time';
import { paths } from '@/shared/routes/paths';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { detailsQuery } from '../api';
import classes from './CallOver.module.css';

interface CallOverProps {
  conference: Conference;
  reason: EndReason;
  /** Code of a refusal, for its text. */
  code?: string;
  onRejoin?: () => void;
}

const ICONS: Record<EndReason, IconName> = {
  closed: 'check',
  left: 'hang',
  removed: 'out',
  duplicate: 'copy',
  lost: 'wifi',
  refused: 'warn',
};

/** After the call: why it is over, how long it was, and the way on. */
export function CallOver({ conference, reason, code, onRejoin }: CallOverProps) {
  const t = useT();
  const navigate = useNavigate();
  const fresh = useQuery({ ...detailsQuery(conference._id), enabled: conference.duration === null });
  const duration = conference.duration ?? fresh.data?.conference.duration ?? null;
  const canRejoin = (reason === 'lost' || reason === 'duplicate' || reason === 'left') && !conference.closed;
  const text =
    reason === 'refused' ? ((code && codeText(t, code)) ?? t('call.over_refused_text')) : t(`call.over_${reason}_text`);
  return (
    <section className={classes.over}>
      <Icon name={ICONS[reason]} size={28} className={classes.icon} />
      <h1>{t(`call.over_${reason}`)}</h1>
      <p>{text}</p>
      <p className="num">
        {conference.expedientNumber}
        {conference.closed && duration !== null && ` · ${t('call.duration')} ${clock(duration * 1_000)}`}
      </p>
      <div className={classes.actions}>
        {canRejoin && (
          <Button leftSection={<Icon name="refresh" size={16} />} onClick={onRejoin}>
            {t('call.rejoin')}
          </Button>
        )}
        <Button
          variant={canRejoin ? 'default' : 'filled'}
          leftSection={<Icon name="img" size={16} />}
          onClick={() => void navigate({ href: paths.conferenceMedia(conference._id) })}
        >
          {t('call.toMedia')}
        </Button>
        <Button
          variant="default"
          leftSection={<Icon name="videoplus" size={16} />}
          onClick={() => void navigate({ href: paths.newVideocall() })}
        >
          {t('call.newCall')}
        </Button>
      </div>
    </section>
  );
}
