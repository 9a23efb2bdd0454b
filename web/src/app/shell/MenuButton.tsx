import { ActionIcon } from '@mantine/core';
import { useNotificationCentre } from '@/features/notifications/components/NotificationCentre';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import classes from './Shell.module.css';

/** Opens the mobile navbar; a dot says that there is something unread behind it. */
export function MenuButton({ onOpen }: { onOpen: () => void }) {
  const t = useT();
  const { count } = useNotificationCentre();
  const name = t('shell.openMenu');
  return (
    <ActionIcon
      className={`${classes.mobileOnly} ${classes.menuButton}`}
      variant="subtle"
      color="gray"
      size={36}
      aria-label={count > 0 ? `${name}. ${t('notifications.unread', { count })}` : name}
      onClick={onOpen}
    >
      <Icon name="menu" />
      {count > 0 && <span className={classes.menuDot} />}
    </ActionIcon>
  );
}
