import { useT } from '@/shared/i18n';
import { useSocketState } from '@/shared/socket';
import { Tag } from '@/shared/ui/Tag';
import classes from './LiveTag.module.css';

/** "En directo" or "Sin conexión, reintentando"; nothing before the first answer. */
export function LiveTag() {
  const t = useT();
  const state = useSocketState();
  if (state === 'connecting') return <span role="status" />;
  return (
    <span role="status">
      {state === 'live' ? (
        <Tag tone="ok">
          <span className={classes.dot} aria-hidden="true" />
          {t('videocallrequests.live')}
        </Tag>
      ) : (
        <Tag tone="warn" icon="refresh">
          {t('videocallrequests.retrying')}
        </Tag>
      )}
    </span>
  );
}
