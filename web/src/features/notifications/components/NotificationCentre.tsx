import { useDisclosure } from '@mantine/hooks';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useT } from '@/shared/i18n';
import { useRequiredSession } from '@/shared/session';
import { useSocketSync } from '@/shared/socket';
import { toast } from '@/shared/ui/toast';
import { fullText, type Notice } from '../model';
import { useArrivals } from '../use-arrivals';
import { useNotices } from '../use-notices';
import { NotificationPanel } from './NotificationPanel';
import { useAct } from './use-act';

/** What every entry to the notifications shows and does. */
interface Centre {
  /** Unread ones. */
  count: number;
  opened: boolean;
  /** One has just arrived. */
  shaking: boolean;
  open: () => void;
}

const CentreContext = createContext<Centre>({ count: 0, opened: false, shaking: false, open: () => {} });

/** Counts and receives notifications once, for the bell of the header and the entry of the mobile navbar; holds their panel. */
export function NotificationCentre({ children }: { children: ReactNode }) {
  const t = useT();
  const { user } = useRequiredSession();
  const [opened, panel] = useDisclosure(false);
  const notices = useNotices(user._id);
  const { recount } = notices;
  useSocketSync(recount);
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
  const { count } = notices.state;
  const { open } = panel;
  const centre = useMemo(
    () => ({
      count,
      opened,
      shaking,
      open: () => {
        open();
        recount();
      },
    }),
    [count, opened, shaking, open, recount],
  );
  return (
    <CentreContext value={centre}>
      {children}
      <NotificationPanel opened={opened} notices={notices} onClose={panel.close} />
    </CentreContext>
  );
}

export const useNotificationCentre = (): Centre => useContext(CentreContext);
