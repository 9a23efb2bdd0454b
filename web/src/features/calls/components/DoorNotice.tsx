import { Button } from '@mantine/core';
import type { WaitingDevice } from '@/api/types';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import classes from './DoorNotice.module.css';

export type Decision = 'admit' | 'replace' | 'refuse';

interface DoorNoticeProps {
  waiting: readonly WaitingDevice[];
  client: string;
  /** Identity of the device that is being decided about. */
  busy: string | null;
  onDecide: (identity: string, decision: Decision) => void;
}

/** Over the picture: who wants to come in with the same link, and the three answers. */
export function DoorNotice({ waiting, client, busy, onDecide }: DoorNoticeProps) {
  const t = useT();
  return (
    <div className={classes.door} role="alert">
      {waiting.map(({ identity, device }) => (
        <section key={identity} className={classes.one} aria-label={t('call.doorTitle')}>
          <div className={classes.head}>
            <Icon name="phone" size={20} />
            <div>
              <b>{t('call.doorTitle')}</b>
              <p>{t('call.doorText', { device: device ?? t('call.doorUnknown'), name: client })}</p>
            </div>
          </div>
          <div className={classes.ways}>
            <Button size="xs" loading={busy === identity} onClick={() => onDecide(identity, 'replace')}>
              {t('call.doorReplace')}
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={busy === identity}
              onClick={() => onDecide(identity, 'admit')}
            >
              {t('call.doorAdmit')}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              data-tone="bad"
              disabled={busy === identity}
              onClick={() => onDecide(identity, 'refuse')}
            >
              {t('call.doorRefuse')}
            </Button>
          </div>
        </section>
      ))}
    </div>
  );
}
