import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useT } from '@/shared/i18n';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { getApiDoc } from '../api';
import { readOperations } from '../openapi';
import classes from './ApiDoc.module.css';
import { OperationCard } from './OperationCard';

/** The calls that a key may make, from the server's own description. Nothing is loaded from elsewhere. */
export function ApiDoc() {
  const t = useT();
  const { data, error, refetch } = useQuery(getApiDoc());
  const { origin } = window.location;
  return (
    <section className={classes.section} aria-labelledby="api-doc">
      <h2 id="api-doc">{t('apikeys.doc')}</h2>
      <p className={classes.text}>{t('apikeys.docText', { url: `${origin}/ext-api/v1/…` })}</p>
      <p>
        <a href="/ext-api/api-doc" target="_blank" rel="noreferrer">
          {t('apikeys.docFile')}
        </a>
      </p>
      {error && <LoadFailed title={t('apikeys.docFailed')} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={120} />}
      {data &&
        readOperations(data).map((operation) => (
          <OperationCard key={operation.method + operation.path} operation={operation} origin={origin} />
        ))}
    </section>
  );
}
