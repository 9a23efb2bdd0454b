import { useT } from '@/shared/i18n';
import { Note } from '@/shared/ui/Note';
import { pushFacts, undoOf } from '../browser';
import type { DeviceState } from '../push';
import classes from './push.module.css';

/** What stands in the way of notices here and what to do about it; nothing when nothing does. */
export function Advice({ support, permission }: Pick<DeviceState, 'support' | 'permission'>) {
  const t = useT();
  if (support === 'ios-install') return <Note icon="phone" title={t('push.iosTitle')} text={<HomeScreen />} />;
  if (support === 'insecure') return <Note icon="lock" text={t('push.insecure')} />;
  if (support === 'none') return <Note text={t('push.unsupported')} />;
  if (permission !== 'denied') return null;
  const undo = undoOf(pushFacts());
  return <Note tone="warn" icon="bell" title={t('push.deniedTitle')} text={t(`push.undo_${undo}`)} />;
}

/** iOS gives notices to apps of the home screen only. */
function HomeScreen() {
  const t = useT();
  return (
    <>
      <p>{t('push.iosText')}</p>
      <ol className={classes.steps}>
        <li>{t('push.ios1')}</li>
        <li>{t('push.ios2')}</li>
        <li>{t('push.ios3')}</li>
      </ol>
    </>
  );
}
