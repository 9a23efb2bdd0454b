import { ActionIcon, Button } from '@mantine/core';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { unlockSound, useSoundState } from '@/shared/lib/sounds';
import { Icon } from '@/shared/ui/Icon';
import classes from './Shell.module.css';

const DISMISSED_KEY = 'atalaya.soundBar';

/** Asks for the gesture that lets the alarm sound, where the browser wants one; any other click gives it as well. */
export function SoundBar() {
  const t = useT();
  const sound = useSoundState();
  const [dismissed, setDismissed] = useState(() => window.sessionStorage.getItem(DISMISSED_KEY) !== null);
  if (sound !== 'blocked' || dismissed) return null;
  const dismiss = () => {
    window.sessionStorage.setItem(DISMISSED_KEY, '1');
    setDismissed(true);
  };
  return (
    <div className={classes.soundBar} role="status">
      <Icon name="mute" />
      <span>{t('shell.soundBlocked')}</span>
      <Button size="xs" variant="default" onClick={() => void unlockSound()}>
        {t('shell.soundEnable')}
      </Button>
      <ActionIcon variant="subtle" color="gray" size={28} aria-label={t('common.dismiss')} onClick={dismiss}>
        <Icon name="x" size={16} />
      </ActionIcon>
    </div>
  );
}
