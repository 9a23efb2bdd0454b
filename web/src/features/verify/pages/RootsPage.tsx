import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useLanguage, useT } from '@/shared/i18n';
import { shortDate, shortDateTime } from '@/shared/lib/dates';
import { usePage } from '@/shared/lib/page';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { ReadingPage } from '@/shared/ui/ReadingPage';
import { StateView } from '@/shared/ui/StateView';
import { evidenceRoots, ROOTS_PATH } from '../api';
import { Digest } from '../components/Digest';
import { Keys } from '../components/Keys';
import classes from '../components/verify.module.css';
import type { EvidenceRoot } from '../model';

/** `/verificar/raices`: the root of each day, for whoever wants to keep them or to compare one. */
export function RootsPage() {
  const t = useT();
  const found = useInfiniteQuery(evidenceRoots);
  usePage({ title: t('verify.roots') });
  const roots = found.data?.pages.flatMap((page) => page.roots);
  return (
    <ReadingPage title={t('verify.roots')} lead={t('verify.rootsText')}>
      <section className={classes.panel}>
        {found.error && !roots ? (
          <LoadFailed title={t('verify.rootsFailed')} error={found.error} onRetry={() => void found.refetch()} />
        ) : !roots ? (
          <Skeleton h={240} radius="lg" />
        ) : roots.length === 0 ? (
          <StateView icon="seal" title={t('verify.rootsNone')} text={t('verify.rootsNoneText')} />
        ) : (
          <>
            <RootsTable roots={roots} />
            <div className={classes.more}>
              {found.hasNextPage && (
                <Button variant="default" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                  {t('verify.rootsMore')}
                </Button>
              )}
              <a href={ROOTS_PATH} download="atalaya-evidence-roots.json">
                {t('verify.rootsDownload')}
              </a>
            </div>
          </>
        )}
      </section>
      <Keys />
    </ReadingPage>
  );
}

function RootsTable({ roots }: { roots: EvidenceRoot[] }) {
  const t = useT();
  const language = useLanguage();
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('verify.rootsDay')}</th>
          <th scope="col">{t('verify.rootsSeals')}</th>
          <th scope="col">{t('verify.timestamp')}</th>
          <th scope="col">{t('verify.rootsRoot')}</th>
        </tr>
      </thead>
      <tbody>
        {roots.map(({ day, seals, root, timestamp }) => (
          <tr key={day}>
            <td className="num">{shortDate(day, language)}</td>
            <td className="num">
              <span className={classes.onPhone}>{t('verify.rootsSeals')}: </span>
              {seals}
            </td>
            <td className="num">
              {timestamp
                ? `${timestamp.authority} · ${shortDateTime(timestamp.at, language)}`
                : t('verify.timestampNone')}
            </td>
            <td>
              <Digest hex={root} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
