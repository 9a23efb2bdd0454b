import { CAP } from '@/features/notifications/components/NotificationBell';
import { useNotificationCentre } from '@/features/notifications/components/NotificationCentre';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import classes from './Shell.module.css';

/** The notifications in the mobile navbar, with how many are unread: the header has no bell at that width. */
export function NoticesEntry({ onFollow }: { onFollow: () => void }) {
  const t = useT();
  const { count, open } = useNotificationCentre();
  const follow = () => {
    onFollow();
    open();
  };
  return (
    <button type="button" className={classes.entry} aria-haspopup="dialog" onClick={follow}>
      <Icon name="bell" />
      <span className={classes.entryLabel}>{t('notifications.navEntry')}</span>
      {count > 0 && (
        <span className={`${classes.count} ${classes.unread}`}>
          <span aria-hidden="true">{Math.min(count, CAP)}</span>
          <span className="visually-hidden"> {t('notifications.unread', { count })}</span>
        </span>
      )}
    </button>
  );
}
