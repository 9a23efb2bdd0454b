import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Missing } from '@/shared/company/Missing';
import { errorText, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { Role, roleOf } from '@/shared/routes/access';
import { useRequiredSession } from '@/shared/session';
import { Note } from '@/shared/ui/Note';
import { Segmented } from '@/shared/ui/Segmented';
import { StateView } from '@/shared/ui/StateView';
import { availability, ownRequests, requestsTo } from '../api';
import { AlarmButton } from '../components/AlarmButton';
import { Colleagues } from '../components/Colleagues';
import { LiveTag } from '../components/LiveTag';
import { Queue } from '../components/Queue';
import { Summary } from '../components/Summary';
import { useRequestEvents } from '../hooks/use-live';
import { useNow } from '../hooks/use-now';
import { answeredOf, queueOf } from '../model';
import classes from './ActiveRequestsPage.module.css';

type Filter = 'all' | '1' | '2';

/**
 * `/active-videocall-request/{parent}`: what rings at a customer, live; the first to answer gets the call. An
 * administrator looks on.
 */
export function ActiveRequestsPage() {
  const t = useT();
  const session = useRequiredSession();
  const { parent = '' } = useParams({ strict: false }) as { parent?: string };
  usePage({ title: t('videocallrequests.activeTitle') });
  const now = useNow();
  useRequestEvents(parent);
  const source = useQuery(requestsTo(parent));
  const { data: history = [] } = useQuery(ownRequests());
  const { data: firm } = useQuery(availability(parent));
  const [filter, setFilter] = useState<Filter>('all');
  const role = roleOf(session);
  const own = session.user.parent === parent;
  const blocked = own && session.user.company?.blocked === true;
  const wanted = (source.data ?? []).filter((one) => filter === 'all' || String(one.type) === filter);
  const { ringing, agreed } = queueOf(wanted, now);
  const gone = answeredOf(history, parent);
  const some = (source.data ?? []).length > 0;
  return (
    <div className={classes.root}>
      <div className={classes.head}>
        <h1>{t('videocallrequests.activeTitle')}</h1>
        <LiveTag />
        <span className={classes.grow} />
        {own && <AlarmButton />}
        {(some || filter !== 'all') && (
          <Segmented
            label={t('videocallrequests.type')}
            value={filter}
            onChange={setFilter}
            options={[
              { value: 'all', label: t('videocallrequests.allTypes') },
              { value: '1', label: t('videocall.type1'), icon: 'car' },
              { value: '2', label: t('videocall.type2'), icon: 'home' },
            ]}
          />
        )}
      </div>
      {blocked && (
        <Note
          tone="warn"
          icon="lock"
          title={t('videocallrequests.blockedActive')}
          text={
            <>
              {t('videocallrequests.blockedActiveText')}
              <Missing pieces={session.user.company?.missing ?? []} />
            </>
          }
        />
      )}
      <div className={classes.figures}>
        <Summary queue={source.data ?? []} now={now} averageS={firm?.averageWaitSeconds ?? null} />
        {firm?.people && <Colleagues people={firm.people} />}
      </div>
      {source.isPending && <Skeleton height={104} radius="lg" />}
      {source.isError && !source.data && (
        <StateView
          icon="warn"
          tone="bad"
          title={t('videocallrequests.loadFailed')}
          text={errorText(t, source.error)}
          action={{ label: t('common.retry'), run: () => void source.refetch(), icon: 'refresh' }}
        />
      )}
      {source.data && (
        <Queue
          customerId={parent}
          {...{ ringing, agreed, gone, now }}
          mayAnswer={own && !blocked && (role === Role.customer || role === Role.worker)}
          mayRefuseAll={role === Role.customer}
          filtered={some}
        />
      )}
    </div>
  );
}
