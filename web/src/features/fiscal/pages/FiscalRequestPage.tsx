import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useLanguage, useT } from '@/shared/i18n';
import { shortDate } from '@/shared/lib/dates';
import { dayText } from '@/shared/lib/months';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { Note } from '@/shared/ui/Note';
import { PageTitle } from '@/shared/ui/PageTitle';
import { Section } from '@/shared/ui/Section';
import { fiscalRequest } from '../api';
import { Changes } from '../components/Changes';
import { DecisionForm } from '../components/DecisionForm';
import { DocumentButton } from '../components/DocumentButton';
import classes from '../components/fiscal.module.css';
import { RequestTag } from '../components/RequestTag';

/** `/fiscal-requests/{requestId}`: what is in force beside what is asked for, the document, and the decision. */
export function FiscalRequestPage() {
  const t = useT();
  const language = useLanguage();
  const { requestId = '' } = useParams({ strict: false }) as { requestId?: string };
  const source = useQuery(fiscalRequest(requestId));
  const request = source.data;
  usePage({
    title: request?.company ?? t('fiscal.requestsTitle'),
    crumb: { label: t('fiscal.requestsTitle'), href: paths.fiscalRequests() },
  });
  if (!request) {
    return source.error ? (
      <LoadFailed title={t('fiscal.loadFailed')} error={source.error} onRetry={() => void source.refetch()} />
    ) : (
      <Skeleton h={240} radius="lg" aria-hidden="true" />
    );
  }
  return (
    <div className={classes.root}>
      <PageTitle
        title={request.company}
        state={<RequestTag request={request} />}
        lead={t('fiscal.askedBy', { name: request.askedBy, date: shortDate(request.askedAt, language) })}
      />
      <Section
        id="fiscal-changes"
        title={t('fiscal.wanted')}
        text={t('fiscal.from', { date: dayText(request.since, language) })}
      >
        {request.anotherTaxpayer && <Note tone="warn" icon="warn" text={t('fiscal.taxIdWarning')} />}
        <Changes request={request} />
        {request.note && <p className={classes.words}>{request.note}</p>}
        <div className={classes.buttons}>
          <DocumentButton request={request} />
        </div>
        <p>
          <Link to={paths.fiscalIdentity(request.customerId)}>{t('fiscal.situationLink')}</Link>
        </p>
      </Section>
      <Section
        id="fiscal-decision"
        title={t('fiscal.decision')}
        text={
          request.decidedAt
            ? t('fiscal.decidedBy', { name: request.decidedBy ?? '–', date: shortDate(request.decidedAt, language) })
            : ''
        }
      >
        {request.status === 'open' ? <DecisionForm request={request} /> : request.reason && <p>{request.reason}</p>}
      </Section>
    </div>
  );
}
