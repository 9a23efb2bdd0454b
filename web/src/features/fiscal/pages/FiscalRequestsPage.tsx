import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { shortDate } from '@/shared/lib/dates';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { PagePending } from '@/shared/ui/PagePending';
import { PageTitle } from '@/shared/ui/PageTitle';
import { Segmented } from '@/shared/ui/Segmented';
import { StateView } from '@/shared/ui/StateView';
import { fiscalRequests } from '../api';
import classes from '../components/fiscal.module.css';
import { RequestTag } from '../components/RequestTag';

/** `/fiscal-requests`: what companies ask for, the oldest that waits first. */
export function FiscalRequestsPage() {
  const t = useT();
  const language = useLanguage();
  const [shown, show] = useState<'open' | 'all'>('open');
  const source = useQuery(fiscalRequests(shown === 'open'));
  const title = t('fiscal.requestsTitle');
  usePage({ title });
  const requests = source.data;
  return (
    <div className={classes.root}>
      <div className={classes.head}>
        <PageTitle title={title} lead={t('fiscal.requestsLead')} />
        <Segmented
          label={t('fiscal.filter')}
          value={shown}
          onChange={show}
          options={[
            { value: 'open', label: t('fiscal.filterOpen') },
            { value: 'all', label: t('fiscal.filterAll') },
          ]}
        />
      </div>
      {!requests &&
        (source.error ? (
          <LoadFailed title={t('fiscal.loadFailed')} error={source.error} onRetry={() => void source.refetch()} />
        ) : (
          <PagePending />
        ))}
      {requests?.length === 0 && (
        <StateView icon="check" title={shown === 'open' ? t('fiscal.requestsEmpty') : t('fiscal.historyEmpty')} />
      )}
      {requests && requests.length > 0 && (
        <ul className={classes.list}>
          {requests.map((request) => (
            <li key={request._id}>
              <div className={classes.words}>
                <Link to={paths.fiscalRequest(request._id)}>{request.company}</Link>
                <div className={`${classes.quiet} num`}>
                  {request.changes.map(({ field }) => t(`companies.${field}`)).join(', ')} ·{' '}
                  {t('fiscal.askedBy', { name: request.askedBy, date: shortDate(request.askedAt, language) })}
                </div>
              </div>
              <RequestTag request={request} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
