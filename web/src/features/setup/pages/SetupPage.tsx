import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { Note } from '@/shared/ui/Note';
import { PageTitle } from '@/shared/ui/PageTitle';
import { Tag } from '@/shared/ui/Tag';
import { setupState } from '../api';
import { PointRow } from '../components/PointRow';
import { isPoint } from '../model';
import classes from './SetupPage.module.css';

/** `/setup`: what is missing before the platform serves real clients, and how each thing is done. */
export function SetupPage() {
  const t = useT();
  const { data, error, refetch } = useQuery({ ...setupState, staleTime: 0 });
  const title = t('setup.title');
  usePage({ title });
  if (error && !data) {
    return <LoadFailed title={t('setup.loadError')} error={error} onRetry={() => void refetch()} />;
  }
  const state = data && data.missing > 0 && (
    <Tag tone="warn" icon="warn">
      {t('setup.missing', { count: data.missing })}
    </Tag>
  );
  return (
    <section className={classes.root}>
      <PageTitle title={title} state={state} lead={t('setup.lead')} />
      {data?.missing === 0 && (
        <Note tone="ok" icon="check" title={t('setup.complete')} text={t('setup.completeText')} />
      )}
      {data ? (
        <ul className={classes.list} aria-label={title}>
          {data.items.map((item) => isPoint(item.key) && <PointRow key={item.key} point={item.key} item={item} />)}
        </ul>
      ) : (
        <Skeleton h={420} radius="lg" />
      )}
    </section>
  );
}
