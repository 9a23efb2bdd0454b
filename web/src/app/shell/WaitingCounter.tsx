import { ActionIcon, Tooltip } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useT } from '@/shared/i18n';
import { muteAlarm, useAlarm, useSoundState } from '@/shared/lib/sounds';
import { pageOf } from '@/shared/routes/access';
import { Icon } from '@/shared/ui/Icon';
import classes from './Shell.module.css';
import { MAX_COUNT } from './SidebarEntry';
import type { Requests } from './use-requests';

/**
 * How many people wait, as a link to where they are answered; hidden where one waits oneself. Amber
 * while somebody does. Following it mutes the alarm, and so does the button beside it.
 */
export function WaitingCounter({ on, waiting, href }: Requests) {
  const t = useT();
  const alarm = useAlarm();
  const sound = useSoundState();
  const { pathname } = useLocation();
  if (!on || pageOf(pathname) === 'videocallRequest') return null;
  const name =
    waiting === undefined
      ? t('shell.waitingUnknown')
      : t('shell.waitingLabel', { count: Math.min(waiting, MAX_COUNT) });
  return (
    <>
      <Tooltip label={name}>
        <Link to={href} className={classes.waiting} data-some={waiting ? true : undefined} onClick={muteAlarm}>
          <Icon name="ring" size={16} />
          <span className="visually-hidden">{name}</span>
          {waiting !== undefined && (
            <span className="num" aria-hidden="true">
              {Math.min(waiting, MAX_COUNT)}
              <span className={classes.waitingWord}> {t('shell.waitingWord')}</span>
            </span>
          )}
        </Link>
      </Tooltip>
      {alarm === 'ringing' && sound === 'ready' && (
        <Tooltip label={t('shell.muteAlarm')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            className={classes.muteAlarm}
            aria-label={t('shell.muteAlarm')}
            onClick={muteAlarm}
          >
            <Icon name="vol" />
          </ActionIcon>
        </Tooltip>
      )}
    </>
  );
}
