import { Button, Skeleton, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { count, euros } from '@/shared/lib/money';
import { dayText, monthText } from '@/shared/lib/months';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { shortIban } from '../model';
import type { InvoiceStatistics, MonthTotal } from '../types';
import classes from './invoices.module.css';

// The drawing library is large and only this page needs it.
const MonthsChart = lazy(() => import('./MonthsChart'));

interface OverviewProps {
  query: UseQueryResult<InvoiceStatistics>;
  /** Where the running month is explained; none for everybody's. */
  consumptionHref: string | null;
  onReturned: () => void;
}

/** The months drawn, and beside them what came back, what runs and what will be charged. */
export function Overview({ query, consumptionHref, onReturned }: OverviewProps) {
  const t = useT();
  const { data } = query;
  if (query.error && !data) {
    const retry = (
      <Button variant="default" size="xs" loading={query.isFetching} onClick={() => void query.refetch()}>
        {t('common.retry')}
      </Button>
    );
    const text = errorText(t, query.error);
    return <Note tone="bad" icon="warn" title={t('invoices.chartFailed')} text={text} action={retry} />;
  }
  if (!data)
    return (
      <div className={classes.overview} aria-hidden="true">
        <Skeleton h={258} radius="lg" />
      </div>
    );
  return (
    <div className={classes.overview} data-stale={query.isPlaceholderData || undefined}>
      <Chart months={data.months} />
      <Figures data={data} consumptionHref={consumptionHref} onReturned={onReturned} />
    </div>
  );
}

function Chart({ months }: { months: MonthTotal[] }) {
  const t = useT();
  const language = useLanguage();
  const name = (month: MonthTotal | undefined) => (month ? monthText(month.period, language) : '');
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.chartHead}>
        <h2>{t('invoices.chartTitle')}</h2>
        <span className={classes.legend} aria-hidden="true">
          <span>
            <i />
            {t('invoices.chartIssued')}
          </span>
          {months.some((month) => month.provisional) && (
            <span>
              <i data-running />
              {t('invoices.chartRunning')}
            </span>
          )}
        </span>
      </figcaption>
      <div aria-hidden="true">
        <Suspense fallback={<Skeleton h={222} />}>
          <MonthsChart months={months} />
        </Suspense>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{t('invoices.chartOf', { from: name(months[0]), to: name(months.at(-1)) })}</caption>
          <thead>
            <tr>
              <th scope="col">{t('invoices.chartMonth')}</th>
              <th scope="col">{t('invoices.connections')}</th>
              <th scope="col">{t('invoices.total')}</th>
            </tr>
          </thead>
          <tbody>
            {months.map((month) => (
              <tr key={month.period}>
                <th scope="row">{name(month)}</th>
                <td>{count(month.connections, language)}</td>
                <td>
                  {euros(month.total, language)} {month.provisional && t('invoices.chartRunning')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}

interface FiguresProps extends Pick<OverviewProps, 'consumptionHref' | 'onReturned'> {
  data: InvoiceStatistics;
}

function Figures({ data: { runningMonth, nextCharge, returned }, consumptionHref, onReturned }: FiguresProps) {
  const t = useT();
  const language = useLanguage();
  return (
    <div className={classes.figures}>
      {returned.count > 0 && (
        <button type="button" className={classes.returned} onClick={onReturned} title={t('invoices.showReturned')}>
          <Icon name="warn" />
          <span>
            {t('invoices.returnedCount', { count: returned.count })}{' '}
            <b className="num">{euros(returned.amount, language)}</b>
          </span>
        </button>
      )}
      {runningMonth && (
        <div>
          <span>{t('invoices.untilToday', { month: monthText(runningMonth.period, language).split(' ')[0] })}</span>
          <b className="num">{euros(runningMonth.total, language)}</b>
          <small className="num">
            {t('invoices.vatIncluded', {
              count: runningMonth.connections,
              connections: count(runningMonth.connections, language),
            })}
          </small>
          {consumptionHref && <Link to={consumptionHref}>{t('invoices.seeConsumption')}</Link>}
        </div>
      )}
      <div>
        <span>{t('invoices.nextCharge')}</span>
        {nextCharge ? (
          <>
            <b className="num">{euros(nextCharge.amount, language)}</b>
            <small className="num">
              {[dayText(nextCharge.date, language), nextCharge.iban && shortIban(nextCharge.iban)]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </>
        ) : (
          <small>{t('invoices.noCharge')}</small>
        )}
      </div>
    </div>
  );
}
