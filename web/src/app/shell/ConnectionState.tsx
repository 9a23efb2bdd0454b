import { useT } from '@/shared/i18n';
import { useSocketState } from '@/shared/socket';
import { Tag } from '@/shared/ui/Tag';
import classes from './Shell.module.css';

/** Says that what is shown may be old; nothing while the connection holds. */
export function ConnectionState() {
  const t = useT();
  const state = useSocketState();
  return (
    <output className={classes.connection}>
      {state === 'offline' && (
        <Tag tone="bad" icon="wifi">
          <span className={classes.connectionWord}>{t('shell.networkLost')}</span>
        </Tag>
      )}
    </output>
  );
}
