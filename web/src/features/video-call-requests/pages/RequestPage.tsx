import { Button, Skeleton } from '@mantine/core';
import { Missing } from '@/shared/company/Missing';
import { errorText, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { StateView } from '@/shared/ui/StateView';
import { AcceptedView, enterRoom } from '../components/AcceptedView';
import { Agreed } from '../components/Agreed';
import { Outcome } from '../components/Outcome';
import { RequestForm } from '../components/RequestForm';
import { WaitingView } from '../components/WaitingView';
import { useOwnRequests } from '../hooks/use-own-requests';
import type { VideoCallRequest } from '../model';
import classes from './RequestPage.module.css';

/**
 * `/videocall-request`: the repair side asks for a video call and waits for it; what the page shows follows from the
 * server's list, so a reload keeps the wait.
 */
export function RequestPage() {
  const t = useT();
  const { user } = useRequiredSession();
  usePage({ title: t('videocallrequests.title') });
  const { source, shown, now } = useOwnRequests();
  if (user.company?.blocked) return <Blocked />;
  if (source.isPending) return <Pending />;
  if (source.isError && !source.data) {
    const action = { label: t('common.retry'), run: () => void source.refetch(), icon: 'refresh' } as const;
    return (
      <StateView
        icon="warn"
        tone="bad"
        title={t('videocallrequests.loadFailed')}
        text={errorText(t, source.error)}
        action={action}
      />
    );
  }
  switch (shown.kind) {
    case 'waiting':
      return <WaitingView key={shown.request._id} request={shown.request} now={now} />;
    case 'accepted':
      return <AcceptedView key={shown.request._id} request={shown.request} />;
    case 'refused':
    case 'expired':
      return <Outcome key={shown.request._id} request={shown.request} />;
    case 'form':
      return (
        <RequestForm
          before={
            <>
              {shown.lately && <Lately request={shown.lately} />}
              <Agreed requests={shown.agreed} now={now} />
            </>
          }
        />
      );
  }
}

/** The way back into a call that one left. */
function Lately({ request }: { request: VideoCallRequest }) {
  const t = useT();
  const { customerName: customer, expedient } = request;
  return (
    <Note
      icon="video"
      text={t('videocallrequests.lately', { customer, expedient })}
      action={
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="video" size={16} />}
          onClick={() => enterRoom(request, (href) => window.location.assign(href))}
        >
          {t('videocallrequests.enterAgain')}
        </Button>
      }
    />
  );
}

function Blocked() {
  const t = useT();
  const { user } = useRequiredSession();
  return (
    <section className={classes.blocked} role="alert">
      <Icon name="lock" size={28} />
      <h1>{t('videocallrequests.blockedOwn')}</h1>
      <p>{t('videocallrequests.blockedOwnText')}</p>
      <Missing pieces={user.company?.missing ?? []} />
    </section>
  );
}

function Pending() {
  const t = useT();
  return (
    <div className={classes.pending} aria-busy="true">
      <h1>{t('videocallrequests.title')}</h1>
      <Skeleton height={58} />
      <Skeleton height={120} />
      <Skeleton height={58} />
    </div>
  );
}
