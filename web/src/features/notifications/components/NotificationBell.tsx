import { ActionIcon, Tooltip } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import classes from './NotificationBell.module.css';
import { useNotificationCentre } from './NotificationCentre';

/** Most that a badge says. */
export const CAP = 99;

/** The bell of the header, hidden up to 1024 px, where the mobile navbar has an entry instead. */
export function NotificationBell() {
  const t = useT();
  const { count, opened, shaking, open } = useNotificationCentre();
  return (
    <Tooltip label={t('notifications.title')}>
      <ActionIcon
        className={classes.bell}
        variant="subtle"
        color="gray"
        size={36}
        aria-label={count > 0 ? t('notifications.bellUnread', { count }) : t('notifications.bell')}
        aria-haspopup="dialog"
        aria-expanded={opened}
        data-shaking={shaking || undefined}
        onClick={open}
      >
        <Icon name="bell" className={classes.icon} />
        {count > 0 && <span className={`${classes.badge} num`}>{Math.min(count, CAP)}</span>}
      </ActionIcon>
    </Tooltip>
  );
}
