import { Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { Finder, openFinder } from '@/features/finder/Finder';
import { NewsModal } from '@/features/news/components/NewsModal';
import { NotificationCentre } from '@/features/notifications/components/NotificationCentre';
import { PushKeeper } from '@/features/push/components/PushKeeper';
import { PushOffer } from '@/features/push/components/PushOffer';
import { FreshProof } from '@/features/security/components/FreshProof';
import { SetupBar } from '@/features/setup/components/SetupBar';
import { useT } from '@/shared/i18n';
import { useShownPage } from '@/shared/lib/page';
import { mayOpenOwn, Role, roleOf } from '@/shared/routes/access';
import { useSession } from '@/shared/session';
import { ModalHost } from '../modals';
import { menuState, useAccountEvents } from './account-events';
import { BillingBanner } from './BillingBanner';
import { Header } from './Header';
import { NoticesEntry } from './NoticesEntry';
import { PendingTerms } from './PendingTerms';
import { SectionTabs } from './SectionTabs';
import classes from './Shell.module.css';
import { Sidebar } from './Sidebar';
import { SoundBar } from './SoundBar';
import { useFinderPages } from './use-finder-pages';
import { useRequests } from './use-requests';

/**
 * Sidebar, header and the page. A page that asked for the whole window (a call) gets
 * it; the page itself stays mounted over the change.
 */
export function Shell() {
  const t = useT();
  const current = useSession();
  const { immersive } = useShownPage();
  const [collapsed, { toggle }] = useDisclosure(false);
  const [menuOpen, menu] = useDisclosure(false);
  const { signal, failed, retry } = useAccountEvents();
  const state = current ? menuState(signal, current.user) : 'blocked';
  const pages = useFinderPages(current, state !== 'unblocked');
  const requests = useRequests(current, state, immersive === true);
  // Between a logout and the router's move to the log-in there is nothing to frame.
  if (!current) return null;
  // A password operator has one screen, which is a search itself.
  const finds = !immersive && roleOf(current) !== Role.passwordOperator;
  const onRetry = failed ? retry : undefined;
  const counts = { [requests.href]: requests.waiting ?? 0 };
  return (
    <div className={classes.app} data-collapsed={collapsed || undefined} data-immersive={immersive || undefined}>
      {!immersive && (
        <NotificationCentre>
          <a href="#main" className={classes.skip}>
            {t('shell.skip')}
          </a>
          <div className={classes.side}>
            <Sidebar collapsed={collapsed} blocked={state !== 'unblocked'} counts={counts} onRetry={onRetry} />
          </div>
          <Drawer.Root opened={menuOpen} onClose={menu.close} size={288}>
            <Drawer.Overlay />
            <Drawer.Content aria-label={t('shell.mainNav')}>
              <Drawer.Body className={classes.drawerBody}>
                <Sidebar
                  collapsed={false}
                  blocked={state === 'blocked'}
                  counts={counts}
                  onRetry={onRetry}
                  extra={<NoticesEntry onFollow={menu.close} />}
                  onFollow={menu.close}
                />
              </Drawer.Body>
            </Drawer.Content>
          </Drawer.Root>
          <div className={classes.notices}>
            <BillingBanner />
            {mayOpenOwn('setup', current) && <SetupBar />}
            {requests.on && <SoundBar />}
          </div>
          <Header
            collapsed={collapsed}
            onCollapse={toggle}
            onOpenMenu={menu.open}
            requests={requests}
            onFind={finds ? openFinder : undefined}
            onRetry={onRetry}
          />
        </NotificationCentre>
      )}
      {!immersive && <SectionTabs blocked={state !== 'unblocked'} />}
      <main id="main" tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      {finds && <Finder pages={pages} />}
      <ModalHost />
      <FreshProof />
      <NewsModal />
      <PendingTerms />
      <PushKeeper />
      <PushOffer />
    </div>
  );
}
