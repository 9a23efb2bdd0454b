import { ActionIcon, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useT } from '@/shared/i18n';
import { useRequiredSession } from '@/shared/session';
import { useSocketSync } from '@/shared/socket';
import { Icon } from '@/shared/ui/Icon';
import { toast } from '@/shared/ui/toast';
import { fullText, type Notice } from '../model';
import { useArrivals } from '../use-arrivals';
import { useNotices } from '../use-notices';
import classes from './NotificationBell.module.css';
import { NotificationPanel } from './NotificationPanel';
import { useAct } from './use-act';

/** SPEC §9 "Unseen badge cap". */
const CAP = 99;

/** The bell of the header, hidden up to 1024 px, and its panel. Source: SPEC §2 Notification bell and panel. */
export function NotificationBell() {
  const t = useT();
  const { user } = useRequiredSession();
  const [opened, panel] = useDisclosure(false);
  const notices = useNotices(user._id);
  const { count } = notices.state;
  useSocketSync(notices.recount);
  const shaking = useArrivals({
    userId: user._id,
    onArrival: notices.arrived,
    onRead: (arrived) => {
      for (const notice of arrived)
        toast.info({
          title: t('notifications.new'),
          text: notice && fullText(notice),
          action: { label: t('notifications.open'), run: () => (notice ? press(notice) : panel.open()) },
        });
    },
  });
  const act = useAct({ onLeave: panel.close, onDialog: () => {} });
  const press = (notice: Notice) => {
    void notices.mark(notice, true);
    act(notice);
  };
  return (
    <>
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
          onClick={() => {
            panel.open();
            notices.recount();
          }}
        >
          <Icon name="bell" className={classes.icon} />
          {count > 0 && <span className={`${classes.badge} num`}>{Math.min(count, CAP)}</span>}
        </ActionIcon>
      </Tooltip>
      <NotificationPanel opened={opened} notices={notices} onClose={panel.close} />
    </>
  );
}
