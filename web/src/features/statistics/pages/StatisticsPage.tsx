import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { CompanyPicker } from '@/shared/company/CompanyPicker';
import { usePageCompany } from '@/shared/company/use-page-company';
import { useT } from '@/shared/i18n';
import { useListState } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { Segmented } from '@/shared/ui/Segmented';
import { StateView } from '@/shared/ui/StateView';
import { funnelOf } from '../api';
import { FunnelBars } from '../components/FunnelBars';
import classes from '../components/statistics.module.css';
import { Usable } from '../components/Usable';
import { WeeksTable } from '../components/WeeksTable';
import { type Funnel, SPANS, type Step, spanOf } from '../model';

// The drawing library is large and only this page needs it.
const WeeksChart = lazy(() => import('../components/WeeksChart'));

/** `/statistics/{parent}`: how far the conferences of a company come, week by week; the administrator's of everybody. */
export function StatisticsPage() {
  const t = useT();
  const list = useListState({ sort: 'week', filters: ['weeks'] });
  const span = spanOf(list.filters.weeks);
  const company = usePageCompany(paths.statistics);
  const funnel = useQuery(funnelOf(company.id, span));
  const title = t('statistics.title');
  usePage({ title });
  return (
    <section className={classes.root}>
      <div className={classes.head}>
        <h1>{title}</h1>
        <span className={classes.grow} />
        {company.admin && (
          <CompanyPicker
            className={classes.company}
            label={t('statistics.company')}
            kinds={[2]}
            value={company.value}
            chosenName={company.name}
            onChange={company.choose}
          />
        )}
        <Segmented
          label={t('statistics.span')}
          value={span}
          onChange={(weeks) => list.setFilter('weeks', weeks === SPANS[0] ? null : weeks)}
          options={(['4', '12', '26'] as const).map((weeks) => ({
            value: weeks,
            label: t('statistics.weeks', { count: Number(weeks) }),
          }))}
        />
      </div>
      {funnel.error && !funnel.data ? (
        <LoadFailed title={t('statistics.failed')} error={funnel.error} onRetry={() => void funnel.refetch()} />
      ) : !funnel.data ? (
        <Skeleton h={360} radius="lg" />
      ) : funnel.data.totals.invited === 0 ? (
        <StateView icon="chart" title={t('statistics.empty')} text={t('statistics.emptyText')} />
      ) : (
        <>
          <Figures funnel={funnel.data} stale={funnel.isPlaceholderData} />
          <Usable company={company.id} span={span} everybody={company.admin} />
        </>
      )}
    </section>
  );
}

function Figures({ funnel, stale }: { funnel: Funnel; stale: boolean }) {
  const t = useT();
  const [step, setStep] = useState<Step>('usable');
  return (
    <div className={classes.body} data-stale={stale || undefined} aria-busy={stale}>
      <div className={classes.upper}>
        <FunnelBars totals={funnel.totals} chosen={step} onChoose={setStep} />
        <figure className={classes.chart}>
          <figcaption className={classes.chartHead}>
            <h2>{t('statistics.perWeek', { step: t(`statistics.${step}`) })}</h2>
            <span className={classes.legend} aria-hidden="true">
              <span>
                <i />
                {t('statistics.lastWeek')}
              </span>
              <span>
                <i data-running />
                {t('statistics.running')}
              </span>
            </span>
          </figcaption>
          <Suspense fallback={<Skeleton h={340} />}>
            <WeeksChart weeks={funnel.weeks} step={step} />
          </Suspense>
        </figure>
      </div>
      <WeeksTable funnel={funnel} />
    </div>
  );
}
