import { Button } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { muteAlarm, useAlarm, useSoundState } from '@/shared/lib/sounds';
import { Icon } from '@/shared/ui/Icon';
import { Tag } from '@/shared/ui/Tag';
import classes from './LiveTag.module.css';

/** The shell rings while somebody waits; here one sees it and mutes it. */
export function AlarmButton() {
  const t = useT();
  const alarm = useAlarm();
  const sound = useSoundState();
  // Where the browser wants a gesture first, the shell asks for it.
  if (alarm === 'off' || sound !== 'ready') return null;
  if (alarm === 'silent') return <Tag icon="mute">{t('videocallrequests.alarmMuted')}</Tag>;
  return (
    <Button variant="default" leftSection={<Icon name="vol" />} onClick={muteAlarm}>
      {t('videocallrequests.alarmRinging')}
      <span className={classes.quiet}>{t('videocallrequests.alarmMute')}</span>
    </Button>
  );
}
